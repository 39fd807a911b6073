import type { Resource } from "../../provider/lifecycle/resource";
import { resources } from "../../provider/resources";
import type { ResourceRef } from "../../testing/rehearsal";
import type { Declare } from "../support/stack";
import { type Declaration, type Declared, kinds, type RandomKindName, randomKind } from "./kinds";
import type { Slot } from "./kinds/kind";

/** The program's declarations. */
export type Program = ReadonlyMap<Slot, Declaration>;

/** The resolved declarations: no two have the same identity, and at most one is the default. */
export function declared(program: Program): Declared[] {
  const taken = new Set<string>();
  const names = new Map<Slot, string>();
  let hasDefault = false;
  const resolve = (slot: Slot, declaration: Declaration): Declared => {
    const free = (text: string, identityWith: (text: string) => string): string => {
      const identity = `${declaration.kind} ${identityWith(text)}`;
      if (taken.has(identity)) return free(`${text}x`, identityWith);
      taken.add(identity);
      return text;
    };
    const takesDefault = (isWanted: boolean): boolean => {
      const takes = isWanted && !hasDefault;
      hasDefault ||= takes;
      return takes;
    };
    const resolved = randomKind(declaration.kind).resolve(declaration, slot, { free, nameOf: (other) => names.get(other), takesDefault });
    if ("name" in resolved) names.set(slot, resolved.name);
    return resolved;
  };
  return kinds.flatMap((kind) =>
    [...program]
      .toSorted(bySlot)
      .filter(([, declaration]) => declaration.kind === kind)
      .map(([slot, declaration]) => resolve(slot, declaration)),
  );
}

/** The identity of its object on the server, with the kind. */
export function identityOf(declaration: Declared): string {
  return `${declaration.kind} ${randomKind(declaration.kind).identity(declaration)}`;
}

/** The resource's name in the program. */
export function nameInProgram({ slot, renamed }: Declared): string {
  return renamed?.to ?? slot;
}

/** Registers all declarations. Names of other resources are passed as outputs. */
export function register(declare: Declare, declarations: readonly Declared[]): void {
  const refs = new Map<Slot, ResourceRef>();
  for (const declaration of declarations) {
    const { kind, adopt, deleteBeforeReplace, renamed } = declaration;
    const { inputs, dependsOn } = randomKind(kind);
    const slot = dependsOn?.(declaration);
    const after = slot && refs.get(slot);
    const { inputs: known, outputs } = resourceOf(kind);
    const options = {
      additionalSecretOutputs: [...outputs].flatMap(([name, { traits }]) => (traits.secret ? [name] : [])),
      ...(deleteBeforeReplace && { deleteBeforeReplace }),
      ...(renamed?.alias && { aliases: [{ name: renamed.alias }] }),
      ...(after && { dependsOn: [after] }),
    };
    const given = { ...inputs(declaration, (other, property) => refs.get(other)?.output(property)), ...(known.has("adopt") && { adopt }) };
    refs.set(declaration.slot, declare(kind, nameInProgram(declaration), given, options));
  }
}

function resourceOf(kind: RandomKindName): Resource {
  const found = resources.find((resource) => resource.kind === kind);
  if (!found) throw new Error(`the provider has no ${kind}`);
  return found;
}

function bySlot([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
