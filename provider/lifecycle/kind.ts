/** The description of a kind: what is true of it alone. The lifecycle knows the order of things. */
import type * as z from "zod";
import type { UserError } from "../../common/user-error";
import type { ApiError } from "../apis/http/errors";
import type { Fail, Path } from "../model/check";
import type { Change, UpdateDiff } from "../model/diff";
import type { Fields } from "../model/fields";
import type { Properties, Remote } from "../model/remote";
import type { StateOf } from "../model/state";
import type { CallContext } from "../operation/call-context";

/** The types of a kind. */
export interface Types {
  readonly News: Properties;
  readonly Outputs: Properties;
  /** What a state has of an object. */
  readonly Known: Properties;
  /** An object of a response. */
  readonly Whole: unknown;
  /** An object of a list, which may be less. */
  readonly Item: unknown;
  /** What a create learns before its first write. */
  readonly Before: unknown;
}

export interface TypesOf<I extends z.ZodObject, O extends z.ZodObject, Whole, Item, Before> {
  readonly News: z.output<I>;
  readonly Outputs: z.output<O>;
  readonly Known: StateOf<I, O>;
  readonly Whole: Whole;
  readonly Item: Item;
  readonly Before: Before;
}

/** What a request needs to know beside an id. */
export interface Scope {
  readonly organization?: string | undefined;
  readonly agentPoolId?: string | undefined;
  /** The object's secret, which no error may repeat. */
  readonly secretId?: string | undefined;
}

/** The requests that are the same for all kinds. */
export interface KindRequests<Whole, Item> {
  read(id: string): Promise<Whole>;
  delete(id: string): Promise<void>;
  list(): Promise<readonly Item[]>;
  /** From a list of the last seconds. Undefined does not mean that there is none. */
  recent(id: string): Promise<Item | undefined>;
}

/** What an update writes, and over what. */
export interface Update<T extends Types> {
  readonly known: T["Known"];
  /** The program's values if it changes them, and the server's for the rest. */
  readonly sent: T["News"];
  /** The object, by a read just before. */
  readonly whole: T["Whole"];
  /** The same in the form of inputs and outputs. */
  readonly remote: Remote<T["Outputs"]>;
  /** Whether the program ignores this path. */
  readonly ignores: (path: Path) => boolean;
}

/** The result of an update. */
export interface Written<T extends Types> {
  /** The object in the response; undefined if that is empty. */
  readonly whole: T["Whole"] | undefined;
  /** The inputs that were left out of the request, and so did not change. */
  readonly unsent?: readonly string[];
  /** What the state gets as outputs, if that is not what the response says. */
  readonly toOutputs?: (outputs: T["Outputs"]) => T["Outputs"];
}

/** What identifies an object of a kind on its server. */
export interface Identity {
  /** The property that a failure names. */
  readonly property: string;
  readonly values: Properties;
  /** Whether no server has two such objects. */
  readonly isUnique: boolean;
}

/** The context of a check. */
export interface CheckContext {
  readonly context: CallContext;
  /** The inputs of the last update; empty for a new resource. */
  readonly olds: Properties;
  /** The resource's name in the program, if the adapter knows it. */
  readonly resourceName: string | undefined;
  /** If the adapter knows it. */
  readonly urn?: string | undefined;
}

export interface Difference {
  readonly changes: Change[];
  /** The top-level properties that force a replacement. */
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}

