import { randomBytes } from "node:crypto";
import { diffResource, INIT_ERROR, replaceKeys } from "./diff";
import { dependentsOf } from "./graph";
import type { Operation } from "./operation";
import { EngineError, messageOf } from "./operation";
import { keepOldValues } from "./paths";
import type { DiffResult } from "./provider";
import { changedProperties } from "./report";
import type { ResourceState } from "./state";
import type { Deletion, PlannedStep } from "./steps";
import { existingId, requestFor } from "./steps";
import type { Alias, UrnSource } from "./urn";
import { aliasUrns, makeUrn } from "./urn";
import type { PropertyMap } from "./values";
import { UNKNOWN } from "./values";

/** The properties of a resource that the program declares and the state keeps. */
type Declared =
  | (
      | "type"
      | "custom"
      | "provider"
      | "parent"
      | "inputs"
      | "dependencies"
      | "propertyDependencies"
      | "protect"
      | "retainOnDelete"
      | "deletedWith"
    )
  | ("ignoreChanges" | "replaceOnChanges" | "additionalSecretOutputs");

/** A resource as the program registers it. `provider` is the URN of an explicit one. */
export interface Goal extends Pick<ResourceState, Declared> {
  name: string;
  /** undefined: the provider decides. */
  deleteBeforeReplace?: boolean | undefined;
  aliases: Alias[];
}

/** An object that the program only reads (`get`). */
export interface ReadGoal
  extends Pick<Goal, "type" | "name" | "parent" | "provider" | "inputs" | "dependencies" | "additionalSecretOutputs"> {
  id: string;
}

/** A goal with its old state and its checked inputs. */
interface Candidate {
  goal: Goal;
  old: ResourceState;
  state: ResourceState;
}

/**
 * Decides the steps for each resource, by the engine's rules. It decides about one resource after the other, in the order in which the
 * program registers them; steps of several resources may run at the same time.
 */
export class Planner {
  private readonly registered = new Set<string>();
  /** The new URN of each alias that was found in the old state. */
  private readonly urnsByAlias = new Map<string, string>();
  /** The alias by which the old state of each new URN was found. */
  private readonly formerly = new Map<string, string>();
  private readonly decided = new Set<string>();
  /**
   * The resources that this operation deletes because it replaces one of their dependencies, with the properties that force this. Most of
   * them are created again.
   */
  private readonly deletedFirst = new Map<string, string[]>();
  private readonly deletedStates = new Set<ResourceState>();
  /** The URNs of resources that this operation replaces. */
  private readonly replaced = new Set<string>();

  constructor(private readonly operation: Operation) {}

  /** The steps for a resource that the program registers. Throws an EngineError, or the provider's error. */
  async register(goal: Goal): Promise<PlannedStep[]> {
    const urn = this.claim(goal);
    const old = this.findOld(urn, goal);
    const recreated = this.deletedFirst.get(urn);
    const state = { ...newState(urn, goal), created: old?.created };
    const anew = recreated !== undefined || old === undefined || old.external === true || this.isForced(urn);
    if (old !== undefined) state.inputs = this.withIgnored(urn, goal, old);
    if (goal.custom) state.inputs = await (anew ? this.check(state, goal.inputs, {}) : this.check(state, state.inputs, old.inputs));
    this.decided.add(urn);
    if (old === undefined) return [{ op: "create", new: state }];
    if (recreated !== undefined) {
      this.deletedFirst.delete(urn);
      this.operation.deletes.delete(urn);
      this.replaced.add(urn);
      return replacement(old, state, recreated, false);
    }
    if (old.external) {
      this.replaced.add(urn);
      return replacement(old, state, [], true);
    }
    return this.change({ goal, old, state });
  }

  /** The steps for an object that the program reads. */
  read(goal: ReadGoal): PlannedStep[] {
    const urn = this.claim(goal);
    const old = this.findOld(urn, { ...goal, aliases: [] });
    const fixed = { custom: true, propertyDependencies: {}, ignoreChanges: [], replaceOnChanges: [] };
    const state = { ...newState(urn, { ...goal, ...fixed }), id: goal.id, external: true };
    this.decided.add(urn);
    if (old === undefined || old.external || old.id === goal.id) return [{ op: "read", old, new: state }];
    return [
      { op: "read-replacement", old, new: state },
      { op: "replace", old, new: state, keys: ["id"] },
    ];
  }

