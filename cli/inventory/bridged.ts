/** ACL objects of Pulumi's Nomad provider. `diff` reports that one changes, because it may be an object that this package has, too. */
import type { Properties } from "../../provider/internal";
import { type BridgedObject, holdsSecret, type Inventory, isSecret, kindAndName, replaced, secretMarker } from "./inventory";

interface Entry {
  readonly type: string;
  readonly inputs?: Properties | null | undefined;
}

const bridgedType = /^nomad:index\/acl\w+:\w+$/;

/** An entry of a state as an object of the Nomad provider; undefined for any other resource. */
export function bridgedObject({ type, inputs }: Entry, urn: string): BridgedObject | undefined {
  if (!bridgedType.test(type)) return undefined;
  const { config, description: _, ...rest } = inputs ?? {};
  const shown = (value: unknown) => replaced(value, (part) => (isSecret(part) ? secretMarker : undefined));
  // Secrets in the configuration of an auth method, such as `oidcClientSecret`, don't count.
  const content = holdsSecret(shown(rest)) ? undefined : JSON.stringify([type, rest, shown(config)]);
  return { name: `${kindAndName(urn)} of @pulumi/nomad`, content };
}

/** The objects of two states that differ, or may differ, in words. */
export function differingBridged({ bridged: old }: Inventory, { bridged: now }: Inventory): string[] {
  // An export has none.
  if (!old || !now) return [];
  return inWords([...old.filter((one) => !isIn(now, one)), ...now.filter((one) => !isIn(old, one))]);
}

/** Whether one of the objects certainly has the same content. */
export function isIn(all: readonly BridgedObject[], { content }: BridgedObject): boolean {
  return content !== undefined && all.some((one) => one.content === content);
}

/** The most objects to name. */
const MOST_NAMED = 10;

/** The changes of objects, in words. */
export function inWords(objects: readonly BridgedObject[]): string[] {
  const all = [...new Set(objects.map(({ name, content }) => `${name}, which ${content === undefined ? "has a secret" : "changes"}`))];
  const more = all.length - MOST_NAMED;
  return more > 0 ? [...all.slice(0, MOST_NAMED), `${more} more ACL objects of @pulumi/nomad`] : all;
}
