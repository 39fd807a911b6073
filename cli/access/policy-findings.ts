/** What becomes of policies, in words. */
import type { RightsDifference } from "../../access/policy/compare";
import type { Finding, FindingKind } from "./finding";
import { joined, listed, type Sentence } from "./markup";
import {
  differencesTo,
  type PolicyChanges,
  type PolicyGone,
  type PolicyHolder,
  type RightsChange,
  type TokenChange,
  type TokenFacts,
} from "./policy-changes";
import { likeManagement } from "./rights";
import { askWords, rightsText } from "./rights-words";

export function policyFindings({ tokens, rights, gone }: PolicyChanges): Finding[] {
  const isSame = ({ relation, unknown }: RightsChange) => relation === "equal" && unknown.length === 0;
  const changing = new Set(rights.filter((change) => !isSame(change)).flatMap(({ changed }) => changed));
  const same = [...new Set(rights.flatMap(({ changed }) => changed))].filter((name) => !changing.has(name));
  return [...tokens.flatMap(tokenFindings), ...rights.flatMap(rightsFindings), ...same.map(sameFinding), ...gone.map(goneFinding)];
}

/** By name alone: what its policies allow is said of them. */
function tokenFindings({ name, before, after }: TokenChange): Finding[] {
  const token: Sentence = ["the token ", { code: name }];
  if (!after) return [{ kinds: ["narrowed"], sentence: [...token, " goes, and whoever has it gets nothing by it"] }];
  const management = "one of management, which may do everything";
  if (after.type === "management")
    return before?.type === "management"
      ? []
      : [
          {
            kinds: ["management", "widened"],
            sentence: [...token, before ? " becomes " : " is new, and ", before ? management : `is ${management}`],
          },
        ];
  if (before?.isUnknown || after.isUnknown)
    return [{ kinds: ["undecided"], sentence: [...token, before ? " changes" : " is new", ", and what it gets is not known here"] }];
  const given = (side: TokenFacts | undefined) => [...(side?.roles ?? []), ...(side?.policies ?? [])];
  const more = given(after).filter((one) => !given(before).includes(one));
  const less = given(before).filter((one) => !given(after).includes(one));
  const ends: Finding[] =
    before?.type === "management" ? [{ kinds: ["narrowed"], sentence: [...token, " is no longer one of management"] }] : [];
  const gains = before ? " gains " : " is new, and has ";
  return [
    ...ends,
    ...(more.length > 0 ? [{ kinds: ["widened"] as const, sentence: [...token, gains, ...listed(more)] }] : []),
    ...(less.length > 0 ? [{ kinds: ["narrowed"] as const, sentence: [...token, " loses ", ...listed(less)] }] : []),
  ];
}

function sameFinding(name: string): Finding {
  return { kinds: [], sentence: ["the rules of the policy ", { code: name }, " change, and no right does"] };
}

function rightsFindings(change: RightsChange): Finding[] {
  const { holder, changed, unknown, relation, differences } = change;
  const by: Sentence = holder.kind === "policy" ? [] : [` (${changed.length > 1 ? "policies" : "policy"} `, ...listed(changed), ")"];
  const finding = (isMore: boolean): Finding[] => {
    const some = differencesTo(isMore, differences);
    if (some.length === 0) return [];
    const isAll = isMore && likeManagement.some(({ ask }) => some.some((one) => one.ask === ask));
    const kinds: FindingKind[] = [...(isAll ? (["management"] as const) : []), isMore ? "widened" : "narrowed"];
    const verb = isMore ? " may also " : " may no longer ";
    const equal = isAll ? ", which equals management" : "";
    return [{ kinds, sentence: [...holderWords(holder), verb, ...places(some), equal, ...by] }];
  };
  const open = relation === "undecided" || unknown.length > 0 ? [undecidedFinding(change)] : [];
  return [...finding(true), ...finding(false), ...open];
}

function undecidedFinding({ holder, changed, unknown }: RightsChange): Finding {
  const why: Sentence =
    unknown.length > 0
      ? [`the rules of ${unknown.length > 1 ? "the policies" : "the policy"} `, ...listed(unknown), " are not known on both sides"]
      : ["the rules of ", ...listed(changed), " have what this version does not know"];
  return { kinds: ["undecided"], sentence: [...holderWords(holder), " may do more or less: ", ...why] };
}

function holderWords({ kind, name }: PolicyHolder): Sentence {
  if (kind === "policy") return ["whoever has the policy ", { code: name }];
  return [kind === "role" ? "whoever has the role " : "the token ", { code: name }];
}

/** The rights of each place together. */
function places(differences: readonly RightsDifference[]): Sentence {
  const byPlace = new Map<string, RightsDifference[]>();
  for (const one of differences) {
    const key = JSON.stringify([one.namespace, one.path, one.name, one.ask.includes(":") && one.namespace === undefined ? one.ask : ""]);
    byPlace.set(key, [...(byPlace.get(key) ?? []), one]);
  }
  return joined([...byPlace.values()], placeWords);
}

function placeWords(differences: readonly RightsDifference[]): Sentence {
  const [{ namespace, path, name } = {}] = differences;
  const rights = rightsText(askWords(differences.map(({ ask }) => ask)), false);
  if (namespace === undefined) return [rights, ...(name === undefined ? [] : [" ", { code: name }])];
  const variables: Sentence = path === undefined ? [] : [" the variables ", { code: path }];
  return [rights, ...variables, " in the namespace ", { code: namespace }];
}

function goneFinding({ name, roles, tokens, rules }: PolicyGone): Finding {
  const groups = [
    ["the role", roles],
    ["the token", tokens],
    ["the rule", rules],
  ] as const;
  const naming = groups.filter(([, names]) => names.length > 0);
  const one = (noun: string, names: readonly string[]): Sentence => [`${noun}${names.length > 1 ? "s" : ""} `, ...listed(names)];
  const words = naming.flatMap(([noun, names], index): Sentence => (index === 0 ? one(noun, names) : [" and ", ...one(noun, names)]));
  const isOne = naming.length === 1 && naming[0]?.[1].length === 1;
  return {
    kinds: ["dangling"],
    sentence: ["the policy ", { code: name }, " goes, while ", ...words, ` still ${isOne ? "names" : "name"} it`],
  };
}
