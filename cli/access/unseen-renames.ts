/** Roles that exports without IDs may show under another name: tokens hold a role by its ID, and get what it gives under its new name. */
import { compareDenials } from "../../access/policy/denials";
import { ownProperty } from "../../common/own-property";
import type { Compared } from "./compared";
import { type Finding, keyOf } from "./finding";
import { listed } from "./markup";
import { bringsManagement, mayGainManagement, policiesOfRole } from "./rights";

/**
 * The findings about new roles that may be former ones under a new name, with more policies or without a deny. If the objects include
 * tokens, these show what they get.
 */
export function unseenRenames({ pairs, before, after }: Compared): Finding[] {
  if ([before, after].some(({ objects }) => objects.some(({ kind }) => kind === "AclToken"))) return [];
  const roles = (side: "before" | "after", other: "before" | "after") =>
    pairs.flatMap(({ kind, [side]: role, [other]: twin }) =>
      kind === "AclRole" && role && !twin && role.id === undefined && role.urn === undefined ? [role.name] : [],
    );
  const gone = roles("before", "after").map((name) => ({ name, old: policiesOfRole(before, name) ?? [] }));
  const rules = ({ policyFacts }: typeof before, policies: readonly string[]) =>
    policies.flatMap((policy) => ownProperty(policyFacts, policy)?.rules ?? []);
  return roles("after", "before").flatMap((name): Finding[] => {
    const now = policiesOfRole(after, name) ?? [];
    const denials = (old: readonly string[]) => compareDenials(rules(before, old), rules(after, now));
    const others = gone.filter(({ old }) => now.some((policy) => !old.includes(policy)) || denials(old).length > 0);
    if (others.length === 0) return [];
    const brings = (old: readonly string[]) => denials(old).some((one) => bringsManagement(after, one));
    const manages = others.some(({ old }) => brings(old) || mayGainManagement(before, after, { old, now }));
    const names = others.map((one) => one.name);
    const effect = " under a new name: then its tokens get what it gives now, and exports with --full show that";
    return [
      {
        kinds: manages ? ["undecided", "management"] : ["undecided"],
        about: [keyOf("role", name)],
        sentence: ["the role ", { code: name }, " may be ", ...listed(names, " or "), effect],
      },
    ];
  });
}
