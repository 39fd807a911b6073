import type * as fc from "fast-check";
import type { Simulator } from "../../../testing/simulator";
import type { Inputs, Kind } from "../../support/stack";

/**
 * One of the few resources that a program may have: a kind and a number, "AclRole1". It is also the resource's name in the program, unless
 * the resource was renamed.
 */
export type Slot = `${Kind}${number}`;

/** The options of any kind's declaration. */
export interface Options {
  readonly adopt: boolean | "overwrite";
  readonly deleteBeforeReplace: boolean;
  /** The resource has another name in the program than its slot, with or without an alias to its former name. */
  readonly renamed?: { readonly to: string; readonly alias?: string };
}

/** A declaration whose names are resolved. */
export interface Resolved {
  readonly slot: Slot;
}

/** The other declarations, by which names are resolved. */
export interface Naming {
  /** The text, with as many x at its end as this declaration needs to differ from all earlier ones. */
  free(text: string, identityWith: (text: string) => string): string;
  /** The name of a declaration that comes before. */
  nameOf(slot: Slot): string | undefined;
  /** Whether this declaration becomes the only default method. */
  takesDefault(isWanted: boolean): boolean;
}

/** An object as a server stores it. */
export interface Stored {
  readonly id: string;
  /** Unique to the object, also among objects of the same name that were created later. */
  readonly key: string;
  /** Equal to the `identity` of the declarations that it may conflict with. Several rules may have the same one. */
  readonly identity: string;
  readonly object: object;
}

/** The servers and the state that declarations are compared with. */
export interface Place {
  readonly simulator: Simulator;
  /** Whether the cluster was once restored from a backup. */
  readonly wasRestored: boolean;
  /** Whether the state says that the server holds a secret that the program does not give. */
  readonly hasUnmanagedSecret: boolean;
}

/** A kind in the random lifecycles. D is its declaration, R the same with its names resolved. */
export interface RandomKind<D = unknown, R = D & Resolved> {
  /** How many resources of the kind a program may have. */
  readonly slots: number;
  readonly declaration: fc.Arbitrary<D>;
  resolve(declaration: D, slot: Slot, naming: Naming): R;
  /** The part that an adoption goes by: a name in its organization or cluster, or a rule's content. A token has none: its slot counts. */
  identity(declaration: R): string;
  /** @param outputOf an output of another resource, if the program declares it */
  inputs(declaration: R, outputOf: (slot: Slot, property: string) => unknown): Inputs;
  /** The resource that it waits for. */
  dependsOn?(declaration: R): Slot | undefined;
  /** Whether a create whose response is lost may leave an object that nobody can use, which a message must name. */
  readonly mayBeLeftOver?: true;
  /** Whether the state rightly has an object that is gone from the servers. */
  isKeptWithout?(outputs: Inputs, simulator: Simulator): boolean;
  /** The key of the object that the state describes. Default: its id. */
  key?(id: string, outputs: Inputs, simulator: Simulator): string;
  stored(simulator: Simulator): Stored[];
  /** The values that the object must have, with the names of `actual`. */
  expected(declaration: R, place: Place): Inputs;
  actual(simulator: Simulator, id: string): Inputs | undefined;
  /** One of three changes by others. */
  edit(simulator: Simulator, id: string, how: number): void;
  /** Others delete the object. */
  remove(simulator: Simulator, id: string): void;
  /** Others delete the object, and create another one with similar content. */
  remake(simulator: Simulator, id: string): void;
  /** Others create an object like a declared one: with its name, if it has one, and with similar or other content. */
  takePlace(simulator: Simulator, declaration: R, isSame: boolean): void;
}
