import type * as fc from "fast-check";
import type { Resource } from "../../provider/lifecycle/resource";
import type { Properties } from "../../provider/model/remote";
import type { Simulator } from "../../testing/simulator";
import type { Inputs, Kind } from "../support/declared";
import type { InputCase } from "./input-cases";
import type { Property } from "./property";

/** Sample values of a kind. Tests of all kinds run with each of them. */
export interface Sample {
  readonly kind: Kind;
  readonly resource: Resource;
  /** Complete inputs that check accepts. */
  readonly example: Properties;
  /** The expectations of check and diff for every input at any depth, by its path. */
  readonly cases: Readonly<Record<string, InputCase>>;
  /**
   * Inputs that the documents allow, as far as a program can know: only the server knows whether a method or a policy exists. A function, because
   * fast-check needs most of a second for its table of all characters, and nearly every suite loads this.
   */
  readonly valid: () => fc.Arbitrary<Properties>;
  /** The inputs in the lifecycles. */
  readonly inputs: Inputs;
  /** An update in place. */
  readonly change: Inputs;
  /** The path of the request that creates it. */
  readonly create: string;
  /** Whether the id of an object is its name. */
  readonly isIdName?: true;
  /** Whether the request that creates an object also updates it, and has an empty response. */
  readonly isUpsert?: true;
  /**
   * Whether a create chooses the identifiers of its object. It is then sent again if its response is lost, and the server makes one object.
   * Nothing else identifies such an object.
   */
  readonly choosesId?: true;
  /** Whether the API's document lacks the kind: documented servers then do the same as measured ones. */
  readonly isUndocumented?: true;
  /** Makes the objects that every server of the tests has from the start. They belong to others: `objects` and `rows` leave them out. */
  readonly given?: (simulator: Simulator) => void;
  /** Makes the objects that an object of this kind refers to. */
  readonly prepare: (on: { readonly simulator: Simulator }) => void;
  readonly objects: (simulator: Simulator) => { readonly id: string }[];
  /** The objects, as the server stores them. */
  readonly rows: (simulator: Simulator) => object[];
  /** The stored content of an object, without the fields that the server sets. */
  readonly stored: (simulator: Simulator, id: string) => Inputs;
  /** Others change the object. The change has the store's property names. */
  readonly edit: (simulator: Simulator, id: string, change: Inputs) => void;
  /** Others delete the object. */
  readonly remove: (simulator: Simulator, id: string) => void;
  /** Others make an object from the same inputs. Left out if a part can't be compared. @returns its id */
  readonly twin?: (simulator: Simulator) => string;
  /** Every input at any depth, with its stored value. */
  readonly properties: readonly Property[];
  /** Changes of two paths, so each property has a change at another path. */
  readonly changes: readonly [Change, Change];
  readonly faults: FaultedKind;
}

type Change = readonly [path: string, value: unknown];

/** The inputs of the fault matrix. */
export interface FaultedKind {
  readonly inputs: Inputs;
  readonly change: Inputs;
  /** A change that needs a new object, which can exist together with the old one. */
  readonly replacement?: Inputs;
  readonly prepare: (on: { readonly simulator: Simulator }) => void;
  readonly drift: (simulator: Simulator) => void;
  /** Others make the object with another content. Left out if nothing identifies it. */
  readonly theirs?: (simulator: Simulator) => void;
}

export const noPreparation = () => {};

/** Fields that a server sets itself. They differ between two objects with the same content. */
const ownFields = [
  ...["Hash", "CreateIndex", "ModifyIndex", "CreateTime", "ModifyTime", "ExpirationTime"],
  ...["ID", "AccessorID", "SecretID", "id", "createdAt", "createdById", "token"],
];

/** The object's content, without the fields that the server sets. */
export function content(object: object | undefined): Inputs {
  if (!object) throw new Error("the simulator does not have the object");
  return Object.fromEntries(Object.entries(object).filter(([key]) => !ownFields.includes(key)));
}
