/** The permissions of policies in a picture, and the holders of policies without a login. */
import { policiesAllow } from "../../access/policy/allow";
import { likeManagement } from "../../access/policy/management";
import { rightsOf } from "../../access/policy/rights";
import { ownProperty } from "../../common/own-property";
import type { AccessModel } from "../access/model";
import { anonymous, rulesOfPolicy } from "../access/rights";
import { jobText, rightsLines, rightsText } from "../access/rights-words";
import type { Mark } from "./marks";

/** Lines of a box. */
interface BoxFacts {
  readonly details?: readonly string[];
  readonly marks?: readonly Mark[];
}

/** The most places in a box: namespaces, pools, ... */
const MOST_PLACES = 6;

/** The permissions of a policy, in the words of `who`. */
export function rightsFacts(model: AccessModel, policy: string): BoxFacts {
  const rules = rulesOfPolicy(model, policy);
  if (rules === undefined) return { marks: [{ kind: "notice", text: "undecided: its rules are unknown" }] };
  const equal = likeManagement.filter((question) => policiesAllow([rules], question) === true).map(({ ask }) => ask);
  const lines = rightsLines(rightsOf([rules]), equal, true).map((line) => `${line.where}: ${rightsText(line, false)}`);
  if (lines.length === 0) return { details: ["nothing"] };
  const more = lines.length > MOST_PLACES ? [`and ${lines.length - MOST_PLACES} more places`] : [];
  return { details: [...lines.slice(0, MOST_PLACES), ...more] };
}

/** The policies that apply without a login: to everybody, or to the tasks of a job. */
export function policiesOfOthers({ policyFacts }: AccessModel): string[] {
  return Object.keys(policyFacts).filter((name) => name === anonymous || policyFacts[name]?.job);
}

/** The holders of a policy without a login. */
export function holdersFacts({ policyFacts }: AccessModel, policy: string): BoxFacts {
  const facts = ownProperty(policyFacts, policy);
  return {
    ...(facts?.job && { details: [`tasks of ${jobText(facts.job)} have it`] }),
    ...(facts && policy === anonymous && facts.rules !== "" && { marks: [{ kind: "alarm", text: "everybody has it, without a token" }] }),
  };
}
