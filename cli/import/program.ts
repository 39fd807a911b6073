import * as z from "zod";
import { capitalized } from "../../common/label";
import { ownProperty } from "../../common/own-property";
import { isRecord, recordOf } from "../../common/unknown";
import type { Field, Fields, Properties } from "../../provider/internal";
import { type InventoryObject, resourceOf } from "../inventory/inventory";
import { camelCase, identifierOf, Names, nameBases } from "./names";
import { RulesFiles, type TextFile } from "./policy-rules";

/** A program, or a file of it, in the syntax of no language. Its variables are spelled for one. */
export interface Program {
  /** The declarations in the order of the program: referenced resources come first. */
  readonly declarations: readonly Declaration[];
  /** The configuration keys of the program's secrets. */
  readonly secrets: readonly string[];
}

/** A resource of the program. */
export interface Declaration {
  readonly object: InventoryObject;
  /** The class: `AclRole`. */
  readonly kind: string;
  readonly variable: string;
  /** The resource's name, which the state keeps. */
  readonly resourceName: string;
  /** The id for the import. */
  readonly id: string;
  readonly properties: readonly Property[];
  /** Comment lines above the resource, without comment signs. */
  readonly comments: readonly string[];
  /** Whether another resource of the program refers to this one. */
  readonly isReferredTo: boolean;
  /** The option `deletedWith`: the variable of the resource whose delete also deletes this object. */
  readonly deletedWith: string | undefined;
  /** The variables that the resource refers to. */
  readonly references: readonly string[];
  /** The configuration keys of the resource's own secrets. */
  readonly secrets: readonly string[];
  /** Whether the program has secrets of the resource that the API never returns, so the first update writes them. */
  readonly writesSecrets: boolean;
}

export interface Property {
  readonly name: string;
  readonly value: Expression;
}

