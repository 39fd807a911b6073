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
  /** The object as a list of the last seconds shows it. Undefined does not prove that the object is missing. */
  recent(id: string): Promise<Item | undefined>;
  /** Whether the object is in a list that is requested after this call. */
  isListed(id: string): Promise<boolean>;
}

/** The context of a check. */
export interface CheckContext {
  readonly context: CallContext;
  /** The inputs of the last update; empty for a new resource. */
  readonly olds: Properties;
  /** The resource's name in the program, if the adapter knows it. */
  readonly resourceName: string | undefined;
  /** The resource's URN, if the adapter knows it. */
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
  /** The program's values where it changes them, and the server's values otherwise. In an adoption: all of the program's values. */
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
 * @template Item an object of a list, which may have fewer properties
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
  /** The functions with which programs look up objects of the kind. */
  readonly lookUps?: readonly ProviderFunction[];
  /** The ids of the objects that every server has from the start. They can't be deleted, and an import of all objects leaves them out. */
  readonly builtIn?: readonly string[];
  /** Whether `import` and `export` read the kind from servers only if `--only` names it, because of its secrets. */
  readonly isReadOnRequest?: boolean;
  /** The property at fault for an error of the server, by a pattern of the error's text. The first match counts. */
  readonly errorProperties?: readonly (readonly [RegExp, string])[];

  // The identity of an object.
  /**
   * The inputs that identify an object: two resources of one program for the same object are refused. Undefined if no inputs identify one.
   */
  readonly identity?: Identity;
  /**
   * Whether the id is a name. If others delete the object and create another one under that name, the time or index of the creation shows
   * the difference. A create first reads the list, because the server's create overwrites an existing object.
   */
  readonly isIdName?: boolean;
  /** The label of an object in a list. Default: its name. */
  nameOf?(item: Item): string;
  /** The label of an object in a message. Default: its name and its id, or only the name if that is the id. */
  labelOf?(id: string, known?: Known | News): string;
  /** The label of an existing object that blocks a create. Default: `An ACL role named "dev"`. */
  labelOfExisting?(news: News): string;

  // Before any request.
  /** Adds the defaults that depend on more than their own property. */
  applyDefaults?(inputs: Properties, given: CheckContext): void;
  /**
   * Rules between properties, beyond the limits of each. Values may be missing, of a wrong type or unknown. `written` has the inputs
   * without the defaults of their schema.
   */
  validate?(inputs: Properties, fail: Fail, given: CheckContext, written: Properties): void;
  /** Warnings for the user before the update, about this resource alone. Warnings about a whole program are in checks/. */
  warnings?(inputs: Properties, written: Properties, given: CheckContext): string[];
  /** The old values in the spelling of the new ones, if only the state's outputs show that two spellings mean the same. */
  respelled?(context: CallContext, olds: Properties, news: Properties): Properties;
  /**
   * The reason why an update or a replacement can't succeed, according to the state. With a reason, the preview fails already, instead of
   * an update halfway.
   */
  obstacle?(
    context: CallContext,
    revision: { readonly olds: Properties; readonly news: Properties },
    difference: Pick<Difference, "changes" | "replaces">,
  ): UserError | undefined;
  /** Whether a change or the delete of the object may remove permissions from a provider that logs in by this method. */
  mayLockOut?(authMethod: string, known: Properties): boolean;
  /**
   * Whether the program keeps an object in the state after its `expirationTime`, until it changes the object. Otherwise a new one takes its
   * place.
   */
  keepsEnded?(inputs: Properties): boolean;

  // Requests.
  requests(context: CallContext, scope?: Scope): KindRequests<Whole, Item>;
  /** The whole object from an item of a list; undefined if the item lacks parts of it. */
  toWhole?(item: Item): Whole | undefined;
  /** Whether the version in a list shows every change of the object. Default: yes. */
  isVersionComplete?(item: Item): boolean;
  /**
   * The object in the form of inputs and outputs. Values that a response leaves out come from `known`. Default: the properties of the
   * response that have the names of inputs and outputs.
   */
  toRemote?(whole: Whole, server: string, known?: Known | News): Remote<Outputs>;
  /** The id and the scope in the text of an import. Default: the text is the id. @throws if the text can't name an object */
  toId?(context: CallContext, name: string): Promise<Scope & { readonly id: string }>;
  afterRead?(context: CallContext, whole: Whole, remote: Remote<Outputs>, known: Known | undefined): Remote<Outputs>;

  // A create, and an existing object.
  /** The existing objects with the identity of the new one: at most one, if the identity is unique. */
  find?(context: CallContext, news: News): Promise<readonly Whole[]>;
  /**
   * Whether a create first looks for an existing object, because the server's create would make a second one, or overwrite the first. A
   * create with `adopt` always looks first.
   */
  readonly checksBeforeCreate?: boolean;
  /**
   * Whether the error of a create may mean that the name is taken. Default: a conflict, for a kind that can find the object with the name.
   */
  isNameConflict?(error: unknown): error is ApiError;
  /** The inputs that can't be compared with an existing object, because the API does not return them. */
  unreadable?(news: News, whole: Whole): readonly string[];
  /** The reads of a create before its first write. */
  beforeCreate?(context: CallContext, news: News): Promise<Before>;
  /** Undefined if the response is empty: then the object is read by its name, which is its id. */
  create(context: CallContext, news: News, before: Before | undefined): Promise<Whole | undefined>;
  /**
   * Whether this create can have made the object, instead of an earlier write by others. Default: yes; for an id that is a name, if nothing
   * has changed the object since its creation.
   */
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
  /** Writes an update. Undefined if every change makes a new object. */
  update?(context: CallContext, id: string, update: Update<News, Outputs, Known, Whole>): Promise<Written<Outputs, Whole>>;
  /** Warnings about an object that was just written. @param before the result of a create's reads; undefined after an update */
  afterWrite?(context: CallContext, label: string, sent: News, before: Before | undefined): void | Promise<void>;
  /**
   * Deletes the object of a kind whose delete takes more than one request, or needs a check before it.
   *
   * @param whole for an id that is a name: the object, read just before
   */
  delete?(context: CallContext, id: string, known: Known, whole: Whole | undefined): Promise<void>;
  /**
   * The noun by which binding rules, roles or tokens refer to objects of this kind. Such a reference remains after a delete, which warns of
   * it.
   */
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
    /**
     * The schema of an update's inputs, without limits: an update sends back values of the server, which may exceed the limits for
     * programs.
     */
    readonly sendable: z.ZodObject;
    /** The schema of a state, whose values may come from another version of this provider. */
    readonly state: z.ZodObject;
    idOf(object: object): string;
  };
