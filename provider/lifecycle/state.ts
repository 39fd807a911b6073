/** An object of the server in the form of a state. */
import { defined, ownProperty, pick } from "../../common/own-property";
import { InitError } from "../../common/user-error";
import { differences, reconcile, sameMeaning } from "../model/diff";
import type { Field } from "../model/fields";
import type { Properties, Remote } from "../model/remote";
import { sameServer } from "../model/servers";
import { withoutDefaults } from "../model/state";
import { listOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import type { ObjectId } from "../operation/operation-state";
import type { Defined } from "./kind";
import type { ResourceState } from "./resource";

/** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
export function serverOf(context: CallContext, { api }: Defined): string {
  return (api === "pools" ? context.pools() : context.cluster()).server;
}

/** The output with the expiration time of an object. */
export const endTime = "expirationTime";

/** Whether an object has expired, so its absence needs no proof. */
export function hasEnded({ clock }: CallContext, { keepsEnded }: Defined, known: Properties): boolean {
  const end = ownProperty(known, endTime);
  return keepsEnded !== undefined && typeof end === "string" && Date.parse(end) <= clock.now();
}

/** An object as all calls of an operation identify it. */
export function objectOf({ kind, isIdName }: Defined, id: string, outputs: Properties): ObjectId {
  return isIdName ? { kind, id, made: ownProperty(outputs, "createTime") ?? ownProperty(outputs, "createIndex") } : { kind, id };
}

/** A write and its result. */
interface Write {
  /** The program's inputs. */
  readonly news: Properties;
  readonly sent: Properties;
  readonly remote: Remote<Properties>;
  /** The inputs that the request left out, so they did not change. */
  readonly unsent?: readonly string[];
  readonly verb: "created" | "updated";
}

/**
 * The state after a write. Outputs repeat every checked input byte for byte, and add the server's fields.
 *
 * @throws InitError if the server did not keep the sent values
 */
export function writtenState(context: CallContext, kind: Defined, write: Write): ResourceState {
  const { news, sent, remote, unsent = [], verb } = write;
  const { inputFields: fields, label } = kind;
  const { id, inputs, outputs } = remote;
  context.operation.objects.hold(objectOf(kind, id, outputs));
  const notKept = differences(fields, { ...sent, ...pick(inputs, unsent) }, inputs);
  if (notKept.length === 0) return { id, inputs: news, outputs: { ...news, ...outputs } };
  const values = [...fields].map(([name, field]) => {
    const [written, returned] = [ownProperty(sent, name), ownProperty(inputs, name)];
    return [name, sameMeaning(field, written, returned) ? ownProperty(news, name) : reconcile(field, ownProperty(news, name), returned)];
  });
  const message = `The server ${verb} ${label} ${id}, but returned other values than were sent for ${listOf(notKept)}. Compare them with what the server supports, then refresh and run the update again.`;
  throw new InitError("values-not-kept", message, id, defined({ ...Object.fromEntries(values), ...outputs }));
}

/**
 * Reads an object that a create or an adoption has just written with an empty response. @throws InitError if the read fails, so the state
 * has the object
 */
export async function readBackCreated(context: CallContext, kind: Defined, id: string, sent: Properties): Promise<object> {
  try {
    return await kind.requests(context, sent).read(id);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message =
      `${kind.labelOf(id, sent)} was written, but could not be read after that, so the state lacks what the server has added: ${error.message} ` +
      "Run `pulumi refresh`, or the update again.";
    context.operation.objects.hold(objectOf(kind, id, {}));
    throw new InitError("written-not-read", message, id, defined({ ...sent, server: serverOf(context, kind) }));
  }
}

/** The state of an import: a program is generated from the inputs, which need not have the defaults. */
export function importedState({ inputFields }: Defined, { id, inputs, outputs }: Remote<Properties>): ResourceState {
  const valueIn = (name: string, field: Field) =>
    ownProperty(inputs, name) ?? (field.traits.local ? undefined : structuredClone(field.defaultValue));
  const values = new Map([...inputFields].map(([name, field]) => [name, valueIn(name, field)]));
  const written = [...inputFields].map(([name, field]) => [name, withoutDefaults(field, values.get(name))]);
  return { id, inputs: defined(Object.fromEntries(written)), outputs: { ...defined(Object.fromEntries(values)), ...outputs } };
}

/** The state after a refresh, in the spelling of the one before. */
export function refreshedState(kind: Defined, olds: Properties, { id, inputs, outputs }: Remote<Properties>): ResourceState {
  const values = [...kind.inputFields].map(([name, field]) => [name, reconcile(field, ownProperty(olds, name), ownProperty(inputs, name))]);
  const read = defined(Object.fromEntries(values));
  return { id, inputs: read, outputs: { ...read, ...withKept(kind, olds, outputs), ...sameServer(olds, outputs) } };
}

/** The outputs of a response. The state's values fill in outputs that the response may leave out. */
export function withKept({ outputFields }: Defined, olds: Properties, outputs: Properties): Properties {
  const isKept = ([name, { traits }]: [string, Field]) => traits.kept && ownProperty(outputs, name) === undefined;
  return { ...outputs, ...pick(olds, new Map([...outputFields].filter(isKept)).keys()) };
}
