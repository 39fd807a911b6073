import type { StackState } from "../../testing/rehearsal";
import { parseUrn } from "../../testing/rehearsal/engine/urn";
import { equal } from "../../testing/rehearsal/engine/values";
import type { Simulator } from "../../testing/simulator";
import { nameInProgram } from "./declarations";
import { type Declared, kinds, type RandomKindName, randomKind } from "./kinds";
import type { Stored } from "./kinds/kind";

/** An object on a server. */
export interface ServerObject extends Omit<Stored, "object"> {
  readonly kind: RandomKindName;
  /** The whole object, byte for byte. */
  readonly bytes: string;
  /** The same without the fields that a write of identical content may change: a server hashes some maps of a method in random order. */
  readonly content: string;
}

/** The objects of both servers by key, without tokens that have ended and without the policies that every server has. */
export function serverObjects(simulator: Simulator): Map<string, ServerObject> {
  const objects = kinds.flatMap((kind) =>
    randomKind(kind)
      .stored(simulator)
      .map(({ object, id, key, identity }): ServerObject => {
        const content = { ...object, Hash: undefined, ModifyIndex: undefined, ModifyTime: undefined };
        return { kind, id, key, identity: `${kind} ${identity}`, bytes: JSON.stringify(object), content: JSON.stringify(content) };
      }),
  );
  return new Map(objects.map((object) => [object.key, object]));
}

/** An entry of the state for an object. */
export interface Entry {
  readonly urn: string;
  readonly kind: RandomKindName;
  readonly name: string;
  readonly id: string;
  /** The key of its object (see `Stored`). */
  readonly key: string;
  /** Whether the state rightly keeps the entry although the object is gone. */
  readonly isKeptWithout: boolean;
  /** Whether the object was replaced, and its delete is pending. */
  readonly isOld: boolean;
  /** Whether the state says that the server holds a secret that the program does not give. */
  readonly hasUnmanagedSecret: boolean;
}

export function entries(state: StackState | undefined, simulator: Simulator): Entry[] {
  return entriesWhere(state, simulator, false);
}

/**
 * The entries of objects that were deleted, and whose replacement is pending. If such a resource depends on another one, an engine may
 * delete its object once more.
 */
export function entriesPendingReplacement(state: StackState | undefined, simulator: Simulator): Entry[] {
  return entriesWhere(state, simulator, true);
}

function entriesWhere(state: StackState | undefined, simulator: Simulator, pendingReplacement: boolean): Entry[] {
  return (state?.resources ?? []).flatMap((resource): Entry[] => {
    const { type, name } = parseUrn(resource.urn);
    const kind = kinds.find((candidate) => type.endsWith(`:${candidate}`));
    if (!kind || resource.id === undefined || (resource.pendingReplacement ?? false) !== pendingReplacement) return [];
    const { urn, id, outputs } = resource;
    const key = randomKind(kind).key?.(id, outputs, simulator) ?? id;
    const isKeptWithout = randomKind(kind).isKeptWithout?.(outputs, simulator) ?? false;
    const hasUnmanagedSecret = outputs.unmanagedSecrets !== undefined;
    return [{ urn, kind, name, id, key, isKeptWithout, isOld: resource.delete === true, hasUnmanagedSecret }];
  });
}

/** The live entry of a declaration. */
export function entryOf(all: readonly Entry[], declaration: Declared): Entry | undefined {
  const names = [nameInProgram(declaration), declaration.renamed?.alias];
  return all.find(({ kind, name, isOld }) => !isOld && kind === declaration.kind && names.includes(name));
}

/** The servers and the state that declarations are compared with. */
interface Surroundings {
  readonly simulator: Simulator;
  readonly managed: readonly Entry[];
  readonly wasRestored: boolean;
}

/** The differences between a declaration and its object on the server; empty when there are none. */
export function deviations({ simulator, managed, wasRestored }: Surroundings, declaration: Declared, id: string): string[] {
  const kind = randomKind(declaration.kind);
  const actual = kind.actual(simulator, id);
  if (!actual) return [`there is no ${declaration.kind} ${id}`];
  const hasUnmanagedSecret = entryOf(managed, declaration)?.hasUnmanagedSecret ?? false;
  const expected = kind.expected(declaration, { simulator, wasRestored, hasUnmanagedSecret });
  return Object.entries(expected).flatMap(([name, value]) =>
    equal(actual[name], value) ? [] : [`${name} is ${JSON.stringify(actual[name])}, and must be ${JSON.stringify(value)}`],
  );
}
