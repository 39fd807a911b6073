import type { ResourceState } from "./state";

/** The URNs that must exist for this resource to exist, except the parent. */
export function dependenciesOf(resource: ResourceState): Set<string> {
  const { dependencies, propertyDependencies, provider, deletedWith } = resource;
  const others = [provider, deletedWith].filter((urn) => urn !== undefined);
  return new Set([...dependencies, ...Object.values(propertyDependencies).flat(), ...others]);
}

/** Everything that depends on the root, directly or not, in the order of the state, without the resources in `ignored`. */
export function dependentsOf(root: ResourceState, all: readonly ResourceState[], ignored: ReadonlySet<string>): ResourceState[] {
  const reached = new Set([root.urn]);
  const dependents: ResourceState[] = [];
  for (const candidate of all.slice(all.indexOf(root) + 1)) {
    if (ignored.has(candidate.urn) || ![...dependenciesOf(candidate)].some((urn) => reached.has(urn))) continue;
    reached.add(candidate.urn);
    dependents.push(candidate);
  }
  return dependents;
}

/** The resources that must stay until `resource` is deleted: its dependencies and its parent. A dependency on a component includes its children. */
export function anchorsOf(resource: ResourceState, all: readonly ResourceState[]): Set<ResourceState> {
  const before = all.slice(0, all.indexOf(resource));
  const names = dependenciesOf(resource);
  const anchors = new Set<ResourceState>();
  for (const candidate of before) {
    if (candidate.urn === resource.parent) anchors.add(candidate);
    if (!names.has(candidate.urn)) continue;
    anchors.add(candidate);
    if (candidate.custom) continue;
    for (const other of before) if (isWithin(other, candidate.urn, all)) anchors.add(other);
  }
  return anchors;
}

function isWithin(resource: ResourceState, component: string, all: readonly ResourceState[]): boolean {
  if (resource.parent === undefined || resource.parent === component) return resource.parent === component;
  const parent = all.find((other) => other.urn === resource.parent);
  return parent !== undefined && isWithin(parent, component, all);
}

/**
 * Groups of resources in the order of their deletes. The members of a group can be deleted at the same time. Dependents are in an earlier
 * group than their dependencies.
 */
export function deletionWaves(condemned: readonly ResourceState[], all: readonly ResourceState[]): ResourceState[][] {
  const left = new Set(condemned);
  const anchors = new Map(condemned.map((resource) => [resource, anchorsOf(resource, all)]));
  const waves: ResourceState[][] = [];
  while (left.size > 0) {
    const free = [...left].filter((resource) => ![...(anchors.get(resource) ?? [])].some((anchor) => left.has(anchor)));
    for (const resource of free) left.delete(resource);
    waves.unshift(free);
  }
  return waves;
}
