import type { PropertyMap } from "./values";

/** One resource of a stack's state. */
export interface ResourceState {
  urn: string;
  type: string;
  /** false for a component, which no provider manages. */
  custom: boolean;
  /** The URN of the explicit provider that serves it; absent for the default one. */
  provider?: string;
  /** Absent for components and, in a preview, for objects to create. */
  id?: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
  parent?: string;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  protect?: boolean;
  retainOnDelete?: boolean;
  /** Read, not managed (`get`): never updated or deleted. */
  external?: boolean;
  /** Replaced, and still to be deleted. */
  delete?: boolean;
  /** Deleted; its replacement has not been created yet. */
  pendingReplacement?: boolean;
  /** Why the object is not complete; the next update tries again. */
  initErrors?: string[];
  additionalSecretOutputs?: string[];
  ignoreChanges?: string[];
  replaceOnChanges?: string[];
  /** When it was created and when its properties changed last, ISO 8601. */
  created?: string;
  modified?: string;
}

export interface ConfigValue {
  value: string;
  secret?: boolean;
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
 * The resources while an operation runs: first the finished ones, in the order in which they finished, then those that the operation has
 * not reached. So the state is complete and in order at any moment, also when the operation ends early.
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

  /** The old resource of this URN, except one that is still to be deleted. */
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
    return all.map((resource) => withReferences(resource, current));
  }
}

/** The same resource with its references to others rewritten. */
function withReferences(resource: ResourceState, rewrite: (urn: string) => string): ResourceState {
  const rewriteAll = (urns: string[]): string[] => urns.map(rewrite);
  return {
    ...resource,
    ...(resource.parent !== undefined && { parent: rewrite(resource.parent) }),
    ...(resource.provider !== undefined && { provider: rewrite(resource.provider) }),
    dependencies: rewriteAll(resource.dependencies),
    propertyDependencies: mapValues(resource.propertyDependencies, rewriteAll),
  };
}

export function mapValues<T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
