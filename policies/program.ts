import { boundNames } from "../access/bound-names";
import type { PoliciesByName, PolicyFacts } from "../access/policy/management";
import { jobOf } from "../access/policy/management";
import type { Declared } from "../checks";
import { Program } from "../checks";
import { isKnown, isRecord, unknown } from "../common/unknown";
import { urlOf } from "../common/url";
import type { ResourceArgs } from "./policy";

/** A resource of the program, with the properties that policies look at. */
export interface SeenResource extends Declared {
  readonly urn: string;
  readonly name: string;
  /** The resources that may be on the same cluster, in which names are unique. */
  readonly program: Program;
  /** Whether it comes from the state, because the update leaves it out. */
  readonly isOutside: boolean;
  /** Another resource with the same object name, if policies can't tell which of the two has the object. */
  readonly namesake?: Namesake | undefined;
}

/** A resource with the same object name. Either only one of the two is dynamic, or both are on one cluster. */
export interface Namesake {
  readonly name: string;
  readonly reason: "adapters" | "cluster";
}

/** A policy, and the role through which a rule gives it. */
export interface GivenPolicy {
  readonly policy: Declared;
  readonly role?: Declared;
}

/** Types of dynamic and plugin resources. Matched as texts, because a program may lack the classes of one of the two. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/agentpool-acl|agentpool-acl:index):(\w+)$/;

/** The properties that policies check, by kind. Secrets are never read. */
const properties = {
  AclAuthMethod: ["name", "type", "maxTokenTtl", "tokenNameFormat", "config"],
  AclPolicy: ["name", "rules", "jobAcl"],
  AclRole: ["name", "policies"],
  AclBindingRule: ["authMethod", "selector", "bindType", "bindName"],
  AclToken: ["type", "policies", "roles"],
} as const;

function isSeen(kind: string): kind is keyof typeof properties {
  return Object.hasOwn(properties, kind);
}

const configProperties = [
  "oidcDiscoveryUrl",
  "jwksUrl",
  "jwtValidationPubKeys",
  "boundIssuer",
  "boundAudiences",
  "claimMappings",
  "listClaimMappings",
];

/** The resources that policies have seen so far. */
export class SeenResources {
  private readonly resources = new Map<string, SeenResource>();
  /** The resources of each cluster, by the cluster's address. Each has the dynamic resources, too. */
  private readonly programs = new Map<string, Program>();
  /** All resources. Any of them may be on the cluster of a dynamic one. */
  private readonly whole = new Program();

  /**
   * @param isOutside whether the resource comes from the state, because the update leaves it out
   * @returns undefined for a resource of another type, or if a resource of the update has taken over the object of one outside
   */
  see({ type, urn, name, provider, props }: ResourceArgs, isOutside = false): SeenResource | undefined {
    const [, kind = ""] = TYPE.exec(type) ?? [];
    if (!isSeen(kind)) return undefined;
    const inputs = copyOf(props, properties[kind]);
    const cluster = clusterOf(provider);
    const program = cluster === undefined ? this.whole : this.programOf(cluster);
    const current = this.resources.get(program.named(kind, inputs.name)?.urn ?? "");
    if (isOutside && current?.program === program && !current.isOutside) return undefined;
    return this.add({ kind, inputs, name, urn, program, isOutside });
  }

  /**
   * Sees all resources at the end. The values of those that were seen may differ: a new object gets the program's values in spite of
   * `ignoreChanges`, but the engine asks with those of the state. If a value is missing or unknown, as in some previews, the earlier one
   * counts.
   */
  seeAtEnd(resources: readonly ResourceArgs[]): void {
    const outside = resources.filter(({ urn }) => !this.resources.has(urn));
    for (const { urn, props } of resources) {
      const before = this.resources.get(urn);
      if (!before) continue;
      const known = Object.entries(copyOf(props, Object.keys(before.inputs))).filter(([, value]) => isKnown(value));
      const inputs = { ...before.inputs, ...Object.fromEntries(known) };
      if (JSON.stringify(inputs) !== JSON.stringify(before.inputs)) this.add({ ...before, inputs });
    }
    for (const args of outside) this.see(args, true);
  }

