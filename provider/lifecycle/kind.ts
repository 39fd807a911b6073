/** A kind as one record, with the properties and rules that only this kind has. The lifecycle decides the order of requests. */
import type * as z from "zod";
import type { UserError } from "../../common/user-error";
import type { ApiError } from "../apis/http/errors";
import type { ProviderFunction } from "../functions/definition";
import type { Fail, Path } from "../model/check";
import type { Change } from "../model/diff";
import type { Fields } from "../model/fields";
import type { Identity } from "../model/identities";
import type { Properties, Remote } from "../model/remote";
import type { StateOf } from "../model/state";
import type { CallContext } from "../operation/call-context";

/** The values that a request needs in addition to an ID. */
export interface Scope {
  readonly organization?: string | undefined;
  readonly agentPoolId?: string | undefined;
  /** The object's secret, which no error may repeat. */
  readonly secretId?: string | undefined;
}

/** The requests that all kinds have. */
export interface KindRequests<Whole, Item> {
  read(id: string): Promise<Whole>;
  delete(id: string): Promise<void>;
  list(): Promise<readonly Item[]>;
  /** An object from a list of the last seconds. Undefined does not mean that it is missing. */
  recent(id: string): Promise<Item | undefined>;
  /** Whether a list has the object, which begins after this call. */
  isListed(id: string): Promise<boolean>;
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

/** The values that an update writes, and the object that they change. */
export interface Update<News, Outputs, Known, Whole> {
  /** The state; undefined if a create adopts an object and writes the program's values over it. */
  readonly known: Known | undefined;
  /** The program's values where it changes them, and the server's values otherwise. */
  readonly sent: News;
  /** The object, read just before. */
  readonly whole: Whole;
  /** The object in the form of inputs and outputs. */
  readonly remote: Remote<Outputs>;
  /** Whether the program ignores this path. */
  readonly ignores: (path: Path) => boolean;
}

/** The result of an update. */
export interface Written<Outputs, Whole> {
  /** The object in the response; undefined if that is empty. */
  readonly whole: Whole | undefined;
  /** The inputs that the request left out, so they did not change. */
  readonly unsent?: readonly string[];
  /** The outputs for the state, if they differ from the response. */
  toOutputs?(outputs: Outputs): Outputs;
}

/**
 * A kind, as the file of a resource describes it. `defineResource` derives everything else, and fills in the defaults.
 *
 * @template Whole an object of a response
 * @template Item an object of a list, which may be less
 * @template Before the result of a create's reads before its first write
 */
export interface Kind<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  Whole extends object = object,
  Item extends object = object,
  Before = unknown,
  News = z.output<I>,
  Outputs = z.output<O>,
  Known = StateOf<I, O>,
> {
  /** The name of the kind, as in the type token. */
  readonly kind: string;
  /** The name of the kind in messages: "ACL role". */
  readonly label: string;
  /** The API that it belongs to. */
  readonly api: "pools" | "cluster";
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  readonly inputs: I;
  readonly outputs: O;
  /** The functions that look the objects up for programs. */
  readonly lookUps?: readonly ProviderFunction[];
  /** The ids of the objects that every server has from the start. They can't be deleted, and an import of all objects leaves them out. */
  readonly builtIn?: readonly string[];
  /** Whether commands read the kind only if `--only` names it, because its objects are of little use without their secrets. */
  readonly isReadOnRequest?: boolean;
  /** The property for a server's error, by a pattern of its text. The first match counts. */
  readonly errorProperties?: readonly (readonly [RegExp, string])[];

  // The identity of an object.
  /** The inputs that identify an object: two resources of one program for the same object are refused. Left out if no inputs do. */
  readonly identity?: Identity;
  /**
   * Whether the id is a name. If others create the object again under that name, its creation shows that it is another object. A create
   * first reads the list, because the server's create overwrites an existing object.
   */
  readonly isIdName?: boolean;
  /** The label of an object in a list. Default: its name. */
  nameOf?(item: Item): string;
  /** The label of an object in a message. Default: its name and its id. */
  labelOf?(id: string, known?: Known | News): string;
  /** The label of an existing object that blocks a create. Default: `An ACL role named "dev"`. */
  labelOfExisting?(news: News): string;

  // Before any request.
  /** Defaults that depend on more than the property. */
  applyDefaults?(inputs: Properties, given: CheckContext): void;
  /** Rules between properties, beyond the limits of each. Values may be missing, of a wrong type or unknown; `written` lacks defaults. */
  validate?(inputs: Properties, fail: Fail, given: CheckContext, written: Properties): void;
  /** Warnings for the user before the update, about this resource alone. Warnings about a whole program are in checks/. */
  warnings?(inputs: Properties, written: Properties, given: CheckContext): string[];
  /** The old values in the spelling of the new ones, if only the state's outputs show that two spellings mean the same. */
  respelled?(context: CallContext, olds: Properties, news: Properties): Properties;
  /**
   * The reason why an update or a replacement can't succeed, according to the state. Then the preview fails, instead of the update halfway.
   */
  obstacle?(
    context: CallContext,
    revision: { readonly olds: Properties; readonly news: Properties },
    difference: Pick<Difference, "changes" | "replaces">,
  ): UserError | undefined;
  /** Whether a change or the delete of the object may take the permissions of a provider that logs in by this method. */
  mayLockOut?(authMethod: string, known: Properties): boolean;
  /**
   * Whether the program keeps an object in the state after its `expirationTime`, until it changes the object. Otherwise a new one takes its
   * place.
   */
  keepsEnded?(inputs: Properties): boolean;

  // Requests.
  requests(context: CallContext, scope?: Scope): KindRequests<Whole, Item>;
  /** The whole object of an item; undefined if lists leave parts out. */
  toWhole?(item: Item): Whole | undefined;
  /** Whether the version in a list shows every change of the object. Default: yes, if the list has hashes. */
  isVersionComplete?(item: Item): boolean;
  /**
   * The object in the form of inputs and outputs. Values that a response leaves out come from `known`. Default: its properties with these
   * names.
   */
  toRemote?(whole: Whole, server: string, known?: Known | News): Remote<Outputs>;
  /** The object that an import names. Default: the one with that id. @throws if the text can name none */
  toId?(context: CallContext, name: string): Promise<Scope & { readonly id: string }>;
  afterRead?(context: CallContext, whole: Whole, remote: Remote<Outputs>, known: Known | undefined): Remote<Outputs>;

  // A create, and an existing object.
  /** The existing objects with the identity of the new one: at most one, if the identity is unique. */
  find?(context: CallContext, news: News): Promise<readonly Whole[]>;
  /** Whether a create first looks for an existing object, because the server's create would make a second one, or overwrite the first. A create with `adopt` always does. */
  readonly checksBeforeCreate?: boolean;
  /** Whether the error of a create may mean that the name is taken. Default: a conflict. */
  isNameConflict?(error: unknown): error is ApiError;
  /** The inputs that can't be compared with an existing object, because the API does not return them. */
  unreadable?(news: News, whole: Whole): readonly string[];
  /** The reads of a create before its first write. */
  beforeCreate?(context: CallContext, news: News): Promise<Before>;
  /** Undefined if the response is empty: then the object is read by its name, which is its id. */
  create(context: CallContext, news: News, before: Before | undefined): Promise<Whole | undefined>;
  /** Additional proof that a create with a lost response made an object with the right content. */
  isOwnCreate?(whole: Whole, before: Before | undefined, news: News): boolean;
  /**
   * The id that the create gives its object, if the server accepts one. After a lost response the id identifies the object for certain, and
   * a second try can't make another one.
   */
  chosenId?(context: CallContext, news: News, before: Before | undefined): string | undefined;
  /**
   * The objects that a create with a lost response may have made, for a kind whose secret only that response has. The provider does not
   * touch them, and creates another object.
   */
  leftOver?(context: CallContext, news: News, before: Before | undefined): Promise<readonly Whole[]>;

  // Later writes.
  /** The update. Left out if every change makes a new object. */
  update?(context: CallContext, id: string, update: Update<News, Outputs, Known, Whole>): Promise<Written<Outputs, Whole>>;
  /** Warnings about an object that was just written. @param before the result of a create's reads; undefined after an update */
  afterWrite?(context: CallContext, label: string, sent: News, before: Before | undefined): void | Promise<void>;
  /**
   * Deletes the object, if that takes more than one request.
   *
   * @param whole for an id that is a name: the object, read just before
   */
  delete?(context: CallContext, id: string, known: Known, whole: Whole | undefined): Promise<void>;
  /** The kind of objects in the cluster that may name this one and remain after its delete. */
  readonly namedBy?: "role" | "policy" | "method";
}

/** The functions for which `defineResource` fills in a default. */
type Filled = "nameOf" | "labelOf" | "labelOfExisting" | "isNameConflict" | "find" | "toRemote";

export type AnyKind = Kind<z.ZodObject, z.ZodObject, object, object, unknown, Properties, Properties, Properties>;

/** A kind for the lifecycle: with its defaults, and the fields of its schemas. */
export type Defined = AnyKind &
  Required<Pick<AnyKind, Filled>> & {
    readonly inputFields: Fields;
    readonly outputFields: Fields;
    /** The inputs of an update. It sends back values of the server, which may be beyond the limits for programs. */
    readonly sendable: z.ZodObject;
    /** A state. Its values may come from another version of this provider. */
    readonly state: z.ZodObject;
    idOf(object: object): string;
  };
