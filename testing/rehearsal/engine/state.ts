import type { PropertyMap } from "./values";

/** One resource of a stack's state. */
export interface ResourceState {
  urn: string;
  type: string;
  /** false for a component, which no provider manages. */
  custom: boolean;
  /** The URN of the explicit provider that serves it; absent for the default one. */
  provider?: string | undefined;
  /** Absent for components and, in a preview, for objects to create. */
  id?: string | undefined;
  inputs: PropertyMap;
  outputs: PropertyMap;
  parent?: string | undefined;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  protect?: boolean | undefined;
  retainOnDelete?: boolean | undefined;
  /** The URN of a resource whose delete also deletes this object. */
  deletedWith?: string | undefined;
  /** Whether the program only reads the object (`get`), so no operation updates or deletes it. */
  external?: boolean | undefined;
  /** Whether the object was replaced, and its delete is pending. */
  delete?: boolean | undefined;
  /** Whether the object was deleted, and its replacement has not been created yet. */
  pendingReplacement?: boolean | undefined;
  /** The reasons why the object is incomplete; the next update tries again. */
  initErrors: string[];
  additionalSecretOutputs: string[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  /** The time of its creation, ISO 8601. */
  created?: string | undefined;
  /** The time of the last change of its properties, ISO 8601. */
  modified?: string | undefined;
}

export interface ConfigValue {
  value: string;
  secret?: boolean | undefined;
}

/** The state of a stack between two operations. */
export interface StackState {
  project: string;
  stack: string;
  /** The configuration of the last update, with full keys: a refresh and a destroy use it. */
  config: Record<string, ConfigValue>;
  /** A resource comes after everything that it depends on. */
  resources: ResourceState[];
}

export function emptyState(project: string, stack: string): StackState {
  return { project, stack, config: {}, resources: [] };
}

/**
 * The resources while an operation runs: first the finished ones, in the order of their ends, then the others. So the state is always
 * complete and in order, even if the operation ends early.
 */
export class Snapshot {
  private finished: ResourceState[] = [];
  private readonly gone = new Set<ResourceState>();
  private readonly renamed = new Map<string, string>();

  constructor(private base: ResourceState[]) {}

  /** The resources at the start of the operation, or after its refresh. */
  get olds(): readonly ResourceState[] {
    return this.base;
  }

  /** The old resource of this URN, except for pending deletes. */
  old(urn: string): ResourceState | undefined {
    return this.base.find((resource) => resource.urn === urn && !resource.delete);
  }

  add(resource: ResourceState): void {
    this.finished.push(resource);
  }

  remove(resource: ResourceState): void {
    this.gone.add(resource);
  }

  /** Once the resource of the new URN is finished, references to its alias become references to it. */
  rename(alias: string, urn: string): void {
    this.renamed.set(alias, urn);
  }

  rebase(resources: ResourceState[]): void {
    this.base = resources;
  }

  resources(): ResourceState[] {
    const all = [...this.finished, ...this.base].filter((resource) => !this.gone.has(resource));
    if (this.renamed.size === 0) return all;
    const finished = new Set(this.finished.map((resource) => resource.urn));
    const current = (urn: string): string => {
      const renamed = this.renamed.get(urn);
      return renamed !== undefined && finished.has(renamed) ? renamed : urn;
    };
    return all.map((resource) => ({
      ...resource,
      parent: resource.parent && current(resource.parent),
      provider: resource.provider && current(resource.provider),
      deletedWith: resource.deletedWith && current(resource.deletedWith),
      dependencies: resource.dependencies.map(current),
      propertyDependencies: mapValues(resource.propertyDependencies, (urns) => urns.map(current)),
    }));
  }
}

export function mapValues<T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