/** What the program says, and what is told about it before any request. */
interface Described {
  /** The name of the kind, as in the type token. */
  readonly kind: string;
  /** The name of the kind in messages: "ACL role". */
  readonly label: string;
  /** The API that it belongs to. */
  readonly api: "pools" | "cluster";
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  /** Defaults that depend on more than the property. */
  readonly applyDefaults?: (inputs: Properties, given: CheckContext) => void;
  /** Rules between properties, beyond the limits of each. Values may be missing, of a wrong type or unknown; `written` lacks defaults. */
  readonly validate?: (inputs: Properties, fail: Fail, given: CheckContext, written: Properties) => void;
  /** Warnings for the user before the update, about this resource alone. Those about a program are in checks/. */
  readonly warnings?: (inputs: Properties, written: Properties, given: CheckContext) => string[];
  /** What identifies the resource's object: two resources of one program for the same one are refused. Undefined if nothing does. */
  readonly identity: (inputs: Properties) => Identity | undefined;
  /** The ids of the objects that every server brings: they can't be deleted, and to import all leaves them out. */
  readonly builtIn?: readonly string[];
  /** Whether commands read the kind only if `--only` names it: objects that are of little use without their secret. */
  readonly isReadOnRequest?: boolean;
  /** Properties whose change needs a new object, although they lack the trait. */
  readonly replaces?: (olds: Properties, news: Properties) => string[];
  /** Why an update or a replacement can't be made, as far as the state shows: then the preview fails, and not the update halfway. */
  readonly obstacle?: (
    context: CallContext,
    revision: { readonly olds: Properties; readonly news: Properties },
    difference: Pick<Difference, "changes" | "replaces">,
  ) => UserError | undefined;
  /** The old values in the spelling of the new ones, if one thing has several spellings that only the state's outputs tell to be the same. */
  readonly respelled?: (context: CallContext, olds: Properties, news: Properties) => Properties;
  /** The property that a server's error is about, by its text; the first match is named. */
  readonly errorProperties: readonly (readonly [RegExp, string])[];
  /** Records the diff of an update for other calls of the operation, and warns of its consequences. */
  readonly onDiff?: (context: CallContext, id: string, diff: UpdateDiff) => void;
}

/** How objects of a kind are recognized, and what their absence means: see gone.ts. */
interface Recognized<T extends Types> {
  /** What a message calls an object. Default: by its name and its id. */
  readonly labelOf: (id: string, known?: T["Known"] | T["News"]) => string;
  /**
   * Whether the id is a name: an object that others made anew under it is another one, by its creation. A create looks first, in the list,
   * because the server's own overwrites what there is.
   */
  readonly isIdName?: boolean;
  /** Whether a list has the object, of which a read says that there is none. Default: that of the kind's requests. */
  readonly isListed: (context: CallContext, id: string, scope: Scope | undefined) => Promise<boolean>;
  /** Whether the delete of an object that is gone succeeds: then only a read before can say that it was on this server. */
  readonly deleteOfGoneSucceeds?: boolean;
  /** Whether an object has ended by itself by this time, in milliseconds: a new one takes its place, and its absence needs no proof. */
  readonly hasEnded?: (known: Properties, now: number) => boolean;
  /** Whether the program keeps an object that has ended, in the state alone, until it changes it. */
  readonly keepsEnded?: (inputs: Properties) => boolean;
  /** Whether the version in a list shows every change of the object. Default: it does, if the list gives a hash. */
  readonly isVersionComplete?: (item: T["Item"]) => boolean;
}

interface Created<T extends Types> {
  /** Undefined if the response is empty: then the object is read by its name, which is its id. */
  readonly create: (context: CallContext, news: T["News"], before: T["Before"] | undefined) => Promise<T["Whole"] | undefined>;
  /** Further proof that an object with the right content is that of a create whose response was lost. */
  readonly isOwnCreate?: (whole: T["Whole"], before: T["Before"] | undefined, news: T["News"]) => boolean;
  /**
   * If an object is of no use without the response to its create, because only that has its secret: those that a lost response may have
   * been for. None of them is touched, and another one is made.
   */
  readonly leftOver?: (context: CallContext, news: T["News"], before: T["Before"] | undefined) => Promise<readonly T["Whole"][]>;
  /**
   * The id that the create gives its object, if the server lets it choose: then the object of a lost response is known for certain, and a
   * second try is for the same one.
   */
  readonly chosenId?: (context: CallContext, news: T["News"], before: T["Before"] | undefined) => string | undefined;
  /** Why nothing can be created from these inputs. */
  readonly createObstacle?: (news: T["News"]) => UserError | undefined;
  /** What a create must know before its first write. */
  readonly beforeCreate?: (context: CallContext, news: T["News"]) => Promise<T["Before"]>;
  readonly afterCreate?: (context: CallContext, label: string, news: T["News"], before: T["Before"] | undefined) => void | Promise<void>;
}

