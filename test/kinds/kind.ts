import type * as fc from "fast-check";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Properties } from "../../provider/model/remote";
import type { Simulator } from "../../testing/simulator";
import type { Inputs, Kind } from "../support/declared";
import type { InputCase } from "./input-cases";
import type { Property } from "./property";

/** All that the tests know of a kind. What holds for every kind is tested with all of them. */
export interface Sample {
  readonly kind: Kind;
  readonly resource: Resource;
  /** A whole set of inputs that check takes. */
  readonly example: Properties;
  /** What check and diff make of every input at any depth, by its path. */
  readonly cases: Readonly<Record<string, InputCase>>;
  /**
   * Inputs that the documents allow, as far as a program can know: whether a method or a policy exists only the server knows. A function, because
   * fast-check needs most of a second for its table of all characters, and nearly every suite loads this.
   */
  readonly valid: () => fc.Arbitrary<Properties>;
  /** What the lifecycles declare. */
  readonly inputs: Inputs;
  /** What an update may change in place. */
  readonly change: Inputs;
  /** The path of the request that creates it. */
  readonly create: string;
  /** Whether the id of an object is its name. */
  readonly isIdName?: true;
  /** Whether that request also updates it, and has an empty response. */
  readonly isUpsert?: true;
  /**
   * Whether a create chooses the identifiers of its object: then it is sent again if its response is lost, and the server takes it once. Nothing
   * else identifies such an object.
   */
  readonly choosesId?: true;
  /** Whether the API's document lacks the kind: documented servers then do the same as measured ones. */
  readonly isUndocumented?: true;
  /** Makes what every server of the tests has of the kind before. It belongs to others: neither `objects` nor `rows` has it. */
  readonly given?: (simulator: Simulator) => void;
  /** Makes what the object refers to. */
  readonly prepare: (on: { readonly simulator: Simulator }) => void;
  readonly objects: (simulator: Simulator) => { readonly id: string }[];
  /** The same, with all that the server stores of them. */
  readonly rows: (simulator: Simulator) => object[];
  /** What the server stores of an object that somebody asked for. */
  readonly stored: (simulator: Simulator, id: string) => Inputs;
  /** Others change the object, in the words of the store. */
  readonly edit: (simulator: Simulator, id: string, change: Inputs) => void;
  /** Others delete the object. */
  readonly remove: (simulator: Simulator, id: string) => void;
  /** Others make an object of the very same inputs; left out where they can't be compared. @returns its id */
  readonly twin?: (simulator: Simulator) => string;
  /** Every input at any depth, with what the server makes of it. */
  readonly properties: readonly Property[];
  /** Two changes by their paths, so there is one beside each property. */
  readonly changes: readonly [Change, Change];
  readonly faults: FaultedKind;
}

type Change = readonly [path: string, value: unknown];

/** What meets every fault. */
export interface FaultedKind {
  readonly inputs: Inputs;
  readonly change: Inputs;
  /** A change that needs a new object, which can exist beside the old one. */
  readonly replacement?: Inputs;
  readonly prepare: (on: { readonly simulator: Simulator }) => void;
  readonly drift: (simulator: Simulator) => void;
  /** The object as others made it, other than the inputs; left out if nothing identifies it. */
  readonly theirs?: (simulator: Simulator) => void;
}

export const noPreparation = () => {};

/** What a server sets by itself, and what differs between two objects with the same content. */
const ownFields = [
  ...["Hash", "CreateIndex", "ModifyIndex", "CreateTime", "ModifyTime", "ExpirationTime"],
  ...["ID", "AccessorID", "SecretID", "id", "createdAt", "createdById", "token"],
];

/** The object's content, as far as somebody asked for it. */
export function content(object: object | undefined): Inputs {
  if (!object) throw new Error("the simulator does not have the object");
  return Object.fromEntries(Object.entries(object).filter(([key]) => !ownFields.includes(key)));
}
