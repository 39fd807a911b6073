import { ownProperty } from "../../common/own-property";
import { holdsUnknown, isRecord, unknown } from "../../common/unknown";
import {
  defined,
  type Properties,
  pick,
  type Resource,
  resources,
  secretSignature,
  signatureKey,
  unknownMarker,
  withoutDefaults,
} from "../../provider/internal";
import { secretMarker } from "./hidden";

/** The objects of one source, such as servers, a state, a preview or an export, and the gaps among them. */
export interface Inventory {
  /** The source of the objects, for messages: addresses, `stack "dev"`, the path of a file, or `standard input`. */
  readonly source: string;
  /** The objects, sorted by kind in the provider's order, and then by name and content. */
  readonly objects: readonly InventoryObject[];
  /** Objects that could not be read. */
  readonly gaps: readonly Gap[];
  /** Only from an export: the kinds that it was made with, including kinds without objects. */
  readonly kinds?: readonly string[];
  /** Only from an export: the options that chose its objects by name, as they were given. */
  readonly selection?: string;
  /** Only from a state, and after an update: the objects that the program looks up, by `get`. */
  readonly lookedUp?: readonly InventoryObject[];
  /** Only from a state, and after an update: ACL objects of Pulumi's Nomad provider. */
  readonly bridged?: readonly BridgedObject[];
  /** Further messages for the user. */
  readonly notes?: readonly string[];
}

export interface BridgedObject {
  /** Such as `AclPolicy "d" of @pulumi/nomad`. */
  readonly name: string;
  /** The kind of this package that it has in common with it, such as `AclPolicy`. */
  readonly kind: string;
  /** The properties as the program gives them, and as the state shows them. Empty if an interrupted update, or a look-up, hides them. */
  readonly forms: readonly Properties[];
  /** The content as a text that is only compared. Undefined if a secret, or an interrupted update, hides a part that may decide. */
  readonly content: string | undefined;
}

export interface InventoryObject {
  /** Such as `AclRole`. */
  readonly kind: string;
  /** Undefined in an export without ids, and for a new object of a preview. */
  readonly id: string | undefined;
  /** A name for messages. The name of a rule is its description, or its id, or else its name in the program. */
  readonly name: string;
  /** The inputs that differ from their defaults, as a program gives them. Secrets of a state are {@link secretMarker}. */
  readonly inputs: Properties;
  /**
   * The values as in a state: all inputs, with their defaults, and the server's fields. Exports, previews and Terraform states may lack the
   * server's fields.
   */
  readonly outputs: Properties;
  /** The paths of inputs that are secret in the object's source, and therefore missing here, although servers return them. */
  readonly sensitive?: readonly string[];
  /** For a token that was read from a server: whether the reading requests used it. */
  readonly isInUse?: boolean;
  /** Only from a state or preview. */
  readonly urn?: string;
  /** Only from a state: the option by which the delete of the resource may leave the object on its server. */
  readonly keptBy?: "retainOnDelete" | "deletedWith";
  /** Only from a state: whether an import took the object over. Before the import, its content is not known. */
  readonly isImported?: true;
  /** Only from a state or preview: the URN and the ID of the resource's provider. A replaced provider is another process. */
  readonly provider?: string;
  /** Whether a left entry of the same provider has the object, too. After a move to another provider, the old one deletes the object. */
  readonly hasLeftEntry?: true;
  /** Only from a preview, for an object that exists before the update: whether the update deletes it. */
  readonly isDeleted?: boolean;
  /** Only from a state or preview: no resource of the program has the object any more. Its delete is pending, or it stays on the server. */
  readonly isLeft?: true;
  /**
   * Only from a preview, whose outputs lack `server`: the server that the state names, or else the server of the provider's other objects,
   * or else the provider's address, or else the provider's name.
   */
  readonly server?: string;
}

/** Objects that could not be read. */
export interface Gap {
  readonly kind: string;
  /** For agent pools and their tokens: the organization whose list was requested, if it is known. */
  readonly organization?: string | undefined;
  /** `denied`: the token may not read them; `unconfigured`: the address, the token or the organization is unknown; `failed`: anything else. */
  readonly reason: "denied" | "unconfigured" | "failed";
  /** The problem, and the next step. */
  readonly message: string;
}

export { secretMarker };

/** The resource of a kind; undefined for an unknown kind. */
export function resourceOf(kind: string): Resource | undefined {
  return resources.find((resource) => resource.kind === kind);
}

/** A copy of a value with some parts replaced. @param replacement returns undefined to keep a part, and to look into it */
export function replaced(value: unknown, replacement: (part: unknown) => unknown): unknown {
  const other = replacement(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((item) => replaced(item, replacement));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, replacement)]));
}

/** Whether a value of a state is a secret, encrypted or not. */
export function isSecret(value: unknown): boolean {
  return isRecord(value) && value[signatureKey] === secretSignature;
}

