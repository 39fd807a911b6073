import type * as z from "zod";
import type { CallContext } from "../context/call-context";
import type { Fail } from "../model/check";
import type { Change, UpdateDiff } from "../model/diff";
import type { Current, Updated, Writing } from "../model/merge";
import type { Properties, Remote } from "../model/remote";
import type { StateOf } from "../model/state";

/** The description of a resource; {@link defineResource} derives everything else from it. */
export interface Definition<I extends z.ZodObject, O extends z.ZodObject, C extends Current<z.output<O>> = Current<z.output<O>>> {
  /** The name of the kind, as in the type token. */
  readonly kind: string;
  /** The name of the kind in messages: "ACL role". */
  readonly label: string;
  /** The API that it belongs to. */
  readonly api: "pools" | "cluster";
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  readonly inputs: I;
  /** The server's fields, which the outputs add to the inputs. */
  readonly outputs: O;
  /** Defaults that depend on more than the property. */
  readonly applyDefaults?: (inputs: Properties, given: CheckContext) => void;
  /** Rules between properties, beyond the limits of each. Values may be missing, of a wrong type or unknown; `written` lacks defaults. */
  readonly validate?: (inputs: Properties, fail: Fail, given: CheckContext, written: Properties) => void;
  /** Warnings for the user before the update. It may record what later checks of the operation warn of. */
  readonly warnings?: (inputs: Properties, written: Properties, given: CheckContext) => string[];
  /** What identifies the resource's object: two resources of one program for the same one are refused. */
  readonly identity: (inputs: Properties) => Identity;
  /** Properties whose change needs a new object, although they lack the trait. */
  readonly replaces?: (olds: Properties, news: Properties) => string[];
  /** Why an update or a replacement can't be made, as far as the state shows: then the preview fails, and not the update halfway. */
  readonly obstacle?: (olds: Properties, news: Properties, difference: Pick<Difference, "changes" | "replaces">) => string | undefined;
  /** Whether an object with the new inputs can't exist beside the old one. */
  readonly deleteBeforeReplace: (olds: Properties, news: Properties) => boolean;
  /** The property that a server's error is about, by its text; the first match is named. */
  readonly errorProperties: readonly (readonly [RegExp, string])[];
  /** Records the diff of an update for other calls of the operation, and warns of its consequences. */
  readonly onDiff?: (context: CallContext, id: string, diff: UpdateDiff) => void;
  readonly create: (context: CallContext, inputs: z.output<I>) => Promise<Remote<z.output<O>>>;
  /** Undefined when the object is certainly gone; any doubt is an error. */
  readonly read: (context: CallContext, id: string, state: StateOf<I, O> | undefined) => Promise<Remote<z.output<O>> | undefined>;
  /** The object that an update will overwrite, by a single read and not from a list. @throws when the object is gone */
  readonly current: (context: CallContext, id: string, state: StateOf<I, O>) => Promise<C>;
  readonly update: (context: CallContext, id: string, writing: Writing<z.output<I>, StateOf<I, O>, C>) => Promise<Updated<z.output<O>>>;
  readonly delete: (context: CallContext, id: string, state: StateOf<I, O>) => Promise<void>;
  /** Every object of the kind that the token may see, of the organization of the configuration unless another is given. */
  readonly list: (context: CallContext, organization?: string) => Promise<readonly Listed<Remote<z.output<O>>, StateOf<I, O>>[]>;
}

/** An object of a list. */
export interface Listed<Whole = ResourceState, State = Properties> {
  /** The id for an import. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Its version, where the list has one. */
  readonly version?: Version;
  /**
   * The whole object: the list's where that shows all of it, otherwise by a single read. Undefined: it is gone since.
   *
   * @param known what a state has of it: the result is in its spelling, as after a refresh. Without one, it is that of an import
   */
  read(known?: State): Promise<Whole | undefined>;
}

/** The version of an object in a list. */
export interface Version {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash?: string;
}

/** The context of a check. */
export interface CheckContext {
  readonly context: CallContext;
  /** The inputs of the last update; empty for a new resource. */
  readonly olds: Properties;
  /** The resource's name in the program, where the adapter knows it. */
  readonly resourceName: string | undefined;
  /** Where the adapter knows it. */
  readonly urn?: string | undefined;
}

/** What identifies an object of a kind on its server. */
export interface Identity {
  /** The property that a failure names. */
  readonly property: string;
  readonly values: Properties;
  /** Whether no server has two such objects. */
  readonly isUnique: boolean;
}

export interface Difference {
  readonly changes: Change[];
  /** The top-level properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

export interface ResourceState {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}