export type Expression =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** One of the words of an enumeration, by the name of its type in the SDKs. */
  | { readonly kind: "word"; readonly type: string; readonly value: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  /** An object with properties of the schema. */
  | { readonly kind: "object"; readonly type: string; readonly properties: readonly Property[] }
  /** A map with the user's keys. Its values are texts, or of any type. */
  | { readonly kind: "map"; readonly isOfTexts: boolean; readonly properties: readonly Property[] }
  | { readonly kind: "reference"; readonly variable: string; readonly property: string }
  | { readonly kind: "secret"; readonly key: string }
  | TextFile;

export interface ProgramOptions {
  /** Whether the program takes from the configuration the secrets that the API does not return. Default: it leaves them out. */
  readonly withSecrets?: boolean;
  /** Spells a variable as the language does. */
  readonly spell: (name: string) => string;
  /**
   * The names of a resource in its source, in the order of preference. Resources of different kinds may have the same name. Default: names
   * from the object's properties, unique in the program.
   */
  readonly basesOf?: (object: InventoryObject) => readonly string[];
}

/** The program for objects, always the same for the same objects. */
export function toProgram(objects: readonly InventoryObject[], { withSecrets = false, spell, basesOf }: ProgramOptions): Program {
  const names = new Names();
  const ofKind = new Map(objects.map(({ kind }) => [kind, new Names()]));
  const named = objects.map((object) => {
    const resourceName = basesOf ? ofKind.get(object.kind)?.take(basesOf(object)) : undefined;
    return { object, resourceName: resourceName ?? names.take(nameBases(object)) };
  });
  const variables = new Names();
  const all = named.map((one) => ({ ...one, variable: variables.take(identifierOf(one.resourceName, one.object.kind, spell)) }));
  const variableOf = new Map(
    all.flatMap(({ object: { kind, id, outputs }, variable }) => [id, outputs.name].map((key) => [referenceKey(kind, key), variable])),
  );
  const files = new RulesFiles();
  const declared = all.map(({ object, resourceName, variable }) => {
    const resource = resourceOf(object.kind);
    if (!resource) throw new TypeError(`${object.kind} ${object.name} has no resource`);
    const hidden = hiddenSecrets(object);
    const configured = [...(withSecrets ? hidden : []), ...(object.sensitive ?? [])];
    // In Pulumi's YAML, resources and configuration keys share one namespace.
    const keys = new Map(configured.map((path) => [path, variables.take([secretKey(variable, path)])]));
    const references = new Set<string>();
    const refer: Refer = (kind, value, property = "name") => {
      const target = variableOf.get(referenceKey(kind, value));
      if (target !== undefined) references.add(target);
      return target === undefined ? undefined : { kind: "reference", variable: target, property };
    };
    return {
      object,
      kind: object.kind,
      variable,
      resourceName,
      id: importId(object),
      properties: toProperties(resource.inputs, object.inputs, { path: "", type: object.kind, keys }).map(({ name, value }) => ({
        name,
        value:
          referenceOf(object, name, refer) ??
          files.fileOf(object, name, () => variables.take([camelCase(`rules-of-${variable}`)])) ??
          value,
      })),
      comments: withSecrets
        ? []
        : hidden.map(
            (path) => `The server holds ${path}, which the API does not return. No update touches it; give it before changing config.`,
          ),
      // If the token were deleted first, it would be missing if the service then refused to delete the pool.
      deletedWith: object.kind === "AgentToken" ? variableOf.get(referenceKey("AgentPool", object.inputs.agentPoolId)) : undefined,
      references: [...references],
      secrets: [...keys.values()],
      writesSecrets: withSecrets && hidden.length > 0,
    };
  });
  const used = new Set(declared.flatMap(({ references }) => references));
  return withDeclarations(declared.map((one) => ({ ...one, isReferredTo: used.has(one.variable) })));
}

/** Makes a program, or a file of it, with these resources. */
export function withDeclarations(declarations: readonly Declaration[]): Program {
  return { declarations, secrets: declarations.flatMap(({ secrets }) => secrets) };
}

/** The texts that a program reads from separate files. */
export function textFiles({ declarations }: Program): TextFile[] {
  const values = declarations.flatMap(({ properties }) => properties.map(({ value }) => value));
  return values.flatMap((value) => (value.kind === "file" ? [value] : []));
}

function importId({ kind, id, name, outputs }: InventoryObject): string {
  // A pool's id does not contain its organization, and the stack may be configured for another one.
  if (kind === "AgentPool") return `${String(outputs.organization)}/${String(outputs.name)}`;
  if (id === undefined) throw new TypeError(`${kind} ${name} has no id`);
  return kind === "AgentToken" ? `${String(outputs.agentPoolId)}/${id}` : id;
}

/** The paths of secrets that the server holds but never returns. */
export function hiddenSecrets({ outputs }: InventoryObject): string[] {
  return z.array(z.string()).catch([]).parse(outputs.unmanagedSecrets);
}

/** "config.oidcClientSecret" of `sso` has the key `ssoClientSecret`. */
function secretKey(variable: string, path: string): string {
  const [last = path] = path.split(".").slice(-1);
  return camelCase(`${variable}-${last.replace(/^oidc/, "")}`);
}

function referenceKey(kind: string, name: unknown): string {
  return JSON.stringify([kind, name]);
}

/** A reference that replaces the name or id of another object of the program. A bind name with an interpolation stays a text. */
function referenceOf({ kind, inputs }: InventoryObject, name: string, refer: Refer): Expression | undefined {
  if (kind === "AgentToken" && name === "agentPoolId") return refer("AgentPool", inputs.agentPoolId, "id");
  if (name === "policies") return references("AclPolicy", inputs.policies, refer);
  if (name === "roles") return references("AclRole", inputs.roles, refer);
  if (kind !== "AclBindingRule") return undefined;
  if (name === "authMethod") return refer("AclAuthMethod", inputs.authMethod);
  const isBound = name === "bindName" && inputs.bindType !== "management";
  return isBound ? refer(inputs.bindType === "policy" ? "AclPolicy" : "AclRole", inputs.bindName) : undefined;
}

/** A list of names or ids, with references to objects of the program. */
function references(kind: string, values: unknown, refer: Refer): Expression | undefined {
  if (!Array.isArray(values)) return undefined;
  return { kind: "list", items: values.map((value: unknown) => refer(kind, value) ?? { kind: "literal", value: String(value) }) };
}

type Refer = (kind: string, value: unknown, property?: "name" | "id") => Expression | undefined;

/** The place of a value: its path, the name of its type in the SDKs, and the configuration keys by the paths of secrets. */
interface Place {
  readonly path: string;
  readonly type: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Values as properties of these fields. Missing values are left out, apart from secrets of the configuration. */
export function toProperties(fields: Fields, values: Properties, { path, type, keys }: Place): Property[] {
  return [...fields].flatMap(([name, field]): Property[] => {
    const place = { path: path === "" ? name : `${path}.${name}`, type: type + capitalized(name), keys };
    const value = toExpression(field, ownProperty(values, name), place);
    return value ? [{ name, value }] : [];
  });
}

function toExpression(field: Field, value: unknown, place: Place): Expression | undefined {
  const { shape, schema } = field;
  const key = place.keys.get(place.path);
  if (key !== undefined) return { kind: "secret", key };
  if (shape.kind === "object") {
    const properties = toProperties(shape.properties, recordOf(value), place);
    return isRecord(value) || properties.length > 0 ? { kind: "object", type: place.type, properties } : undefined;
  }
  if (Array.isArray(value)) {
    const items = shape.kind === "list" ? shape.items : field;
    return { kind: "list", items: value.flatMap((item) => toExpression(items, item, place) ?? []) };
  }
  if (shape.kind === "map" && isRecord(value)) {
    const names = Object.keys(value).sort();
    const fields = new Map(names.map((name) => [name, shape.values]));
    return { kind: "map", isOfTexts: shape.values.schema instanceof z.ZodString, properties: toProperties(fields, value, place) };
  }
  if (typeof value === "string" && schema instanceof z.ZodEnum) return { kind: "word", type: place.type, value };
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? { kind: "literal", value } : undefined;
}
