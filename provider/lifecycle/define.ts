import type * as z from "zod";
import { capitalized, withArticle } from "../../common/label";
import { ownProperty, pick } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import { type ApiError, isConflict, isRejected } from "../apis/http/errors";
import { type Field, propertiesOf } from "../model/fields";
import { withoutLimits } from "../model/limits";
import { stateSchema } from "../model/state";
import { labelInProgram, labelOfObject } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { check } from "./check";
import { create } from "./create";
import { remove } from "./delete";
import { diff, isWritten } from "./diff";
import { readNamed } from "./gone";
import type { AnyKind, Defined, Kind } from "./kind";
import { isKeptAfterEnd, list, read } from "./read";
import type { Resource, Revision } from "./resource";
import { serverOf } from "./state";
import { update } from "./update";
import { versionOf } from "./version";

/** Derives the resource that both adapters serve from the description of a kind. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject, Whole extends object, Item extends object, Before = undefined>(
  given: Kind<I, O, Whole, Item, Before>,
): Resource {
  const kind = withDefaults(given);
  const respelled = (context: CallContext, { olds, ...rest }: Revision): Revision => ({
    olds: kind.respelled?.(context, olds, rest.news) ?? olds,
    ...rest,
  });
  const { label, api, description, identity, isReadOnRequest = false, lookUps = [] } = kind;
  return {
    kind: kind.kind,
    label,
    api,
    description,
    identity,
    isReadOnRequest,
    inputs: kind.inputFields,
    outputs: kind.outputFields,
    lookUps,
    isKeptAfterEnd: (context, olds) => isKeptAfterEnd(context, kind, olds),
    server: (context) => serverOf(context, kind),
    check: (given, news) => check(kind, given, news),
    diff: (context, id, revision) => diff(context, kind, id, respelled(context, revision)),
    writes: (context, revision) => isWritten(kind, respelled(context, revision)),
    create: (context, news) => withPropertyName(kind, () => create(context, kind, news)),
    read: (context, id, olds) => read(context, kind, id, olds),
    update: (context, id, revision) => withPropertyName(kind, () => update(context, kind, id, respelled(context, revision))),
    delete: (context, id, olds) => remove(context, kind, id, olds),
    list: (context, organization) => list(context, kind, organization),
  };
}

/** Adds the name of the property at fault to an error of the server. */
async function withPropertyName<R>({ errorProperties = [] }: Defined, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isRejected(error) && !isConflict(error)) throw error;
    const hint = errorProperties.find(([pattern]) => error.says(pattern));
    throw hint ? new UserError("property-refused", `${hint[1]}: ${error.message}`, { cause: error }) : error;
  }
}

function withDefaults(given: AnyKind): Defined {
  const { inputs, outputs, label, isIdName = false } = given;
  const [inputFields, outputFields] = [propertiesOf(inputs), propertiesOf(outputs)];
  const idOf = (object: object) => String(ownProperty({ ...object }, isIdName ? "name" : "id"));
  const kind: Defined = {
    nameOf: (item) => nameIn(item) ?? idOf(item),
    labelOf: (id, known) => (isIdName ? labelInProgram(label, id) : labelOfObject(label, id, nameIn(known))),
    labelOfExisting: (news) =>
      `${capitalized(withArticle(label))}${nameIn(news) === undefined ? "" : ` named ${JSON.stringify(nameIn(news))}`}`,
    isNameConflict: (error): error is ApiError => (isIdName || given.find !== undefined) && isConflict(error),
    find: (context, news) => findByName(context, kind, String(nameIn(news))),
    checksBeforeCreate: isIdName,
    ...(isIdName && { isOwnCreate: isFirstVersion }),
    toRemote(whole, server) {
      const properties = new Map([...inputFields, ...outputFields]);
      const set = Object.entries(whole).filter(([name, value]) => !isUnset(properties.get(name), value));
      const values = pick(Object.fromEntries(set), properties.keys());
      return { id: idOf(whole), inputs: pick(values, inputFields.keys()), outputs: outputs.parse({ ...values, server }) };
    },
    ...given,
    idOf,
    inputFields,
    outputFields,
    sendable: withoutLimits(inputs),
    state: stateSchema(inputs, outputs),
  };
  return kind;
}

function nameIn(values: unknown): string | undefined {
  const name = isRecord(values) ? ownProperty(values, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Whether the value means that an optional text is unset: the API returns an empty text then. */
function isUnset(field: Field | undefined, value: unknown): boolean {
  return value === "" && field?.optional === true && field.defaultValue === undefined;
}

/**
 * Finds the object with this name. One list serves all simultaneous creates. A 404 for a listed name does not prove that the object is
 * gone, because others may just be replacing it.
 */
async function findByName(context: CallContext, kind: Defined, name: string): Promise<readonly object[]> {
  const requests = kind.requests(context);
  if (!kind.isIdName || !(await requests.isListed(name))) return [];
  const whole = await readNamed(context, () => kind.labelOf(name), requests, name);
  return whole === undefined ? [] : [whole];
}

function isFirstVersion(whole: object): boolean {
  const { createIndex, modifyIndex } = versionOf(whole);
  return createIndex === modifyIndex;
}