/** How an object that exists already is found and adopted; left out for a kind whose objects nothing identifies. */
interface Adopted<T extends Types> {
  /** What a message calls an object that a create finds in its place. Default: `An ACL role named "dev"`. */
  readonly labelOfExisting: (news: T["News"]) => string;
  /** Whether the error of a create may say that there is such an object. Default: a conflict. */
  readonly isTaken: (error: unknown) => error is ApiError;
  /** The objects that have the identity of the one to create: one at most, if the identity is unique. */
  readonly find: (context: CallContext, news: T["News"]) => Promise<readonly T["Whole"][]>;
  /** Whether a create looks first, because the server's own would refuse no second object, or overwrite the first. */
  readonly looksFirst: boolean;
  /** The inputs that can't be compared with an object that exists, because the API does not return them. */
  readonly unreadable?: (news: T["News"], whole: T["Whole"]) => readonly string[];
  /** Writes the inputs over an object that a create adopts; undefined if nothing has to be written. */
  readonly overwrite: (context: CallContext, news: T["News"], whole: T["Whole"]) => (() => Promise<T["Whole"] | undefined>) | undefined;
}

/** The description of a kind; `defineResource` derives everything else from it. */
export interface Description<T extends Types> extends Omit<Core<T>, Derived>, Pick<Partial<Core<T>>, Derived>, Partial<Adopted<T>> {}

type Derived = "labelOf" | "toRemote" | "isListed";

interface Core<T extends Types> extends Described, Recognized<T>, Created<T> {
  readonly requests: (context: CallContext, scope?: Scope) => KindRequests<T["Whole"], T["Item"]>;
  readonly idOf: (object: T["Item"] | T["Whole"]) => string;
  /** What a list calls an object. */
  readonly nameOf: (item: T["Item"]) => string;
  /** The whole object of an item; undefined if lists leave parts out. */
  readonly toWhole?: (item: T["Item"]) => T["Whole"] | undefined;
  /** The object in the form of inputs and outputs, with what a response leaves out as in `known`. Default: its properties of these names. */
  readonly toRemote: (whole: T["Whole"], server: string, known?: T["Known"] | T["News"]) => Remote<T["Outputs"]>;
  /** The object that an import names. Default: the one with that id. @throws if the text can name none */
  readonly toId?: (context: CallContext, name: string) => Promise<Scope & { readonly id: string }>;
  /** The error for an import of what is not there. Default: with the id that was given. */
  readonly noSuchObject?: (id: string) => UserError;
  readonly afterRead?: (
    context: CallContext,
    whole: T["Whole"],
    remote: Remote<T["Outputs"]>,
    known: T["Known"] | undefined,
  ) => Remote<T["Outputs"]>;
  /** Left out if every change makes a new object. */
  readonly update?: (context: CallContext, id: string, update: Update<T>) => Promise<Written<T>>;
  /** Why the object, by a read just before, must not be deleted. */
  readonly deleteObstacle?: (context: CallContext, whole: T["Whole"], known: T["Known"]) => UserError | undefined;
  /** Deletes the object, if that takes more than its request. */
  readonly delete?: (context: CallContext, id: string, known: T["Known"]) => Promise<void>;
  /** What else of the cluster may name an object, and stays when that is deleted. */
  readonly namedBy?: "role" | "policy" | "method";
  /** A warning about the delete itself, when it is done. */
  readonly warnOfDelete?: (context: CallContext, label: string, known: T["Known"], id: string) => void;
}

/** A kind for the lifecycle: its description, and what its schemas say. */
export interface Kind<T extends Types> extends Core<T>, Adopted<T> {
  readonly inputFields: Fields;
  readonly outputFields: Fields;
  readonly toNews: (inputs: Properties) => T["News"];
  /** The inputs of an update, which sends back what the server has: that may be beyond the limits of a program. */
  readonly toSent: (inputs: Properties) => T["News"];
  /** A state, whose values may be of another version of this provider. */
  readonly toKnown: (olds: Properties) => T["Known"];
  /** The outputs of a state; undefined if it is of another version, or incomplete. */
  readonly completeOutputs: (known: T["Known"]) => T["Outputs"] | undefined;
}
