import type { Operation } from "./operation";
import { EngineError } from "./operation";
import type { ResourceRequest } from "./provider";
import { InitError } from "./provider";
import type { RehearsedStep } from "./report";
import { changedProperties, describe } from "./report";
import type { ResourceState } from "./state";
import { parseUrn } from "./urn";
import type { PropertyMap } from "./values";
import { equal, isSecret, secret, UNKNOWN } from "./values";

export type PlannedStep =
  | { op: "same" | "update"; old: ResourceState; new: ResourceState }
  | { op: "create"; new: ResourceState }
  | { op: "create-replacement"; old: ResourceState; new: ResourceState; keys: string[]; deleteOldLater: boolean }
  /** Does nothing: reports that a replacement begins. */
  | { op: "replace"; old: ResourceState; new: ResourceState; keys: string[] }
  /** `recreate`: the old state stays until the new object exists, so a failed create is tried again. */
  | { op: "delete-replaced"; old: ResourceState; recreate: boolean }
  | { op: "delete"; old: ResourceState }
  | { op: "remove-pending-replace"; old: ResourceState }
  | { op: "read"; old: ResourceState | undefined; new: ResourceState }
  | { op: "read-replacement"; old: ResourceState; new: ResourceState };

export type Deletion = Extract<PlannedStep, { op: "delete" | "delete-replaced" | "remove-pending-replace" }>;

export function stepUrn(step: PlannedStep): string {
  return "new" in step ? step.new.urn : step.old.urn;
}

/** The step in the form of the report. */
export function describeStep(step: PlannedStep): RehearsedStep {
  const external = !("new" in step) && step.old.external === true;
  const op = external ? (step.op === "delete" ? "read-discard" : "discard-replaced") : step.op;
  const described = describe(op, stepUrn(step));
  if (step.op === "update" || step.op === "replace" || step.op === "create-replacement") {
    described.changedProperties = changedProperties(step.old.inputs, step.new.inputs);
  }
  if (step.op === "replace" || step.op === "create-replacement") described.replaceKeys = step.keys;
  return described;
}

/** Carries the step out and keeps the result. The object of an InitError is kept, too, before the error is thrown. */
export async function apply(step: PlannedStep, operation: Operation): Promise<void> {
  switch (step.op) {
    case "same":
      return applySame(step, operation);
    case "create":
    case "create-replacement":
      return applyCreate(step, operation);
    case "update":
      return applyUpdate(step, operation);
    case "read":
    case "read-replacement":
      return applyRead(step, operation);
    case "delete":
    case "delete-replaced":
      return applyDelete(step, operation);
    case "remove-pending-replace":
      operation.snapshot.remove(step.old);
      return operation.save();
    case "replace":
      return;
  }
}

export function requestFor(resource: ResourceState): ResourceRequest {
  const { type, name } = parseUrn(resource.urn);
  const { urn, provider } = resource;
  return { urn, type, name, provider };
}

/** The id of a resource that exists according to the state. */
export function existingId(resource: ResourceState): string {
  if (resource.id === undefined)
    throw new EngineError(resource.urn, `the state holds no id for ${resource.urn}: it was not written by this engine`);
  return resource.id;
}

/** Marks outputs as secret if the program declares them secret, or if the input of the same name is. */
export function markSecretOutputs(resource: ResourceState): void {
  const isMarked = (name: string): boolean => resource.additionalSecretOutputs.includes(name) || isSecret(resource.inputs[name]);
  const outputs = Object.entries(resource.outputs);
  resource.outputs = Object.fromEntries(outputs.map(([name, value]) => [name, isMarked(name) ? secret(value) : value]));
}

interface Existing {
  old: ResourceState;
  new: ResourceState;
}

function applySame({ old, new: state }: Existing, operation: Operation): void {
  keepIdentity(old, state);
  state.outputs = old.outputs;
  markSecretOutputs(state);
  operation.snapshot.remove(old);
  operation.snapshot.add(state);
  if (!equal(old, state)) operation.save();
}