  private add(own: SeenResource): SeenResource {
    const { kind, inputs, name, urn, program } = own;
    const others = program === this.whole ? this.programs.values() : [program];
    for (const one of [...others, this.whole]) one.add({ kind, inputs, name, urn });
    const resource = { ...own, namesake: this.namesakeOf(own) };
    this.resources.set(urn, resource);
    return resource;
  }

  private namesakeOf({ kind, inputs, urn, program }: SeenResource): Namesake | undefined {
    const same = typeof inputs.name === "string" ? program.allNamed(kind, inputs.name) : [];
    const other = this.resources.get(same.find((one) => one.urn !== urn)?.urn ?? "");
    const isDynamic = (of: Program) => of === this.whole;
    return other && { name: other.name, reason: isDynamic(other.program) === isDynamic(program) ? "cluster" : "adapters" };
  }

  private programOf(cluster: string): Program {
    const known = this.programs.get(cluster);
    if (known) return known;
    const program = new Program();
    this.programs.set(cluster, program);
    for (const { program: of, ...dynamic } of this.resources.values()) if (of === this.whole) program.add(dynamic);
    return program;
  }

  all(): SeenResource[] {
    return [...this.resources.values()];
  }
}

/**
 * The address of a provider's cluster, or the provider itself if the address is unknown. Without an address, it is the one of the
 * environment. Undefined for dynamic resources, which do not show the stack's configuration.
 */
function clusterOf({ urn = "", props = {} }: Partial<NonNullable<ResourceArgs["provider"]>> = {}): string | undefined {
  if (!ofPlugin.test(urn)) return undefined;
  return placeOf(readable(props, "clusterAddress") || process.env.NOMAD_ADDR || "") ?? urn;
}

/** The URNs of the plugin's providers. In a component, the component's type stands before the provider's. */
const ofPlugin = /[:$]pulumi:providers:agentpool-acl::/;

/** An address in one spelling; undefined if it is unknown or no address. */
function placeOf(address: unknown): string | undefined {
  const url = typeof address === "string" ? urlOf(address) : undefined;
  if (!url) return address === "" ? "" : undefined;
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "").replace(/\/+$/, "");
}

/** The policies of the program that a rule gives, directly or through a role. Policies that are unknown before the update are left out. */
export function givenBy({ program, inputs: { bindType, bindName } }: SeenResource): GivenPolicy[] {
  const names = typeof bindName === "string" ? boundNames(bindName, undefined) : undefined;
  const isGiven = ({ inputs: { name } }: Declared) => typeof name === "string" && names?.test(name) === true;
  const given = (kind: string) => program.ofKind(kind).filter(isGiven);
  if (bindType === "policy") return given("AclPolicy").map((policy) => ({ policy }));
  return bindType === "role" ? given("AclRole").flatMap((role) => policiesOf(role, program).map((policy) => ({ policy, role }))) : [];
}

/** The policies of the program that a role or a token has, including those of the program's roles that a token names. */
export function policiesOf({ inputs: { policies, roles } }: Declared, program: Program): Declared[] {
  const among = (kind: string, names: unknown) =>
    program.ofKind(kind).filter(({ inputs: { name } }) => typeof name === "string" && Array.isArray(names) && names.includes(name));
  const ofRoles = among("AclRole", roles).flatMap((role) => policiesOf(role, program));
  return [...new Set([...among("AclPolicy", policies), ...ofRoles])];
}

/** The policies of a program with known names. */
export function policiesByName(program: Program): PoliciesByName {
  return Object.fromEntries(
    program.ofKind("AclPolicy").flatMap(({ inputs: { name, rules, jobAcl } }): [string, PolicyFacts][] => {
      // Who may submit a job that is known only in part, is uncertain.
      const job = jobOf(jobAcl);
      return typeof name === "string" ? [[name, { rules: typeof rules === "string" ? rules : undefined, ...(job && { job }) }]] : [];
    }),
  );
}

function copyOf(object: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, readable(object, name)]));
}

/** Reads a property completely. @throws the error of the read, unless it is about an unknown value */
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
