import * as z from "zod";
import { own } from "../../common/own";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Field } from "../../provider/model/fields";
import { isRecord } from "../../provider/model/unknown";
import { type InventoryObject, resourceOf } from "../inventory/inventory";
import { identifierOf, Names, nameBases } from "./names";

/** A program in no language yet, or a file of it: what the writers of the languages write out. */
export interface Program {
  /** In the order of the program: what is referred to comes first. */
  readonly declarations: readonly Declaration[];
  /** The keys of the secrets that it takes from the configuration. */
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
  /** Lines above it, without the signs of a comment. */
  readonly comments: readonly string[];
  /** Whether another one of the program refers to it. */
  readonly isReferredTo: boolean;
  /** The variables that it refers to. */
  readonly references: readonly string[];
  /** The keys of its secrets. */
  readonly secrets: readonly string[];
  /** Whether some of them are secrets that no API returns, which its first update writes. */
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
  /** Of the schema's properties. */
  | { readonly kind: "object"; readonly type: string; readonly properties: readonly Property[] }
  /** Of the user's keys. */
  | { readonly kind: "map"; readonly properties: readonly Property[] }
  | { readonly kind: "reference"; readonly variable: string; readonly property: string }
  | { readonly kind: "secret"; readonly key: string };

export interface ProgramOptions {
  /** Whether the program takes the secrets that the API does not return from the configuration. Default: they are left out. */
  readonly withSecrets?: boolean;
  /** How the language spells variables. */
  readonly spell: (name: string) => string;
  /**
   * The names of a resource as its source has them, in the order of preference: one of another kind may have the same. Default: they follow
   * from what it is, and every resource has one of its own.
   */
  readonly basesOf?: (object: InventoryObject) => readonly string[];
}

/** The program of some objects, the same for the same objects. */
export function programOf(objects: readonly InventoryObject[], { withSecrets = false, spell, basesOf }: ProgramOptions): Program {
  const names = new Names();
  const ofKind = new Map(objects.map(({ kind }) => [kind, new Names()]));
  const named = objects.map((object) => {
    const resourceName = basesOf ? ofKind.get(object.kind)?.take(basesOf(object)) : undefined;
    return { object, resourceName: resourceName ?? names.take(nameBases(object)) };
  });
  const variables = new Names();
  const all = named.map((one) => ({ ...one, variable: variables.take(identifierOf(one.resourceName, one.object.kind, spell)) }));
  const variableOf = new Map(all.map(({ object, variable }) => [referenceKey(object.kind, object.outputs.name), variable]));
  const declared = all.map(({ object, resourceName, variable }) => {
    const resource = resourceOf(object.kind);
    if (!resource) throw new TypeError(`${object.kind} ${object.name} has no resource`);
    const hidden = hiddenSecrets(object);
    const configured = [...(withSecrets ? hidden : []), ...(object.sensitive ?? [])];
    // Pulumi's YAML has resources and keys of the configuration under one name.
    const keys = new Map(configured.map((path) => [path, variables.take([secretKey(variable, path)])]));
    const references = new Set<string>();
    const refer = (kind: string, name: unknown): Expression | undefined => {
      const target = variableOf.get(referenceKey(kind, name));
      if (target !== undefined) references.add(target);
      return target === undefined ? undefined : { kind: "reference", variable: target, property: "name" };
    };
    return {
      object,
      kind: object.kind,
      variable,
      resourceName,
      id: importId(object),
      properties: propertiesOf(resource, object, { refer, keys }),
      comments: withSecrets ? [] : hidden.map(secretLeftOut),
      references: [...references],
      secrets: [...keys.values()],
      writesSecrets: withSecrets && hidden.length > 0,
    };
  });
  const used = new Set(declared.flatMap(({ references }) => references));
  return withDeclarations(declared.map((one) => ({ ...one, isReferredTo: used.has(one.variable) })));
}

/** A program, or a file of it, with these resources. */
export function withDeclarations(declarations: readonly Declaration[]): Program {
  return { declarations, secrets: declarations.flatMap(({ secrets }) => secrets) };
}

const pool = z.object({ organization: z.string(), name: z.string() });

/** A pool's id alone says nothing of its organization, and the stack may be configured for another one. */
function importId({ kind, id, name, outputs }: InventoryObject): string {
  if (kind === "AgentPool") {
    const { organization, name: ofPool } = pool.parse(outputs);
    return `${organization}/${ofPool}`;
  }
  if (id === undefined) throw new TypeError(`${kind} ${name} has no id`);
  return id;
}

const unmanaged = z.array(z.string()).catch([]);

/** The paths of the secrets that the server holds and nobody can read. */
export function hiddenSecrets({ outputs }: InventoryObject): string[] {
  return unmanaged.parse(outputs.unmanagedSecrets);
}

function secretLeftOut(path: string): string {
  return `The server holds ${path}, which the API does not return. No update touches it; give it before changing config.`;
}

/** "config.oidcClientSecret" of `sso` is the key `ssoClientSecret`. */
function secretKey(variable: string, path: string): string {
  const last = path.split(".").at(-1) ?? path;
  const plain = last.replace(/^oidc/, "");
  return `${variable.replace(/_+(.)?/g, (_, letter: string | undefined) => (letter ?? "").toUpperCase())}${plain[0]?.toUpperCase()}${plain.slice(1)}`;
}

function referenceKey(kind: string, name: unknown): string {
  return JSON.stringify([kind, name]);
}

interface DeclarationContext {
  readonly refer: (kind: string, name: unknown) => Expression | undefined;
  /** The keys of the configuration, by the paths of the secrets. */
  readonly keys: ReadonlyMap<string, string>;
}

function propertiesOf(resource: Resource, object: InventoryObject, context: DeclarationContext): Property[] {
  return [...resource.inputs].flatMap(([name, field]): Property[] => {
    const value = own(object.inputs, name);
    const reference = referenceOf(object, name, context);
    if (reference) return [{ name, value: reference }];
    const written = expressionOf(field, value, { ...context, path: name, type: resource.kind + capital(name) });
    return written ? [{ name, value: written }] : [];
  });
}

/** The reference in place of the name of another object of the program. A bind name with an interpolation stays a text. */
function referenceOf({ kind, inputs }: InventoryObject, name: string, { refer }: DeclarationContext): Expression | undefined {
  if (kind !== "AclBindingRule") return undefined;
  if (name === "authMethod") return refer("AclAuthMethod", inputs.authMethod);
  return name === "bindName" && inputs.bindType === "role" ? refer("AclRole", inputs.bindName) : undefined;
}

function expressionOf(field: Field, value: unknown, place: DeclarationContext & { path: string; type: string }): Expression | undefined {
  const { shape } = field;
  const key = place.keys.get(place.path);
  if (key !== undefined) return { kind: "secret", key };
  if (shape.kind === "object") {
    const values = isRecord(value) ? value : {};
    const properties = [...shape.properties].flatMap(([name, child]): Property[] => {
      const at = { ...place, path: `${place.path}.${name}`, type: place.type + capital(name) };
      const written = expressionOf(child, own(values, name), at);
      return written ? [{ name, value: written }] : [];
    });
    return isRecord(value) || properties.length > 0 ? { kind: "object", type: place.type, properties } : undefined;
  }
  if (value === undefined || value === null) return undefined;
  if (shape.kind === "list" && Array.isArray(value)) {
    return { kind: "list", items: value.flatMap((item) => expressionOf(shape.items, item, place) ?? []) };
  }
  if (shape.kind === "map" && isRecord(value)) {
    const properties = Object.entries(value).flatMap(([name, item]): Property[] => {
      const written = expressionOf(shape.values, item, { ...place, path: `${place.path}.${name}` });
      return written ? [{ name, value: written }] : [];
    });
    return { kind: "map", properties: properties.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
  if (typeof value === "string" && field.schema instanceof z.ZodEnum) return { kind: "word", type: place.type, value };
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? { kind: "literal", value } : undefined;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
