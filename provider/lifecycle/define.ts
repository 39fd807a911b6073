import type * as z from "zod";
import { capitalized, withArticle } from "../../common/label";
import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import { noSuchObjectError } from "../../common/user-error";
import { type ApiError, isConflict } from "../apis/http/errors";
import { type Field, propertiesOf } from "../model/fields";
import { withoutLimits } from "../model/limits";
import { parseState, pick, stateSchema } from "../model/state";
import { labelInProgram, labelOfObject } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { check } from "./check";
import { create } from "./create";
import { remove } from "./delete";
import { diff, isWritten } from "./diff";
import { readListed, readOrMissing } from "./gone";
import type { Description, Kind, Types, TypesOf } from "./kind";
import { isKeptAfterEnd, list, read } from "./read";
import type { Resource, Revision } from "./resource";
import { serverOf } from "./state";
import { update } from "./update";
import { versionOf } from "./version";

/** The interface for both adapters, derived from the description of a kind. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject, Whole extends object, Item, Before = undefined>(
  description: Description<TypesOf<I, O, Whole, Item, Before>> & { readonly inputs: I; readonly outputs: O },
): Resource {
  const { inputs, outputs, label, isIdName = false } = description;
  const [inputFields, outputFields] = [propertiesOf(inputs), propertiesOf(outputs)];
  const sendable = withoutLimits(inputs);
  const state = stateSchema<I["shape"], O["shape"]>(inputs, outputs);
  const kind: Kind<TypesOf<I, O, Whole, Item, Before>> = {
    labelOf: (id, known) => (isIdName ? labelInProgram(label, id) : labelOfObject(label, id, nameIn(known))),
    labelOfExisting: (news) =>
      `${capitalized(withArticle(label))}${nameIn(news) === undefined ? "" : ` named ${JSON.stringify(nameIn(news))}`}`,
    isTaken: (error): error is ApiError => (isIdName || description.find !== undefined) && isConflict(error),
    isListed: async (context, id, scope) => (await kind.requests(context, scope).list()).some((item) => kind.idOf(item) === id),
    find: (context, news) => findByName(context, kind, String(nameIn(news))),
    looksFirst: isIdName,
    overwrite: () => undefined,
    ...(isIdName && { isOwnCreate: isFirstVersion }),
    toRemote(whole, server) {
      const properties = new Map([...inputFields, ...outputFields]);
      const values = pick(
        Object.fromEntries(Object.entries(whole).filter(([name, value]) => !isUnset(properties.get(name), value))),
        properties.keys(),
      );
      return { id: description.idOf(whole), inputs: pick(values, inputFields.keys()), outputs: outputs.parse({ ...values, server }) };
    },
    ...description,
    inputFields,
    outputFields,
    toNews: (news) => inputs.parse(news),
    toSent: (sent) => sendable.parse(sent),
    toKnown: (olds) => parseState(state, olds),
    completeOutputs: (known) => (inputs.safeParse(known).success ? outputs.safeParse(known).data : undefined),
  };
  const respelled = (context: CallContext, { olds, ...rest }: Revision): Revision => {
    return { olds: kind.respelled?.(context, olds, rest.news) ?? olds, ...rest };
  };
  return {
    kind: kind.kind,
    label: kind.label,
    api: kind.api,
    description: kind.description,
    isReadOnRequest: kind.isReadOnRequest === true,
    inputs: kind.inputFields,
    outputs: kind.outputFields,
    isKeptAfterEnd: (context, olds) => isKeptAfterEnd(context, kind, olds),
    identity: kind.identity,
    server: (context) => serverOf(context, kind),
    check: (given, news) => check(kind, given, news),
    diff: (context, id, revision) => diff(context, kind, id, respelled(context, revision)),
    writes: (context, revision) => isWritten(kind, respelled(context, revision)),
    create: (context, news) => create(context, kind, news),
    read: (context, id, olds) => read(context, kind, id, olds),
    noSuchObject: (id) => kind.noSuchObject?.(id) ?? noSuchObjectError(kind.label, id),
    update: (context, id, revision) => update(context, kind, id, respelled(context, revision)),
    delete: (context, id, olds) => remove(context, kind, id, olds),
    list: (context, organization) => list(context, kind, organization),
  };
}

function nameIn(values: unknown): string | undefined {
  const name = isRecord(values) ? ownProperty(values, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The API returns an empty text for an optional one that is not set. */
function isUnset(field: Field | undefined, value: unknown): boolean {
  return value === "" && field?.optional === true && field.defaultValue === undefined;
}

/** One list serves all creates at the same time. A write may replace what is there, so a list that has the name is not overruled by a 404. */
async function findByName<T extends Types>(context: CallContext, kind: Kind<T>, name: string): Promise<readonly T["Whole"][]> {
  const isListed = () => kind.isListed(context, name, undefined);
  if (!kind.isIdName || !(await isListed())) return [];
  const read = () => kind.requests(context).read(name);
  const whole = (await readOrMissing(read)) ?? (await readListed(context, kind.labelOf(name), read, isListed));
  return whole === undefined ? [] : [whole];
}

function isFirstVersion(whole: object): boolean {
  const { createIndex, modifyIndex } = versionOf(whole);
  return createIndex === modifyIndex;
}