  /** The steps for unregistered resources, and for replaced ones with a pending delete. */
  deletions(): Deletion[] {
    const steps = this.operation.snapshot.olds.flatMap((old): Deletion[] => {
      const isDecided = this.decided.has(this.urnsByAlias.get(old.urn) ?? old.urn);
      if (old.delete) return this.deletedStates.has(old) ? [] : [{ op: "delete-replaced", old, recreate: false }];
      if (isDecided) return [];
      return [old.pendingReplacement ? { op: "remove-pending-replace", old } : { op: "delete", old }];
    });
    for (const { old } of steps) this.operation.deletes.add(old.urn);
    return steps;
  }

  private isForced(urn: string): boolean {
    return this.operation.replace.has(urn);
  }

  private claim({ parent, type, name }: Pick<Goal, "parent" | "type" | "name">): string {
    const urn = makeUrn(this.operation.stack, this.operation.project, parent, type, name);
    if (parent !== undefined && !this.registered.has(parent)) {
      throw new EngineError(urn, `${type} "${name}": its parent ${parent} is not registered; create the parent first`);
    }
    if (this.registered.has(urn)) {
      throw new EngineError(urn, `there are two resources with the URN ${urn}: give one of them another name`);
    }
    this.registered.add(urn);
    return urn;
  }

  private findOld(urn: string, goal: Pick<UrnSource, "type" | "name" | "parent" | "aliases">): ResourceState | undefined {
    const { snapshot, stack, project } = this.operation;
    const taker = this.urnsByAlias.get(urn);
    if (taker !== undefined) throw new EngineError(urn, `${urn} is an alias of ${taker}, which has taken its state over: remove the alias`);
    const known = snapshot.old(urn);
    if (known !== undefined) return known;
    const { type, name, parent, aliases } = goal;
    for (const alias of aliasUrns({ stack, project, type, name, parent, aliases }, this.formerly)) {
      const old = snapshot.old(alias);
      if (old === undefined) continue;
      const other = this.urnsByAlias.get(alias) ?? (this.registered.has(alias) ? alias : undefined);
      if (other !== undefined)
        throw new EngineError(urn, `${urn} has the alias ${alias}, but that state belongs to ${other}: remove the alias`);
      this.urnsByAlias.set(alias, urn);
      this.formerly.set(urn, alias);
      snapshot.rename(alias, urn);
      return old;
    }
    return undefined;
  }

  private withIgnored(urn: string, goal: Goal, old: ResourceState): PropertyMap {
    const { inputs, impossible } = keepOldValues(goal.inputs, old.inputs, goal.ignoreChanges);
    if (impossible.length > 0) {
      const paths = impossible.join(", ");
      this.operation.report.log("info", `cannot ignore changes in added or removed elements of the path: ${paths}`, urn);
    }
    return inputs;
  }

  private async check(state: ResourceState, news: PropertyMap, olds: PropertyMap): Promise<PropertyMap> {
    const request = requestFor(state);
    const result = await about(state.urn, this.operation.provider.check({ ...request, olds, news, randomSeed: randomBytes(32) }));
    if (result.failures.length === 0) return result.inputs;
    const messages = result.failures.map(({ property, reason }) => `${property === "" ? "" : `property ${property}: `}${reason}`);
    throw new EngineError(state.urn, ...messages.map((failure) => `${request.type} "${request.name}": ${failure}`));
  }

  /** The steps for a resource that exists: same, update or replacement. */
  private async change(candidate: Candidate): Promise<PlannedStep[]> {
    const { goal, old, state } = candidate;
    const diff = await this.diff(candidate);
    const unfinished = old.initErrors.length > 0;
    const keys = replaceKeys(diff, goal.replaceOnChanges, unfinished);
    const changes = diff.changes || keys.includes(INIT_ERROR);
    if (old.pendingReplacement || (changes && keys.length > 0)) return this.replace(candidate, diff, keys);
    return [{ op: changes || unfinished ? "update" : "same", old, new: state }];
  }

  private async diff({ goal, old, state }: Candidate): Promise<DiffResult> {
    const replacedBy = (key: string) => ({ changes: true, replaces: [key], deleteBeforeReplace: false, changed: [] });
    if (this.isForced(state.urn)) return replacedBy("id");
    if (state.deletedWith !== undefined && this.replaced.has(state.deletedWith)) return replacedBy("deletedWith");
    if (!goal.custom) {
      const changed = changedProperties(old.inputs, state.inputs);
      return { changes: changed.length > 0, replaces: [], deleteBeforeReplace: false, changed };
    }
    const inputs = { olds: old.outputs, oldInputs: old.inputs, news: state.inputs, ignoreChanges: goal.ignoreChanges };
    return about(state.urn, diffResource(this.operation.provider, { ...requestFor(state), id: existingId(old), ...inputs }));
  }

