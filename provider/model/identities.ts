import { ownProperty } from "../../common/own-property";
import { holdsUnknown } from "../../common/unknown";
import type { Properties } from "./remote";

/** A resource of the program, as a check knows it. */
export interface DeclaredResource {
  /** The name in the program, if the adapter knows it. */
  readonly resourceName: string | undefined;
  /** The URN, if the adapter knows it. Two resources can have the same name, below different parents. */
  readonly urn?: string | undefined;
  /** Whether the check had no old inputs. */
  readonly isNew: boolean;
}

/** The identities of the program's resources, for later checks of the operation. */
export class DeclaredIdentities {
  private readonly declared = new Map<string, DeclaredResource[]>();

  /**
   * Records a resource of the program with this identity.
   *
   * @param isUnique whether no server has two objects with this identity. If servers may, two existing resources are not refused: their
   * objects may be equal
   * @returns another resource of the program for the same object; undefined if that may be the same resource, checked twice
   */
  record(identity: string, resource: DeclaredResource, isUnique: boolean): DeclaredResource | undefined {
    const others = this.declared.get(identity) ?? [];
    this.declared.set(identity, [...others, resource]);
    // Without URNs, two checks may be of one resource. provider/program/same-objects.ts finds two resources in the program itself then.
    const isRefused = (one: DeclaredResource) => (isUnique ? haveUrns(one, resource) : one.isNew || resource.isNew);
    return others.find((one) => areTwo(one, resource) && isRefused(one));
  }

  /**
   * Whether two resources of the program are certainly for this object. The check refuses one of them, and the other must not adopt the
   * object.
   */
  isOfTwo(identity: string): boolean {
    const all = this.declared.get(identity) ?? [];
    return all.some((one) => all.some((other) => haveUrns(one, other) && one.urn !== other.urn));
  }

  has(identity: string): boolean {
    return this.declared.has(identity);
  }
}

/**
 * Whether two checks belong to two resources: certainly with URNs, and probably without. The engine checks a resource that it replaces
 * twice: with the old inputs, and without.
 */
export function areTwo(one: DeclaredResource, other: DeclaredResource): boolean {
  return haveUrns(one, other) ? one.urn !== other.urn : one.isNew === other.isNew;
}

function haveUrns(one: DeclaredResource, other: DeclaredResource): boolean {
  return one.urn !== undefined && other.urn !== undefined;
}

/** Labels for two resources: their names or, if those are equal, their URNs. */
export function calledInProgram(one: DeclaredResource, other: DeclaredResource): [one: string, other: string] | undefined {
  const { resourceName: first, urn: firstUrn } = one;
  const { resourceName: second, urn: secondUrn } = other;
  if (first === undefined || second === undefined) return undefined;
  return first === second ? [firstUrn ?? first, secondUrn ?? second] : [first, second];
}

/** The reason to refuse one of two resources: the rest of a sentence that begins with their common property. */
export function oneObjectReason(label: string, called: readonly [one: string, other: string] | undefined): string {
  const resources = called
    ? `the resources ${called.map((name) => JSON.stringify(name)).join(" and ")} of this program`
    : "two resources of this program";
  return `is the same in ${resources}, and one ${label} can't have two resources. Change it in one of them, or declare the ${label} once`;
}

/** The inputs that identify an object of a kind on its server. */
export interface Identity {
  /** The property that a failure names. */
  readonly property: string;
  readonly names: readonly string[];
  /** Whether no server has two such objects. */
  readonly isUnique: boolean;
}

/** The identity of the object of these inputs. Undefined if the kind has none, or if an input is unknown. */
export function identityOf({ kind, identity }: { kind: string; identity?: Identity | undefined }, inputs: Properties): string | undefined {
  const values = identity?.names.map((name) => ownProperty(inputs, name));
  return values && !holdsUnknown(values) ? identityText(kind, values) : undefined;
}

export function identityText(kind: string, values: readonly unknown[]): string {
  return `${kind} ${JSON.stringify(values)}`;
}
