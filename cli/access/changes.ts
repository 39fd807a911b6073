import type { AccessChanges, Given, GrantChange, MethodChange } from "../../provider/access/changes";
import type { BindingRule } from "../../provider/access/graph";
import { parseDuration } from "../../provider/model/durations";
import type { Sentence } from "./markup";
import type { AccessModel, Undecided } from "./model";
import type { VerificationChange } from "./verification";
import { labelOf } from "./words";

/** What a change may be. `--fail-on` names them. */
export const findings = ["management", "widened", "narrowed", "undecided", "dangling", "failing"] as const;
export type FindingKind = (typeof findings)[number];

/** A sentence about a change, and what it is. */
export interface Finding {
  readonly kinds: readonly FindingKind[];
  readonly sentence: Sentence;
}

export interface Compared {
  readonly changes: AccessChanges;
  readonly verification: readonly VerificationChange[];
  readonly before: AccessModel;
  readonly after: AccessModel;
  /** Objects of which a part is not known, and that may have changed. */
  readonly undecided: readonly Undecided[];
}

/** What a change makes possible, what no longer is, and what can't be decided, in words. */
export function findingsOf({ changes, verification, before, after, undecided }: Compared): Finding[] {
  const managing = new Set([...before.rules, ...after.rules].filter(isManagement).map(({ authMethod }) => authMethod));
  const undecidedOf = (method: string): FindingKind[] => (managing.has(method) ? ["undecided", "management"] : ["undecided"]);
  return [
    ...changes.grants.map(grantFinding),
    ...changes.roles.flatMap(({ role, added, removed, rules }) => [
      ...(added.length > 0 ? [policiesFinding("gives also", "widened", { role, policies: added, rules })] : []),
      ...(removed.length > 0 ? [policiesFinding("no longer gives", "narrowed", { role, policies: removed, rules })] : []),
    ]),
    ...changes.dangling.map(({ kind, name, rules }): Finding => {
      const [noun, binds, is, gives] = rules.length > 1 ? ["rules", "bind", "are", "give"] : ["rule", "binds", "is", "gives"];
      const what = kind === "role" ? "the role " : "the auth method ";
      const verb = kind === "role" ? ` still ${binds} it` : ` ${is} still of it`;
      const labels = listed(rules.map((rule) => labelOf(after, rule)));
      return {
        kinds: ["dangling"],
        sentence: [what, { code: name }, ` goes, while the ${noun} `, ...labels, `${verb}, and ${gives} nothing`],
      };
    }),
    ...changes.methods.map(({ method, property, before: was, after: is }): Finding => {
      const subject: Sentence = ["auth method ", { code: method }, ": "];
      if (was === undefined || is === undefined) {
        return { kinds: ["undecided"], sentence: [...subject, `${property} differ, so that selectors may mean other claims`] };
      }
      const kinds = methodKinds(property, was, is);
      return { kinds, sentence: [...subject, `${property} is `, valueWords(is), " instead of ", valueWords(was)] };
    }),
    ...verification.flatMap((change) => verificationFindings(change, undecidedOf(change.method))),
    ...changes.failing.map(
      (method): Finding => ({
        kinds: ["failing"],
        sentence: ["every login of ", { code: method }, " fails, because the name of its token can't be computed"],
      }),
    ),
    ...undecided.map(({ object, part, bindType, kind, name }): Finding => {
      const mayManage = kind === "rule" && (bindType === undefined || bindType === "management");
      return {
        kinds: mayManage ? ["undecided", "management"] : kind === "method" ? undecidedOf(name) : ["undecided"],
        sentence: [{ code: object }, " can't be compared: ", { code: part }, " is a secret, or is not known before an update"],
      };
    }),
  ];
}

function verificationFindings({ method, differing, hidden }: VerificationChange, kinds: readonly FindingKind[]): Finding[] {
  const finding = (properties: readonly string[], words: string): Finding[] =>
    properties.length > 0 ? [{ kinds, sentence: ["auth method ", { code: method }, ": ", ...listed(properties), words] }] : [];
  const verb = differing.length > 1 ? "differ" : "differs";
  const [are, secrets] = hidden.length > 1 ? ["are", "secrets"] : ["is", "a secret"];
  return [
    ...finding(differing, ` ${verb}, so that others may log in`),
    ...finding(hidden, ` can't be compared, and ${are} ${secrets}, or not known before an update`),
  ];
}

function isManagement({ bindType }: BindingRule): boolean {
  return bindType === "management";
}

