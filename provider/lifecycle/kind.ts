import type * as z from "zod";
import type { ApiError } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import type { Current, Writing } from "../model/merge";
import type { Properties, Remote } from "../model/remote";
import type { UserError } from "../model/user-error";
import type { Identity } from "./definition";

/** The requests that are the same for all kinds. An item of a list may be less than the whole object. */
export interface Requests<Object, Item> {
  read(id: string): Promise<Object>;
  delete(id: string): Promise<void>;
  list(): Promise<readonly Item[]>;
  /** From a list of the last seconds. Undefined does not mean that there is none. */
  recent(id: string): Promise<Item | undefined>;
}

/** The object that an update has just read, with what its response has beyond the inputs and outputs. */
export interface CurrentObject<Outputs, Object> extends Current<Outputs> {
  readonly object: Object;
}

/** The result of an update. */
export interface Written<Object, Outputs> {
  /** The object in the response. */
  readonly object: Object;
  /** The inputs that were left out of the request, and so did not change. */
  readonly unsent?: readonly string[];
  /** What the state gets as outputs, where that is not what the response says. */
  readonly toOutputs?: (outputs: Outputs) => Outputs;
}

/** The types of a kind. */
export interface Types {
  readonly News: Properties;
  readonly Outputs: Properties;
  /** What a state has of an object. */
  readonly Known: Properties;
  /** An object of a response. */
  readonly Object: unknown;
  /** An object of a list. */
  readonly Item: unknown;
  /** What a create learns before its first write. */
  readonly Before: unknown;
}

export type CurrentOf<T extends Types> = CurrentObject<T["Outputs"], T["Object"]>;

/** How objects of a kind come to be. */
export interface Creating<T extends Types> {
  readonly kind: string;
  readonly api: "pools" | "cluster";
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodType<T["Outputs"]>;
  readonly identity: (inputs: Properties) => Identity;
  /** What a message calls an object: `ACL role "dev" (5e0c...)`. */
  readonly labelOf: (id: string, known?: T["Known"] | T["News"]) => string;
  /** The object in the form of inputs and outputs. What a response leaves out is as in `known`. */
  readonly toRemote: (object: T["Object"], server: string, known?: T["Known"] | T["News"]) => Remote<T["Outputs"]>;
  /** Whether the id is a name: an object that others made anew under it is another one, by its creation time. */
  readonly isIdName?: boolean;
  /** An update that every server refuses, to ask the region that takes the writes. Undefined where none is certain to be refused. */
  readonly probe?: (context: CallContext, id: string, known: T["Known"] | T["Object"] | undefined) => (() => Promise<void>) | undefined;

  /** What a message calls an object that a create finds in its place: `An ACL role named "dev"`. */
  readonly labelOfExisting: (news: T["News"]) => string;
  /** Creates of the same text wait for each other. */
  readonly lockOf: (news: T["News"]) => string;
  /** The objects that have the identity of the one to create: one at most, where the identity is unique. */
  readonly find: (context: CallContext, news: T["News"]) => Promise<readonly T["Object"][]>;
  /** Whether a create looks first, because the server's own would refuse no second object, or overwrite the first. */
  readonly looksFirst: boolean;
  readonly create: (context: CallContext, news: T["News"]) => Promise<T["Object"]>;
  /** Whether the error of a create may say that there is such an object. Default: a conflict. */
  readonly isTaken?: (error: unknown) => error is ApiError;
  /** Whether the server's create may overwrite an object of that name: after a lost response, nobody knows whose content was there. */
  readonly createOverwrites?: boolean;
  /** Further proof that an object with the right content is that of a create whose response was lost. */
  readonly isOwnCreate?: (object: T["Object"], before: T["Before"] | undefined, news: T["News"]) => boolean;
  /** The inputs that can't be compared with an object that exists, because the API does not return them. */
  readonly unreadable?: (news: T["News"], object: T["Object"]) => readonly string[];
  /** Writes the inputs over an object that a create adopts; undefined where nothing has to be written. */
  readonly overwrite: (context: CallContext, news: T["News"], object: T["Object"]) => (() => Promise<T["Object"]>) | undefined;

  /** Why nothing can be created from these inputs. */
  readonly createObstacle?: (news: T["News"]) => string | undefined;
  /** What a create must know before its first write. */
  readonly beforeCreate?: (context: CallContext, news: T["News"]) => Promise<T["Before"]>;
  readonly afterCreate?: (context: CallContext, label: string, news: T["News"], before: T["Before"] | undefined) => void | Promise<void>;
  /** Completes an object that counts as that of a create whose response was lost. */
  readonly recover?: (context: CallContext, object: T["Object"], news: T["News"]) => Promise<T["Object"]>;
}

/** What is true of a kind of the cluster alone: the lifecycle knows the order of things. */
export interface Kind<T extends Types> extends Creating<T> {
  readonly requests: (context: CallContext) => Requests<T["Object"], T["Item"]>;
  readonly idOf: (item: T["Item"]) => string;
  /** What a list calls an object. */
  readonly nameOf: (item: T["Item"]) => string;
  /** The whole object of an item; undefined where lists leave parts out. */
  readonly toWhole?: (item: T["Item"]) => T["Object"] | undefined;
  /** The read of one object. An import may give something else than the id. Default: by the id. */
  readonly readOne?: (context: CallContext, id: string) => Promise<T["Object"]>;
  readonly update: (
    context: CallContext,
    id: string,
    writing: Writing<T["News"], T["Known"], CurrentOf<T>>,
  ) => Promise<Written<T["Object"], T["Outputs"]>>;
  /** Whether the object is to be deleted: it may not be the state's any more. @throws when that would do harm */
  readonly beforeDelete?: (context: CallContext, id: string, known: T["Known"]) => Promise<boolean>;

  /** The id of what an import names. */
  readonly toId?: (context: CallContext, name: string) => Promise<string>;
  /** The error for what an import names, where it is no id and there is no such object. */
  readonly notNamedError?: (name: string) => UserError | undefined;
  readonly afterRead?: (
    context: CallContext,
    object: T["Object"],
    remote: Remote<T["Outputs"]>,
    known: T["Known"] | undefined,
  ) => Remote<T["Outputs"]>;
  readonly afterDelete?: (context: CallContext, label: string, known: T["Known"], id: string) => Promise<void>;
}
