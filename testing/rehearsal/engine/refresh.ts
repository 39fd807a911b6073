import { diffResource } from "./diff";
import { limit } from "./limit";
import type { Operation } from "./operation";
import { messageOf, Stopped } from "./operation";
import type { ReadResult } from "./provider";
import { InitError } from "./provider";
import { changedProperties, describe } from "./report";
import type { ResourceState } from "./state";
import { mapValues } from "./state";
import { existingId, markSecretOutputs, requestFor } from "./steps";

/**
 * Updates the state with the objects that the providers read. A missing object leaves the state. An unreadable object stays unchanged and is
 * an error; the other objects are still read.
 */
export async function refresh(operation: Operation, deployment: { readonly isStopped: boolean }): Promise<void> {
  const { snapshot, report, parallel } = operation;
  const found = new Map<ResourceState, ResourceState | undefined>();
  const inTurn = limit(parallel);
  await Promise.all(
    snapshot.olds.map((old) =>
      inTurn(async () => {
        if (deployment.isStopped) return;
        report.started(describe("refresh", old.urn));
        try {
          found.set(old, await refreshOne(old, operation));
        } catch (error) {
          report.finished({ ...describe("refresh", old.urn), failed: true });
          report.log("error", messageOf(error), old.urn);
        }
      }),
    ),
  );
  snapshot.rebase(withoutDanglingReferences(snapshot.olds, found));
  operation.save();
  if (deployment.isStopped) throw new Stopped();
}

/** The current resource; undefined if it is gone. */
async function refreshOne(old: ResourceState, operation: Operation): Promise<ResourceState | undefined> {
  const { report } = operation;
  const described = describe("refresh", old.urn);
  if (!old.custom || old.pendingReplacement) {
    report.finished({ ...described, outcome: "same" });
    return old;
  }
  const { result, reasons } = await read(old, operation);
  if (result.id === "") {
    report.finished({ ...described, outcome: "delete" });
    return undefined;
  }
  const { id, inputs = old.inputs, outputs } = result;
  const fresh: ResourceState = { ...old, id, inputs, outputs, initErrors: reasons };
  markSecretOutputs(fresh);
  const changed = [...new Set([...changedProperties(old.inputs, fresh.inputs), ...changedProperties(old.outputs, fresh.outputs)])].sort();
  if (changed.length > 0) fresh.modified = operation.now().toISOString();
  const drifted = old.external ? changed.length > 0 : await hasDrifted(old, fresh, operation);
  report.finished({ ...described, outcome: drifted ? "update" : "same", changedProperties: changed.length > 0 ? changed : undefined });
  return fresh;
}

/** Reads an object. If the object is incomplete, a warning says so, and the next update tries to complete it. */
async function read(old: ResourceState, { provider, report }: Operation): Promise<{ result: ReadResult; reasons: string[] }> {
  try {
    const request = { ...requestFor(old), id: existingId(old), inputs: old.inputs, outputs: old.outputs };
    return { result: await provider.read(request), reasons: [] };
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    report.log("warning", `the object was read, but it is not complete: ${error.reasons.join("; ")}`, old.urn);
    return { result: { id: error.id, outputs: error.properties, inputs: undefined }, reasons: error.reasons };
  }
}

/** Compares the read object with the inputs, like the next update of an unchanged program. */
async function hasDrifted(old: ResourceState, fresh: ResourceState, operation: Operation): Promise<boolean> {
  const inputs = { olds: fresh.outputs, oldInputs: fresh.inputs, news: old.inputs, ignoreChanges: old.ignoreChanges };
  const diff = await diffResource(operation.provider, { ...requestFor(fresh), id: existingId(fresh), ...inputs });
  return diff.changes;
}

/** Removes references to deleted resources. The children of a deleted resource move to its parent. */
function withoutDanglingReferences(
  olds: readonly ResourceState[],
  found: ReadonlyMap<ResourceState, ResourceState | undefined>,
): ResourceState[] {
  const kept = olds.flatMap((old) => (found.has(old) ? (found.get(old) ?? []) : old));
  const urns = new Set(kept.map((resource) => resource.urn));
  const parents = new Map(olds.map((old) => [old.urn, old.parent]));
  const survivor = (urn: string | undefined): string | undefined => (urn === undefined || urns.has(urn) ? urn : survivor(parents.get(urn)));
  const existing = (list: string[]): string[] => list.filter((urn) => urns.has(urn));
  return kept.map((resource) => ({
    ...resource,
    parent: survivor(resource.parent),
    dependencies: existing(resource.dependencies),
    propertyDependencies: nonEmpty(mapValues(resource.propertyDependencies, existing)),
    deletedWith: existing(resource.deletedWith === undefined ? [] : [resource.deletedWith])[0],
  }));
}

/** Like the real engine, keeps a property after a refresh only when it depends on something. */
function nonEmpty(lists: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).filter(([, urns]) => urns.length > 0));
}
