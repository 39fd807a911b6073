/** New and former objects of exports that may be one object under two names: tokens hold a role by its ID, and get what it gives now. */
import type { Compared } from "./compared";
import type { Finding } from "./finding";
import type { Sentence } from "./markup";
import { isReplaced, isUnidentified, type Pair } from "./pairs";

/** The kinds whose objects can get another name. The name of a rule is its description. */
const renamable: Readonly<Record<string, string>> = { AclRole: "role", AclToken: "token", AclBindingRule: "rule" };

/** The finding about an object that one export lacks, maybe because it has another name there. */
export function possibleRename(compared: Compared, pair: Pair): Finding[] {
  const { kind, before: old, after: now } = pair;
  const object = old ?? now;
  const word = renamable[kind];
  if (!object || !word || (old && now && !isReplaced(pair))) return [];
  const { selection } = old ? compared.after : compared.before;
  if (selection === undefined && !mayHaveOtherName(compared, pair)) return [];
  const change = old ? "goes, or is renamed" : "is new, or was renamed";
  const name = (chosen: string): Sentence => [` ${old ? "to" : "from"} a name that `, { code: chosen }, " leaves out"];
  const how: Sentence = selection === undefined ? [": exports with --full show which"] : name(selection);
  const sentence: Sentence = [`the ${word} `, { code: object.name }, ` ${change}`, ...how];
  return [{ kinds: ["undecided", "management", ...(old ? (["narrowed"] as const) : [])], sentence }];
}

/** Whether the role may be one of the other side: one of them has no ID, and no export has the tokens of all regions, which would show it. */
function mayHaveOtherName({ before, after }: Compared, { kind, before: old, after: now }: Pair): boolean {
  const others = (old ? after : before).objects.filter((one) => one.kind === "AclRole");
  return kind === "AclRole" && others.length > 0 && [...others, old ?? now].some((role) => role && isUnidentified(role));
}
