/** ACL objects of Pulumi's Nomad provider. `diff` reports that one changes, because it may be an object that this package has, too. */
import { isRecord, recordOf } from "../../common/unknown";
import { type Properties, someOf } from "../../provider/internal";
import {
  type BridgedObject,
  holdsSecret,
  type Inventory,
  type InventoryObject,
  isSecret,
  kindAndName,
  replaced,
  resourceOf,
  secretMarker,
  unknownIn,
} from "./inventory";

interface Entry {
  readonly type: string;
  readonly id?: string | undefined;
  readonly inputs?: Properties | null | undefined;
  readonly outputs?: Properties | null | undefined;
  readonly external?: boolean | null | undefined;
}

const bridgedType = /^nomad:index\/acl\w+:(\w+)$/;

/** The properties of an auth method's configuration that only decide how the cluster itself logs in. */
const ofCluster: ReadonlySet<string> = new Set(["oidcClientSecret", "oidcClientAssertion"]);

/** The properties by which an object gives something. Others in a state's outputs, such as a time or a hash, decide nothing. */
const deciding: ReadonlySet<string> = new Set([
  ...["name", "type", "tokenLocality", "maxTokenTtl", "tokenNameFormat", "default", "config", "authMethod", "selector", "bindType"],
  ...["bindName", "policies", "roles", "global", "expirationTtl", "rulesHcl", "jobAcl"],
]);

/**
 * An entry of a state as an object of the Nomad provider; undefined for any other resource. The outputs count, too: a refresh writes into
 * the inputs only what the program gives.
 */
export function bridgedObject({ type, id, inputs, outputs, external }: Entry, urn: string): BridgedObject | undefined {
  const [, kind] = bridgedType.exec(type) ?? [];
  if (kind === undefined) return undefined;
  // The inputs of a look-up are not the properties of the object.
  const forms = [external ? undefined : inputs, outputs].flatMap((one) => (one ? [withoutHarmless(one)] : []));
  const [given = {}, onServer = given] = forms;
  const decides = Object.entries(onServer).filter(([name, value]) => deciding.has(name) && !isEmpty(value));
  const shown = replaced([type, id, given, Object.fromEntries(decides)], (part) => (isSecret(part) ? secretMarker : undefined));
  const hidden = (part: unknown) => (isSecret(part) ? secretMarker : unknownIn(part));
  return {
    name: `${kindAndName(urn)} of @pulumi/nomad`,
    kind,
    forms: forms.map((one) => recordOf(replaced(one, hidden))),
    content: holdsSecret(shown) ? undefined : JSON.stringify(shown),
  };
}

function withoutHarmless({ config, description: _, ...rest }: Properties): Properties {
  if (config === undefined) return rest;
  const isDeciding = ([name, value]: [string, unknown]) => !ofCluster.has(name) && !isEmpty(value);
  return {
    ...rest,
    config: isRecord(config) && !isSecret(config) ? Object.fromEntries(Object.entries(config).filter(isDeciding)) : config,
  };
}

/** Whether a value is as good as none, such as the selector `""`, which servers store for a rule without one. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === "" || value === false || value === 0;
}

/** The note of a command that looks at neither such objects nor looked-up ones. */
export function leftOutNotes(inventory: Inventory): string[] {
  const names = leftOutOf(inventory);
  return names.length > 0 ? [`${inventory.source}: not looked at: ${someOf(names)}`] : [];
}

export function namesOfBridged({ bridged = [] }: Inventory): string[] {
  return [...new Set(bridged.map(({ name }) => name))];
}

/** The ACL objects that a source has, and that `who` and `graph` do not look at. */
export function leftOutOf(inventory: Inventory): string[] {
  const others = onlyLookedUp(inventory).filter(({ kind }) => resourceOf(kind)?.api === "cluster");
  return [...namesOfBridged(inventory), ...new Set(others.map(nameOfLookedUp))];
}

/** The looked-up objects that are not among the managed ones. The ID of a new object is unknown, and equals no other. */
export function onlyLookedUp({ objects, lookedUp = [] }: Pick<Inventory, "objects" | "lookedUp">): InventoryObject[] {
  const isManaged = (one: InventoryObject) => objects.some(({ kind, id }) => kind === one.kind && id !== undefined && id === one.id);
  return lookedUp.filter((one) => !isManaged(one));
}

/** The name of a looked-up object, as a program writes it. */
export function nameOfLookedUp({ kind, name }: InventoryObject): string {
  return `${kind}.get(${JSON.stringify(name)})`;
}

/** The objects of two states that differ, or may differ, in words. */
export function differingBridged({ bridged: old }: Inventory, { bridged: now }: Inventory): string[] {
  // An export has none.
  if (!old || !now) return [];
  const rest = [...now];
  const differing = old.filter(({ content }) => {
    const place = rest.findIndex((one) => content !== undefined && one.content === content);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
  return inWords([...differing, ...rest]);
}

/** Whether one of the objects certainly has the same content. */
export function isIn(all: readonly BridgedObject[], { content }: BridgedObject): boolean {
  return content !== undefined && all.some((one) => one.content === content);
}

/** The most objects to name. */
const MOST_NAMED = 10;

/** The changes of objects, in words. */
export function inWords(objects: readonly BridgedObject[]): string[] {
  const all = [...new Set(objects.map(({ name, content }) => `${name}, which ${content === undefined ? "may have changed" : "changes"}`))];
  const more = all.length - MOST_NAMED;
  return more > 0 ? [...all.slice(0, MOST_NAMED), `${more} more ACL objects of @pulumi/nomad`] : all;
}
