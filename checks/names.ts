/** Names by which resources of one program refer to each other, and names that change. */
import type { Declared, Program, Reference } from "./program";
import { referencesOf } from "./program";

const words = { AclAuthMethod: "auth method", AclPolicy: "policy", AclRole: "role" } as const;

/** Remedies for a name that is given as a text. */
const remedies = {
  AclAuthMethod: "Give the method's `name`, as in sso.name.",
  AclPolicy: "Give the policy's `name`, as in readers.name.",
  AclRole: "Give the role's `name`, as in developers.name.",
} as const;

/** The warnings about references by names that the program changes in this update. */
export function renamedAway(resource: Declared, program: Program): string[] {
  const isGone = ({ kind, name }: Reference) => program.renamedFrom(kind, name).length > 0 && program.named(kind, name) === undefined;
  return referencesOf(resource)
    .filter(isGone)
    .map(
      ({ kind, name }) =>
        `it names the ${words[kind]} ${JSON.stringify(name)}, but this program renames that ${words[kind]}. ${remedies[kind]}`,
    );
}

/** The kinds with several objects of one name. Rules are not among them, because they have no name. */
const severalOfOneName: ReadonlySet<string> = new Set(["AclToken"]);
const renamedByUpdate: ReadonlySet<string> = new Set(["AclRole", "AgentPool"]);

/** The warning about objects that exchange their names. */
export function swappedNames({ kind, inputs, was }: Declared, program: Program): string[] {
  const first = was?.name;
  if (severalOfOneName.has(kind) || typeof first !== "string" || inputs.organization !== was?.organization) return [];
  const names = [first];
  for (let next = inputs.name; next !== first; ) {
    if (typeof next !== "string" || names.includes(next)) return [];
    const other = program.renamedFrom(kind, next).find((one) => one.inputs.organization === inputs.organization);
    if (!other) return [];
    names.push(next);
    next = other.inputs.name;
  }
  if (names.length < 2) return [];
  const circle = [...names, first].map((name) => JSON.stringify(name)).join(" to ");
  const byReplacements = " With deleteBeforeReplace: true for all of them, an update that is run again gets there, too.";
  return [
    `the names of this program's resources change in a circle (${circle}), and each is taken until the other gives it up, so no update succeeds. ` +
      `Give one of them a temporary name in an update of its own, and then all their new names.${renamedByUpdate.has(kind) ? "" : byReplacements}`,
  ];
}

export const kindsNamingPolicies: ReadonlySet<string> = new Set(["AclBindingRule", "AclRole", "AclToken"]);

/**
 * The policies that a resource names by texts. The caller knows the dependencies, so it can tell which policies the resource does not wait
 * for.
 */
export function policiesByText(resource: Pick<Declared, "kind" | "inputs">): string[] {
  return referencesOf(resource).flatMap(({ kind, name }) => (kind === "AclPolicy" ? [name] : []));
}

/** The message for a resource that does not wait for a policy of its program. */
export function notWaitingMessage(policy: string): string {
  return `it names the policy ${JSON.stringify(policy)} by a text, so it does not wait for this program to make it. ${remedies.AclPolicy}`;
}