  private async replace({ goal, old, state }: Candidate, diff: DiffResult, keys: string[]): Promise<PlannedStep[]> {
    if (state.protect && old.protect) {
      const message = `${state.urn} cannot be replaced because it is protected: remove \`protect\` from it in the program and run up`;
      if (!this.operation.preview) throw new EngineError(state.urn, message);
      this.operation.report.log("error", message, state.urn);
    }
    // Values that check took from the old inputs must not reach the new object.
    if (goal.custom && !this.isForced(state.urn)) state.inputs = await this.check(state, goal.inputs, {});
    this.replaced.add(state.urn);
    const deleteFirst = goal.deleteBeforeReplace ?? diff.deleteBeforeReplace;
    if (!deleteFirst) return replacement(old, state, keys, true);
    const deletions = await this.deleteDependents(old);
    if (!old.pendingReplacement) {
      this.operation.deletes.add(old.urn);
      deletions.push({ op: "delete-replaced", old, recreate: true });
    }
    return [...deletions, ...replacement(old, state, keys, false)];
  }

  /** Deletes, in reverse order, all resources that must be replaced when `root` is deleted. */
  private async deleteDependents(root: ResourceState): Promise<PlannedStep[]> {
    const steps: PlannedStep[] = [];
    const replaced = new Set([root.urn]);
    // A resource that was registered in this run does not depend on the root any more, even if it did in the old state.
    const settled = new Set([...this.decided, ...this.deletedFirst.keys()]);
    for (const dependent of dependentsOf(root, this.operation.snapshot.olds, settled)) {
      const keys = await this.keysForcedBy(replaced, dependent);
      if (keys === undefined) continue;
      replaced.add(dependent.urn);
      if (this.deletedStates.has(dependent)) continue;
      if (dependent.protect && !dependent.delete) {
        const reason = `it depends on ${root.urn}, which must be deleted first, and is protected`;
        throw new EngineError(dependent.urn, `${dependent.urn} cannot be replaced: ${reason}; remove \`protect\` from it and run up`);
      }
      this.deletedFirst.set(dependent.urn, keys);
      this.deletedStates.add(dependent);
      this.operation.deletes.add(dependent.urn);
      steps.unshift(dependent.delete ? { op: "delete", old: dependent } : { op: "delete-replaced", old: dependent, recreate: true });
    }
    return steps;
  }

  /** The properties that would replace this resource if its inputs from `replaced` changed; undefined when none would. */
  private async keysForcedBy(replaced: ReadonlySet<string>, resource: ResourceState): Promise<string[] | undefined> {
    if (!resource.custom || resource.external) return undefined;
    // The delete of the other resource also deletes this object, whatever its properties are.
    if (resource.deletedWith !== undefined && replaced.has(resource.deletedWith)) return [];
    const isAffected = (name: string): boolean => resource.propertyDependencies[name]?.some((urn) => replaced.has(urn)) === true;
    const names = Object.keys(resource.inputs);
    if (!names.some(isAffected)) return undefined;
    const news = Object.fromEntries(Object.entries(resource.inputs).map(([name, value]) => [name, isAffected(name) ? UNKNOWN : value]));
    const inputs = { olds: resource.outputs, oldInputs: resource.inputs, news, ignoreChanges: resource.ignoreChanges };
    const diff = await diffResource(this.operation.provider, { ...requestFor(resource), id: existingId(resource), ...inputs });
    const keys = replaceKeys(diff, resource.replaceOnChanges, false);
    return keys.length > 0 ? keys : undefined;
  }
}

/**
 * The steps of a replacement. The new object is created before the old one is deleted at the end of the operation (`deleteOldLater`), or
 * after the delete.
 */
function replacement(old: ResourceState, state: ResourceState, keys: string[], deleteOldLater: boolean): PlannedStep[] {
  const create: PlannedStep = { op: "create-replacement", old, new: state, keys, deleteOldLater };
  const replace: PlannedStep = { op: "replace", old, new: state, keys };
  return deleteOldLater ? [create, replace] : [replace, create];
}

function newState(urn: string, goal: Pick<Goal, Declared>): ResourceState {
  const { type, custom, provider, parent, inputs, dependencies, propertyDependencies } = goal;
  const { protect, retainOnDelete, deletedWith, ignoreChanges, replaceOnChanges, additionalSecretOutputs } = goal;
  return {
    ...{ urn, type, custom, provider, parent, inputs, outputs: {}, dependencies, propertyDependencies },
    ...{ protect, retainOnDelete, deletedWith, ignoreChanges, replaceOnChanges, additionalSecretOutputs, initErrors: [] },
  };
}

/** Adds the resource's URN to an error of the provider. */
async function about<T>(urn: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new EngineError(urn, messageOf(error));
  }
}
