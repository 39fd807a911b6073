import type { ProviderFunction } from "../functions/definition";
import type { CheckFailure } from "../model/check";
import type { Fields } from "../model/fields";
import type { Ignored } from "../model/ignored";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import type { CheckContext, Difference, Kind } from "./kind";

export interface Checked {
  readonly inputs: Properties;
  readonly failures: CheckFailure[];
}

/** A resource's values in the state and in the program. */
export interface Revision {
  readonly olds: Properties;
  readonly news: Properties;
  /** The paths that the program leaves to others (`ignoreChanges`). Default: none. */
  readonly ignored?: Ignored | undefined;
}

export interface ResourceState {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** An object of a list. */
export interface Listed {
  /** The id for an import. */
  readonly id: string;
  /** A name for people. */
  readonly name: string;
  /** Whether every server has the object from the start, so nobody created it. */
  readonly isBuiltIn: boolean;
  /** The object's version, if the list has versions. */
  readonly version?: Version | undefined;
  /**
   * The whole object: from the list if that is complete, otherwise by a single read. Undefined if the object is gone by then.
   *
   * @param olds the state: the result is in its spelling, as after a refresh. Without a state, the result is that of an import: its inputs
   * lack the defaults, and its outputs have them
   */
  read(olds?: Properties): Promise<ResourceState | undefined>;
}

/** The version of an object in a list. */
export interface Version {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash?: string;
}

/** A kind for the adapters. */
export interface Resource extends Pick<Kind, "kind" | "label" | "api" | "description"> {
  readonly identity: Kind["identity"];
  readonly isReadOnRequest: boolean;
  readonly inputs: Fields;
  readonly outputs: Fields;
  readonly lookUps: readonly ProviderFunction[];
  /** Whether the object of a state has expired, and the program keeps it there: then the server need not have it. */
  isKeptAfterEnd(context: CallContext, olds: Properties): boolean;
  /** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
  server(context: CallContext): string;
  check(given: CheckContext, news: Properties): Checked;
  diff(context: CallContext, id: string, revision: Revision): Difference;
  /** Whether an update writes to the server. If not, it changes only the state. */
  writes(context: CallContext, revision: Revision): boolean;
  create(context: CallContext, inputs: Properties): Promise<ResourceState>;
  read(context: CallContext, id: string, olds: Properties | undefined): Promise<ResourceState | undefined>;
  update(context: CallContext, id: string, revision: Revision): Promise<Properties>;
  delete(context: CallContext, id: string, olds: Properties): Promise<void>;
  /** Every object of the kind that the token may see. @param organization for agent pools; default: that of the configuration */
  list(context: CallContext, organization?: string): Promise<readonly Listed[]>;
}