/** A token that is valid everywhere, or for longer, is more than before. */
function methodKinds(property: MethodChange["property"], before: string, after: string): FindingKind[] {
  if (property === "tokenNameFormat") return [];
  if (property === "tokenLocality") return [after === "global" ? "widened" : "narrowed"];
  const [was, is] = [before, after].map((text) => (property === "maxTokenTtl" ? parseDuration(text) : undefined));
  if (was === undefined || is === undefined) return ["undecided"];
  return [is > was ? "widened" : "narrowed"];
}

function valueWords(value: string): Sentence[number] {
  return value === "" ? "not set" : { code: value };
}

function policiesFinding(
  verb: string,
  kind: FindingKind,
  { role, policies, rules }: { role: string; policies: readonly string[]; rules: readonly BindingRule[] },
): Finding {
  const logins = ({ authMethod, selector }: BindingRule): Sentence => ["logins of ", { code: authMethod }, ...withSelector(selector)];
  const reach = rules.length > 0 ? [" to ", ...joined(rules, logins)] : [`, which no rule here ${kind === "widened" ? "binds" : "bound"}`];
  return { kinds: [kind], sentence: ["the role ", { code: role }, ` ${verb} `, ...listed(policies), ...reach] };
}

function grantFinding({ method, given, policies, before, after, relation }: GrantChange): Finding {
  const what = givenWords(given, policies);
  const isMore = relation !== "narrower";
  const kinds: FindingKind[] = [
    ...(given.kind === "management" && isMore ? (["management"] as const) : []),
    ...(given.kind === "failure" && isMore ? (["failing"] as const) : []),
    ...(relation === "undecided" ? (["undecided"] as const) : []),
    // What ends a login takes something away from it.
    ...(relation === "crossing" || (relation === "wider") === (given.kind !== "failure") ? wideningOf(relation) : shrinkingOf(relation)),
  ];
  const logins: Sentence = ["logins of ", { code: method }];
  const [gain, lose, get] = given.kind === "failure" ? [" now ", " no longer ", " "] : [" gain ", " lose ", " get "];
  if (relation === "wider" && before.length === 0) return { kinds, sentence: [...logins, ...selectorsOf(after), gain, ...what] };
  if (relation === "narrower" && after.length === 0) return { kinds, sentence: [...logins, ...selectorsOf(before), lose, ...what] };
  const how = { wider: "more logins than before", narrower: "fewer logins than before", crossing: "some more and some fewer logins" };
  const words = relation === "undecided" ? "whether that is more or fewer logins can't be decided" : how[relation];
  const changed: Sentence =
    before.length + after.length === 0
      ? [", by other mappings of claims"]
      : [
          ...(after.length > 0 ? selectorsOf(after) : [" by other rules"]),
          " instead of",
          ...(before.length > 0 ? selectorsOf(before) : [" none"]),
        ];
  return { kinds, sentence: [...logins, get, ...what, ...changed, `: ${words}`] };
}

function wideningOf(relation: GrantChange["relation"]): FindingKind[] {
  return relation === "crossing" ? ["widened", "narrowed"] : relation === "undecided" ? [] : ["widened"];
}

function shrinkingOf(relation: GrantChange["relation"]): FindingKind[] {
  return relation === "undecided" ? [] : ["narrowed"];
}

function givenWords({ kind, names }: Given, policies: readonly string[]): Sentence {
  if (kind === "management") return ["management, which may do everything"];
  const objects = listed(names);
  if (kind === "failure") return ["fail, because the bind name ", ...objects, " can become no valid name"];
  const held = kind === "role" && policies.length > 0 ? [" (", ...listed(policies), ")"] : [];
  // A computed bind name is one of them for each login.
  const subject = names.length > 1 ? (kind === "role" ? "one of the roles " : "one of the policies ") : `the ${kind} `;
  return [subject, ...objects, ...held];
}

function selectorsOf(rules: readonly BindingRule[]): Sentence {
  if (rules.some(({ selector = "" }) => selector === "")) return [" with whatever claims"];
  return [" with ", ...listed([...new Set(rules.map(({ selector = "" }) => selector))], " or ")];
}

function withSelector(selector = ""): Sentence {
  return selector === "" ? [" with whatever claims"] : [" with ", { code: selector }];
}

/** How many of a list are written: a line stays readable, and JSON has all. */
const SHOWN = 4;

function listed(names: readonly string[], between: ", " | " or " = ", "): Sentence {
  return joined(names, (code) => [{ code }], between);
}

function joined<T>(items: readonly T[], write: (item: T) => Sentence, between: ", " | " or " = ", "): Sentence {
  const more = items.length - SHOWN;
  const shown = items.slice(0, SHOWN).flatMap((item, index) => (index === 0 ? write(item) : [between, ...write(item)]));
  return more > 0 ? [...shown, `${between === ", " ? " and" : " or"} ${more} more`] : shown;
}