/** Whether `secretMarker` stands for this value or a part of it. */
export function holdsSecret(value: unknown): boolean {
  if (value === secretMarker) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** The symbol `unknown` for an unknown value, or for a text that contains one; undefined for any other value. */
export function unknownIn(part: unknown): typeof unknown | undefined {
  return typeof part === "string" && part.includes(unknownMarker) ? unknown : undefined;
}

/** Whether the value, or a part of it, is secret or unknown before an update. */
export function isUncertain(value: unknown): boolean {
  return holdsUnknown(value) || holdsSecret(value);
}

/** The ID for output. Undefined if it is a secret: the ID of an auth method or policy is its name. */
export function shownId({ kind, id, outputs }: Pick<InventoryObject, "kind" | "id" | "outputs">): string | undefined {
  return (kind === "AclAuthMethod" || kind === "AclPolicy") && isUncertain(outputs.name) ? undefined : id;
}

/** Makes an object from the values of a server, a state or a file. */
export function inventoryObject(
  resource: Resource,
  outputs: Properties,
  known: Pick<InventoryObject, "id" | "urn" | "server" | "provider" | "isDeleted" | "keptBy" | "isImported" | "isLeft">,
): InventoryObject {
  return {
    kind: resource.kind,
    // A new object of a preview has no ID yet.
    name: nameOf(outputs, known.id ?? known.urn?.slice(known.urn.lastIndexOf("::") + 2)),
    // Computed on demand, because comparing rules with their default takes long, and not every command needs it.
    get inputs() {
      return inputsOf(resource, outputs);
    },
    outputs,
    ...known,
  };
}

/** The inputs among these values that differ from their defaults, without provider options. */
export function inputsOf(resource: Resource, values: Properties): Properties {
  const sent = [...resource.inputs].filter(([, { traits }]) => !traits.local);
  return defined(Object.fromEntries(sent.map(([name, field]) => [name, withoutDefaults(field, ownProperty(values, name))])));
}

/** The inputs of an object, including ones that equal their defaults, without provider options. */
export function contentOf({ kind, outputs }: InventoryObject): Properties {
  const inputs = resourceOf(kind)?.inputs;
  if (!inputs) return outputs;
  return pick(
    outputs,
    [...inputs].flatMap(([name, { traits }]) => (traits.local ? [] : [name])),
  );
}

/** A name for people, also for rules, which have none of their own. */
export function nameOf(outputs: Properties, otherwise: string | undefined): string {
  for (const key of ["name", "description"]) {
    const value = ownProperty(outputs, key);
    if (typeof value === "string" && value !== "") return value;
  }
  return otherwise ?? "";
}

/**
 * All objects except for left ones whose object another resource has adopted: their content is outdated. A left entry of another provider
 * counts if its delete deletes the object, because that provider does not know of the adoption.
 */
export function withoutAdopted(objects: readonly InventoryObject[]): InventoryObject[] {
  const managed = objects.filter(({ isLeft }) => !isLeft);
  const stays = ({ isDeleted, keptBy }: InventoryObject) => isDeleted === false || keptBy === "retainOnDelete";
  const isAdopted = (one: InventoryObject) =>
    managed.some((other) => (one.provider === other.provider || stays(one)) && isSameObject(one, other));
  const adopted = objects.filter((object) => object.isLeft && isAdopted(object));
  const deleted = adopted.filter((one) => !stays(one));
  return objects.flatMap((object) => {
    if (adopted.includes(object)) return [];
    return deleted.some((one) => isSameObject(one, object)) ? [{ ...object, hasLeftEntry: true as const }] : [object];
  });
}

function isSameObject(one: InventoryObject, other: InventoryObject): boolean {
  if (one.kind !== other.kind || one.server !== other.server || ownProperty(one.outputs, "server") !== ownProperty(other.outputs, "server"))
    return false;
  // Names of roles and methods are unique, and so are names of pools in an organization. Tokens of one name are several objects.
  const [name, organization] = [ownProperty(one.outputs, "name"), ownProperty(one.outputs, "organization")];
  const hasItsName =
    one.kind !== "AclToken" &&
    typeof name === "string" &&
    !isUncertain([name, organization]) &&
    name === ownProperty(other.outputs, "name") &&
    organization === ownProperty(other.outputs, "organization");
  return (one.id !== undefined && one.id === other.id) || hasItsName;
}

/** An object in a sentence, with its kind. A rule without a description is described by what it gives. */
export function titleOf({ kind, id, name, outputs }: Pick<InventoryObject, "kind" | "id" | "name" | "outputs">): string {
  if (kind !== "AclBindingRule") return `${kind} ${JSON.stringify(name)}`;
  if (name !== id) return `rule ${JSON.stringify(name)}`;
  const { authMethod, bindType, bindName } = outputs;
  const given = bindType === "management" ? "management" : `the ${String(bindType)} ${JSON.stringify(bindName)}`;
  return `rule of ${JSON.stringify(authMethod)} that gives ${given} (${id})`;
}

/** Sorts objects as inventories do: independent of ids, unless contents are equal. */
export function inOrder(objects: readonly InventoryObject[]): InventoryObject[] {
  const kinds = resources.map(({ kind }) => kind);
  const keyed = objects.map((object) => {
    const content = JSON.stringify(contentOf(object));
    // The name of a rule without a description is its id, which differs from cluster to cluster.
    const name = object.name === object.id && object.outputs.name === undefined ? "" : object.name;
    return { object, keys: [String(kinds.indexOf(object.kind)), name, content, object.id ?? ""] };
  });
  const inKeys = (a: readonly string[], b: readonly string[]) => {
    const differing = a.findIndex((text, index) => text !== b[index]);
    return differing < 0 ? 0 : String(a[differing]) < String(b[differing]) ? -1 : 1;
  };
  return keyed.sort((a, b) => inKeys(a.keys, b.keys)).map(({ object }) => object);
}

/** Such as `AclRole "ops"`. */
export function kindAndName(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return `${type.slice(Math.max(type.lastIndexOf(":"), type.lastIndexOf("$")) + 1)} ${JSON.stringify(name)}`;
}
