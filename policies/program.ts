import { boundNames } from "../access/bound-names";
import type { Declared } from "../checks";
import { Program } from "../checks";
import { isRecord, unknown } from "../common/unknown";
import type { ResourceArgs } from "./policy";

/** A resource of the program, with the properties that policies look at. */
export interface SeenResource extends Declared {
  readonly urn: string;
  readonly name: string;
  /** The other resources of its provider, which stands for a cluster: names are those of one. */
  readonly program: Program;
}

/** A policy, and the role by which a rule gives it. */
export interface GivenPolicy {
  readonly policy: Declared;
  readonly role?: Declared;
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

function isSeen(kind: string): kind is keyof typeof properties {
  return Object.hasOwn(properties, kind);
}

const configProperties = ["oidcDiscoveryUrl", "jwksUrl", "jwtValidationPubKeys", "boundIssuer", "claimMappings", "listClaimMappings"];

/** The resources that policies have seen until now. */
export class SeenResources {
  private readonly resources = new Map<string, SeenResource>();
  private readonly programs = new Map<string, Program>();

  /** @returns undefined for a resource of another type */
  see({ type, urn, name, provider, props }: ResourceArgs): SeenResource | undefined {
    const [, kind = ""] = TYPE.exec(type) ?? [];
    if (!isSeen(kind)) return undefined;
    const cluster = provider?.urn ?? "";
    const program = this.programs.get(cluster) ?? new Program();
    this.programs.set(cluster, program);
    const inputs = copyOf(props, properties[kind]);
    program.add({ kind, inputs, name, urn });
    const resource = { kind, inputs, name, urn, program };
    this.resources.set(urn, resource);
    return resource;
  }

  has(urn: string): boolean {
    return this.resources.has(urn);
  }

  all(): SeenResource[] {
    return [...this.resources.values()];
  }
}

/** The policies of the program that a rule gives, by itself or by a role. What is not known before the update is left out. */
export function givenBy({ program, inputs: { bindType, bindName } }: SeenResource): GivenPolicy[] {
  const names = typeof bindName === "string" ? boundNames(bindName, undefined) : undefined;
  const isGiven = ({ inputs: { name } }: Declared) => typeof name === "string" && names?.test(name) === true;
  const policies = program.ofKind("AclPolicy");
  if (bindType === "policy") return policies.filter(isGiven).map((policy) => ({ policy }));
  if (bindType !== "role") return [];
  return program
    .ofKind("AclRole")
    .filter(isGiven)
    .flatMap((role) => {
      const held = role.inputs.policies;
      return policies.filter(({ inputs: { name } }) => Array.isArray(held) && held.includes(name)).map((policy) => ({ policy, role }));
    });
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
