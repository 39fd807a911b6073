import type * as z from "zod";
import { type ApiError, isConflict } from "../apis/http/errors";
import { propertiesOf } from "../model/fields";
import { withoutLimits } from "../model/limits";
import { parseState, stateSchema } from "../model/state";
import type { CallContext } from "../operation/call-context";
import { check } from "./check";
import { create } from "./create";
import { remove } from "./delete";
import { diff, isWritten } from "./diff";
import type { Description, Kind, TypesOf } from "./kind";
import { warnOfCreateElsewhere } from "./move";
import { isKeptAfterEnd, list, read } from "./read";
import type { Resource, Revision } from "./resource";
import { serverOf } from "./server";
import { update } from "./update";

/** The interface for both adapters, derived from the description of a kind. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject, Whole, Item, Before = undefined>(
  description: Description<TypesOf<I, O, Whole, Item, Before>> & { readonly inputs: I; readonly outputs: O },
): Resource {
  const { inputs, outputs } = description;
  const sendable = withoutLimits(inputs);
  const state = stateSchema<I["shape"], O["shape"]>(inputs, outputs);
  const kind: Kind<TypesOf<I, O, Whole, Item, Before>> = {
    labelOfExisting: () => `An ${description.label}`,
    isTaken: (error): error is ApiError => description.find !== undefined && isConflict(error),
    find: async () => [],
    looksFirst: false,
    overwrite: () => undefined,
    ...description,
    inputFields: propertiesOf(inputs),
    outputFields: propertiesOf(outputs),
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
    policyNames: kind.policyNames,
    isReadOnRequest: kind.isReadOnRequest === true,
    inputs: kind.inputFields,
    outputs: kind.outputFields,
    isKeptAfterEnd: (context, olds) => isKeptAfterEnd(context, kind, olds),
    identity: kind.identity,
    server: (context) => serverOf(context, kind),
    check: (given, news) => check(kind, given, news),
    diff: (context, id, revision) => diff(context, kind, id, respelled(context, revision)),
    writes: (context, revision) => isWritten(kind, respelled(context, revision)),
    warnOfCreate: (context, news) => warnOfCreateElsewhere(context, kind, news),
    create: (context, news) => create(context, kind, news),
    read: (context, id, olds) => read(context, kind, id, olds),
    update: (context, id, revision) => update(context, kind, id, respelled(context, revision)),
    delete: (context, id, olds) => remove(context, kind, id, olds),
    list: (context, organization) => list(context, kind, organization),
  };
}