async function applyCreate(step: Extract<PlannedStep, { op: "create" | "create-replacement" }>, operation: Operation): Promise<void> {
  const { new: state } = step;
  let failure: InitError | undefined;
  const { preview } = operation;
  if (isAssumed(state, operation)) {
    state.outputs = state.inputs;
  } else if (state.custom) {
    failure = await attempt(state, async () => {
      const { id, outputs } = await operation.provider.create({ ...requestFor(state), inputs: state.inputs, preview });
      if (!preview) state.id = id;
      return outputs;
    });
    if (!state.id && !preview)
      throw new EngineError(state.urn, `create of ${state.urn} returned no id: the provider must return the new object's id`);
  }
  state.created = state.modified = operation.now().toISOString();
  markSecretOutputs(state);
  operation.snapshot.add(state);
  if (step.op === "create-replacement") {
    if (step.deleteOldLater) step.old.delete = true;
    if (step.old.pendingReplacement) operation.snapshot.remove(step.old);
  }
  operation.save();
  if (failure) throw failure;
}

async function applyUpdate({ old, new: state }: Existing, operation: Operation): Promise<void> {
  keepIdentity(old, state);
  let failure: InitError | undefined;
  if (isAssumed(state, operation)) {
    state.outputs = state.inputs;
  } else if (state.custom) {
    const { preview } = operation;
    const request = { olds: old.outputs, oldInputs: old.inputs, news: state.inputs, ignoreChanges: state.ignoreChanges, preview };
    failure = await attempt(state, () => operation.provider.update({ ...requestFor(state), id: existingId(old), ...request }));
    state.modified = operation.now().toISOString();
  }
  markSecretOutputs(state);
  // The object does not have the new inputs: the next update must see the difference.
  if (failure) state.inputs = old.inputs;
  operation.snapshot.remove(old);
  operation.snapshot.add(state);
  operation.save();
  if (failure) throw failure;
}

/** Keeps the id, and the time of the last change. The planner has already kept the time of the creation. */
function keepIdentity(old: ResourceState, state: ResourceState): void {
  state.id = old.id;
  state.modified = old.modified;
}

/** Whether a preview uses the inputs as outputs, because it can't call the provider. */
function isAssumed(state: ResourceState, { preview, provider }: Operation): boolean {
  return state.custom && preview && !provider.supportsPreview(requestFor(state).type);
}

/** Keeps the outputs of a call. For an InitError, keeps the outputs of the existing object, and returns the error. */
async function attempt(state: ResourceState, call: () => Promise<PropertyMap>): Promise<InitError | undefined> {
  try {
    state.outputs = await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    state.id ??= error.id;
    state.outputs = error.properties;
    state.initErrors = error.reasons;
    return error;
  }
}

async function applyRead(step: Extract<PlannedStep, { op: "read" | "read-replacement" }>, operation: Operation): Promise<void> {
  const { old, new: state } = step;
  const id = existingId(state);
  if (id !== UNKNOWN) {
    const result = await operation.provider.read({ ...requestFor(state), id, inputs: state.inputs, outputs: state.inputs });
    if (result.id === "")
      throw new EngineError(state.urn, `${state.type} "${requestFor(state).name}": there is no object with the id "${id}" to get`);
    state.id = result.id;
    state.outputs = result.outputs;
  }
  markSecretOutputs(state);
  if (step.op === "read-replacement") step.old.delete = true;
  if (old) operation.snapshot.remove(old);
  operation.snapshot.add(state);
  operation.save();
}

async function applyDelete(step: Extract<PlannedStep, { op: "delete" | "delete-replaced" }>, operation: Operation): Promise<void> {
  const { old } = step;
  if (step.op === "delete" && old.protect) {
    const remedy = "remove `protect` from it in the program, run up, and delete it then";
    throw new EngineError(old.urn, `${old.urn} cannot be deleted because it is protected: ${remedy}`);
  }
  const goesWithAnother = old.deletedWith !== undefined && operation.deletes.has(old.deletedWith);
  if (old.custom && !operation.preview && !old.external && !old.retainOnDelete && !goesWithAnother) {
    await operation.provider.delete({ ...requestFor(old), id: existingId(old), outputs: old.outputs, oldInputs: old.inputs });
  }
  if (step.op === "delete-replaced" && step.recreate) old.pendingReplacement = true;
  else operation.snapshot.remove(old);
  operation.save();
}
