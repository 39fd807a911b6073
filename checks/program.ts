import { unknown } from "../common/unknown";

/** A resource as the program declares it. Values that a preview does not know are `unknown`. */
export interface Declared {
  readonly kind: string;
  readonly inputs: Inputs;
  /** The inputs of the state. Left out for a new resource. */
  readonly was?: Inputs | undefined;
  /** The name in the program, if it is known. */
  readonly name?: string | undefined;
  /** The URN, if it is known. */
  readonly urn?: string | undefined;
}

export type Inputs = Readonly<Record<string, unknown>>;

/** The resources that a program has declared so far for one cluster, and the agent pools of the same provider. */
export class Program {
  private readonly resources = new Map<string, Declared>();
  /** The keys of resources, by the terms of the look-ups below. */
  private readonly places = new Map<string, Set<string>>();

  /**
   * Adds a resource, and replaces an earlier one with the same URN: the engine checks a replaced resource twice, the second time without
   * its state.
   */
  add(resource: Declared): Declared {
    const key = resource.urn ?? `${this.resources.size}`;
    const before = this.resources.get(key);
    const added = { ...resource, was: resource.was ?? before?.was };
    this.resources.set(key, added);
    const places = new Set(placesOf(added));
    for (const place of before ? placesOf(before) : []) if (!places.has(place)) this.places.get(place)?.delete(key);
    for (const place of places) this.places.set(place, (this.places.get(place) ?? new Set()).add(key));
    return added;
  }

  ofKind(kind: string): readonly Declared[] {
    return this.at(["is", kind]);
  }

  /** The resource whose object has this name. */
  named(kind: string, name: unknown): Declared | undefined {
    return typeof name === "string" ? this.allNamed(kind, name).at(-1) : undefined;
  }

  allNamed(kind: string, name: string): readonly Declared[] {
    return this.at(["is", kind, name]);
  }

  /** Whether a resource of the kind has an unknown name. */
  hasUnknownName(kind: string): boolean {
    return this.at(["is", kind, unknown]).length > 0;
  }

  /** The resources whose objects have this name in the state, and another one in the program. */
  renamedFrom(kind: string, name: string): readonly Declared[] {
    return this.at(["was", kind, name]);
  }

  /** The resources that name an object. */
  naming(kind: string, name: string): readonly Declared[] {
    return this.at(["names", kind, name]);
  }

  /** The rules with the same grant for the same logins, including this one. */
  sameEffect(rule: Declared): readonly Declared[] {
    return this.at(effectOf(rule));
  }

  private at(place: readonly unknown[]): Declared[] {
    return [...(this.places.get(keyOf(place)) ?? [])].flatMap((key) => this.resources.get(key) ?? []);
  }
}

/** A reference to an object by its name. */
export interface Reference {
  readonly kind: "AclAuthMethod" | "AclPolicy" | "AclRole";
  readonly name: string;
}

/** The objects that a resource names by known texts. A bind name with claims refers to none. */
export function referencesOf({ kind, inputs }: Pick<Declared, "kind" | "inputs">): Reference[] {
  const { authMethod, bindType, bindName } = inputs;
  const all = {
    AclBindingRule: {
      AclAuthMethod: [authMethod],
      AclPolicy: bindType === "policy" ? [bindName] : [],
      AclRole: bindType === "role" ? [bindName] : [],
    },
    AclRole: { AclAuthMethod: [], AclPolicy: toList(inputs.policies), AclRole: [] },
    AclToken: { AclAuthMethod: [], AclPolicy: toList(inputs.policies), AclRole: toList(inputs.roles) },
  }[kind];
  const of = (named: Reference["kind"]) =>
    [...new Set(all?.[named])].flatMap((name) => (typeof name === "string" && !name.includes("${") ? [{ kind: named, name }] : []));
  return [...of("AclAuthMethod"), ...of("AclPolicy"), ...of("AclRole")];
}

function placesOf(resource: Declared): string[] {
  const { kind, inputs, was } = resource;
  const { name } = inputs;
  return [
    ["is", kind],
    ["is", kind, name],
    ...(typeof was?.name === "string" && was.name !== name ? [["was", kind, was.name]] : []),
    ...referencesOf(resource).map((one) => ["names", one.kind, one.name]),
    ...(kind === "AclBindingRule" ? [effectOf(resource)] : []),
  ].map(keyOf);
}

function effectOf({ inputs: { authMethod, selector, bindType, bindName } }: Declared): unknown[] {
  return ["gives", authMethod, selector, bindType, bindName];
}

function keyOf(place: readonly unknown[]): string {
  return JSON.stringify(place.map((part) => (part === unknown ? [] : part)));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
