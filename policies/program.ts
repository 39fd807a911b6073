import { boundNames } from "../access/graph";
import type { MappedNames } from "../access/reach";
import { mappedNamesIfKnown } from "../access/reach";
import type { TokenChecks } from "../access/shared-issuers";
import { isRecord, unknown } from "../provider/model/unknown";
import type { ResourceArgs } from "./policy";

/** A resource of the program, with the properties that policies look at. What a preview does not know is `unknown`. */
export interface SeenResource {
  readonly kind: SeenKind;
  readonly urn: string;
  readonly name: string;
  /** The provider, which stands for a cluster: names are those of one. */
  readonly cluster: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** A policy, and the role by which a rule gives it. */
export interface GivenPolicy {
  readonly policy: SeenResource;
  readonly role?: SeenResource;
}

/** Dynamic resources and those of the plugin. By text, because a program need not have the other's classes. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/agentpool-acl|agentpool-acl:index):(\w+)$/;

/** What policies look at, by kind. Never all: secrets are not even read. */
const properties = {
  AclAuthMethod: ["name", "type", "maxTokenTtl", "tokenNameFormat", "config"],
  AclPolicy: ["name", "rules"],
  AclRole: ["name", "policies"],
  AclBindingRule: ["authMethod", "selector", "bindType", "bindName"],
  AclToken: ["type"],
} as const;

type SeenKind = keyof typeof properties;

function isSeen(kind: string): kind is SeenKind {
  return Object.hasOwn(properties, kind);
}

const configProperties = ["oidcDiscoveryUrl", "jwksUrl", "jwtValidationPubKeys", "boundIssuer", "claimMappings", "listClaimMappings"];

/** The resources of the program that policies have seen until now. */
export class SeenProgram {
  private readonly resources = new Map<string, SeenResource>();
  /** By kind and cluster, and then by URN: a resource may be seen more than once. */
  private readonly ofOneKind = new Map<string, Map<string, SeenResource>>();
  private readonly names = new Map<string, ReadonlySet<string> | undefined>();

  /** @returns undefined for a resource of another type */
  see(args: ResourceArgs): SeenResource | undefined {
    const [, kind = ""] = TYPE.exec(args.type) ?? [];
    if (!isSeen(kind)) return undefined;
    const { urn, name, provider } = args;
    const resource = { kind, urn, name, cluster: provider?.urn ?? "", props: copyOf(args.props, properties[kind]) };
    this.resources.set(urn, resource);
    const key = keyOf(kind, resource.cluster);
    this.ofOneKind.set(key, (this.ofOneKind.get(key) ?? new Map()).set(urn, resource));
    this.names.delete(key);
    return resource;
  }

  has(urn: string): boolean {
    return this.resources.has(urn);
  }

  all(): SeenResource[] {
    return [...this.resources.values()];
  }

  /** The names of the objects of a kind in a cluster; undefined if one is not known before the update. */
  namesOf(kind: SeenKind, cluster: string): ReadonlySet<string> | undefined {
    const key = keyOf(kind, cluster);
    if (!this.names.has(key)) this.names.set(key, knownNames(this.ofKind(kind, cluster)));
    return this.names.get(key);
  }

  /** What the method of a rule maps; undefined if it was not seen, or is not known before the update. */
  mappedBy(rule: SeenResource): MappedNames | undefined {
    const method = this.methodOf(rule);
    return method && mappedNamesOf(method);
  }

  /** The method of a rule; undefined if it was not seen, or its name is not known before the update. */
  methodOf({ cluster, props: { authMethod } }: SeenResource): SeenResource | undefined {
    return this.ofKind("AclAuthMethod", cluster).find(({ props }) => typeof authMethod === "string" && props.name === authMethod);
  }

  /** The policies of the program that a rule gives, by itself or by a role. What is not known before the update is left out. */
  givenBy({ cluster, props: { bindType, bindName } }: SeenResource): GivenPolicy[] {
    const names = typeof bindName === "string" ? boundNames(bindName, undefined) : undefined;
    const isGiven = ({ props: { name } }: SeenResource) => typeof name === "string" && names?.test(name) === true;
    const policies = this.ofKind("AclPolicy", cluster);
    if (bindType === "policy") return policies.filter(isGiven).map((policy) => ({ policy }));
    if (bindType !== "role") return [];
    return this.ofKind("AclRole", cluster)
      .filter(isGiven)
      .flatMap((role) => {
        const held = role.props.policies;
        return policies.filter(({ props: { name } }) => Array.isArray(held) && held.includes(name)).map((policy) => ({ policy, role }));
      });
  }

  private ofKind(kind: SeenKind, cluster: string): SeenResource[] {
    return [...(this.ofOneKind.get(keyOf(kind, cluster))?.values() ?? [])];
  }
}

function keyOf(kind: SeenKind, cluster: string): string {
  return `${kind} ${cluster}`;
}

function knownNames(resources: readonly SeenResource[]): ReadonlySet<string> | undefined {
  const names = resources.map(({ props }) => props.name);
  return names.every((name) => typeof name === "string") ? new Set(names) : undefined;
}

/** What a method maps; undefined if that is not known before the update. */
export function mappedNamesOf({ props: { config } }: SeenResource): MappedNames | undefined {
  return isRecord(config) ? mappedNamesIfKnown(config.claimMappings, config.listClaimMappings) : undefined;
}

/** What of a method decides whose tokens it takes. */
export function checksOf({ props: { type, config } }: SeenResource): TokenChecks {
  return { ...(isRecord(config) && config), type };
}

function copyOf(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, readable(object, name)]));
}

/** A property, with all that is in it. @throws what a read of the property throws, unless it says that the value is not known yet */
function readable(object: object, name: string): unknown {
  let value: unknown;
  try {
    value = Reflect.get(object, name);
  } catch (error) {
    if (error instanceof Error && "unknownTypeSentinel" in error) return unknown;
    throw error;
  }
  if (Array.isArray(value)) {
    const list = value;
    return Array.from({ length: list.length }, (_, index) => readable(list, String(index)));
  }
  if (!isRecord(value)) return value;
  return copyOf(value, name === "config" ? configProperties : Object.keys(value));
}
