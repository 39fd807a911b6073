import * as z from "zod";
import { type Absence, type ApiError, isApiError, isDenied } from "../http/errors";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { storeIndex } from "../http/store-index";
import { SharedList, Writes } from "../lists/shared-list";
import type { AuthMethod, AuthMethodInput, AuthMethodStub, AuthMethodUpdate } from "./auth-method";
import type { BindingRule, BindingRuleInput, BindingRuleStub } from "./binding-rule";
import * as all from "./kinds";
import { describeOwnToken } from "./own-token";
import * as policies from "./policy";
import type { Role, RoleInput } from "./role";

export type { AuthMethod, AuthMethodConfig, AuthMethodInput, AuthMethodStub, AuthMethodUpdate, Locality, MethodType } from "./auth-method";
export { isErased } from "./auth-method";
export type { BindingRule, BindingRuleInput, BindingRuleStub, BindType } from "./binding-rule";
export type { PolicyStub } from "./policy";
export type { Role, RoleInput } from "./role";

const kinds = { ...all };
const { methods, roles, rules } = kinds;

type Kind = keyof typeof kinds;
/** The kinds that a probe needs only the ID of. An object that is only looked up has none. */
type ManagedKind = { [K in Kind]: (typeof kinds)[K] extends { probe(id: string): unknown } ? K : never }[Kind];

/** The parts of the requests for the objects of a kind. */
interface ObjectKind<T> {
  readonly form: z.ZodType<T>;
  readonly path: string;
  readonly absence: Absence;
}

/** The same for a list of all of them. */
interface ListedKind<Item> {
  readonly list: z.ZodType<Item[]>;
  readonly listPath: string;
  readonly path: string;
}

/** The data that all views of one client share. */
interface Shared {
  /** The highest index of a read's response. */
  lastIndex: number | undefined;
  /** What the server says of the token, once it has refused it. */
  ownToken?: Promise<string | undefined>;
  readonly methods: SharedList<AuthMethodStub>;
  readonly roles: SharedList<Role>;
  readonly rules: SharedList<BindingRuleStub>;
  /** By the path of the kind. */
  readonly writes: Map<string, Writes>;
  /** The rules of earlier responses, by their versions. By the version in a list, the content of a rule may be known. */
  readonly ruleVersions: Map<string, BindingRule>;
}

/**
 * Auth methods, roles and binding rules ("Access-Control Interface"), and the names of policies. Every method rejects with an ApiError.
 * A delete of an object that is gone, and an update of a missing role or rule, reject with isNotFound(e).
 */
export class ClusterAclClient {
  private readonly shared: Shared;

  /** @param snapshotMs how long the `recent...` reads may use one list, in milliseconds; 0: not at all */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    private readonly context: RequestOptions = {},
    shared?: Shared,
  ) {
    this.shared = shared ?? this.share();
  }

  /** The same client with other options: where retries are reported, and the signal that stops it. */
  with(context: RequestOptions): ClusterAclClient {
    return new ClusterAclClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The server: its address, and the region where one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The highest index of the store in the reads until now. Only comparable with reads of the same region. */
  get lastIndex(): number | undefined {
    return this.shared.lastIndex;
  }

  /** "Auth methods: Create". Replaces a method of the same name without an error: read it first. */
  createAuthMethod(input: AuthMethodInput): Promise<AuthMethod> {
    return this.create(methods, methods.body(input), methods.secretsOf(input));
  }

  /** "Auth methods: Update". A given config replaces the stored one as a whole. */
  updateAuthMethod(name: string, input: AuthMethodUpdate): Promise<AuthMethod> {
    return this.update(methods, name, methods.body(input), methods.secretsOf(input));
  }

  /** "Auth methods: List". Simultaneous callers share a list, which begins after all of them have called. */
  listAuthMethods(): Promise<readonly AuthMethodStub[]> {
    return this.shared.methods.fresh(this.context);
  }

  /** The stub of a method from a list of the last seconds. Undefined does not mean that there is none: see {@link SharedList.recent}. */
  recentAuthMethod(name: string): Promise<AuthMethodStub | undefined> {
    return this.shared.methods.recent(name, this.context);
  }

  /** "Auth methods: Read by name". */
  readAuthMethod(name: string): Promise<AuthMethod> {
    return this.readOne(methods, [name], (method) => method.name === name);
  }

  /** "Auth methods: Delete". The method's binding rules stay. */
  deleteAuthMethod(name: string): Promise<void> {
    return this.remove(methods, name);
  }

  /** "Roles: Create". isConflict(e): the name is taken. */
  createRole(input: RoleInput): Promise<Role> {
    return this.create(roles, roles.body(input));
  }

  /** "Roles: Update". isConflict(e): the new name is taken. */
  updateRole(id: string, input: RoleInput): Promise<Role> {
    return this.update(roles, id, { ID: id, ...roles.body(input) });
  }

  /**
   * "Roles: List".
   *
   * @param filter.prefix start of the roles' ids: an even number of hexadecimal characters; anything else is rejected without a request
   */
  async listRoles(filter: { readonly prefix?: string | undefined } = {}): Promise<Role[]> {
    const prefix = filter.prefix?.toLowerCase() ?? "";
    if (!/^([0-9a-f]{2})*$/.test(prefix)) {
      throw this.http.refused(
        { operation: "read", method: "GET", path: ["v1", "acl", "roles"] },
        "prefix must be an even number of hexadecimal characters (0-9, a-f)",
      );
    }
    return this.read([roles.listPath], roles.list, { query: { prefix: prefix || undefined } });
  }

  /** A role from a list of the last seconds. Undefined does not mean that there is none: see {@link SharedList.recent}. */
  recentRole(id: string): Promise<Role | undefined> {
    return this.shared.roles.recent(id.toLowerCase(), this.context);
  }

  /** "Roles: Read by ID". */
  readRole(id: string): Promise<Role> {
    return this.readOne(roles, [id], (found) => sameId(found.id, id));
  }

  /** "Roles: Read by name". */
  readRoleByName(name: string): Promise<Role> {
    return this.readOne(roles, ["name", name], (found) => found.name === name);
  }

  /** "Roles: Delete". */
  deleteRole(id: string): Promise<void> {
    return this.remove(roles, id);
  }

  /** The policies, without their rules. Measured: the document has none. */
  listPolicies(): Promise<policies.PolicyStub[]> {
    return this.read([policies.listPath], policies.list);
  }

  /** "Binding rules: Create". After isAmbiguous(e) only its content shows whether the rule was created. */
  createBindingRule(input: BindingRuleInput): Promise<BindingRule> {
    return this.remembered(this.create(rules, { AuthMethod: input.authMethod, ...rules.body(input) }));
  }

  /** "Binding rules: Update". The auth method of a rule can't change. */
  updateBindingRule(id: string, input: Omit<BindingRuleInput, "authMethod">): Promise<BindingRule> {
    return this.remembered(this.update(rules, id, { ID: id, ...rules.body(input) }));
  }

  /** "Binding rules: List". Simultaneous callers share a list, which begins after all of them have called. */
  listBindingRules(): Promise<readonly BindingRuleStub[]> {
    return this.shared.rules.fresh(this.context);
  }

  /** The same, or a list of the last seconds where that is enough: see {@link SharedList.recentIf}. */
  recentBindingRulesIf(isEnough: (rules: readonly BindingRuleStub[]) => boolean): Promise<readonly BindingRuleStub[]> {
    return this.shared.rules.recentIf(isEnough, this.context);
  }

  /** The stub of a rule from a list of the last seconds. Undefined does not mean that there is none: see {@link SharedList.recent}. */
  recentBindingRule(id: string): Promise<BindingRuleStub | undefined> {
    return this.shared.rules.recent(id.toLowerCase(), this.context);
  }

  /** The whole rule of a stub: each version of a rule is requested once. */
  async readListedBindingRule(stub: BindingRuleStub): Promise<BindingRule> {
    return this.knownBindingRule(stub) ?? this.readBindingRule(stub.id);
  }

  /** The whole rule of a stub, where an earlier response had this version. */
  knownBindingRule(stub: BindingRuleStub): BindingRule | undefined {
    return this.shared.ruleVersions.get(versionOf(stub));
  }

  /** "Binding rules: Read by ID". */
  readBindingRule(id: string): Promise<BindingRule> {
    return this.remembered(this.readOne(rules, [id], (found) => sameId(found.id, id)));
  }

  /** "Binding rules: Delete". */
  deleteBindingRule(id: string): Promise<void> {
    return this.remove(rules, id);
  }

  /**
   * Checks in the region that takes the writes whether an object exists, by an update that every server refuses, so that it writes nothing.
   * A server looks for the object before it looks at the content, which is invalid: its error says either that there is no such object, or
   * what is wrong with the content (measured: a scheduler of version 2.0). isNotFound(e): there is none; isRejected(e): there is one;
   * isDenied(e): the token may not write.
   */
  async probe(kind: ManagedKind, id: string): Promise<void> {
    const { path, absence, probe } = kinds[kind];
    await this.send({ operation: "replace", method: "POST", path: [path, id], body: probe(id), response: z.unknown(), absence });
  }

  /** The same for a role, by its own content: only for one that was read with a hash, because only measured servers refuse this. */
  async probeRole(role: RoleInput & { readonly id: string }): Promise<void> {
    const { path, absence, probe } = roles;
    await this.send({ operation: "replace", method: "POST", path: [path, role.id], body: probe(role), response: z.unknown(), absence });
  }

  private create<T>(kind: ObjectKind<T>, body: unknown, secrets: readonly string[] = []): Promise<T> {
    return this.write(kind, { operation: "create", method: "POST", path: [], body, secrets, response: kind.form });
  }

  private update<T>(kind: ObjectKind<T>, id: string, body: unknown, secrets: readonly string[] = []): Promise<T> {
    return this.write(kind, { operation: "replace", method: "POST", path: [id], body, secrets, response: kind.form });
  }

  private remove<T>(kind: ObjectKind<T>, id: string): Promise<void> {
    return this.write(kind, { operation: "delete", method: "DELETE", path: [id], response: z.void() });
  }

  private async write<T, R>(kind: ObjectKind<T>, request: Omit<ApiRequest<R>, "mediaType" | "absence">): Promise<R> {
    const send = () => this.send({ ...request, path: [kind.path, ...request.path], absence: kind.absence });
    return (await writesOf(this.shared.writes, kind.path).during(send, request.operation === "delete")).value;
  }

  private readOne<T>({ path, form, absence }: ObjectKind<T>, below: readonly string[], isAbout: (object: T) => boolean): Promise<T> {
    return this.read([path, ...below], form, { absence, isAbout });
  }

  private async read<T>(
    path: readonly string[],
    schema: z.ZodType<T>,
    rest: Pick<ApiRequest<T>, "query" | "absence" | "isAbout"> = {},
  ): Promise<T> {
    const { value, headers } = await this.send({ operation: "read", method: "GET", path, response: schema, ...rest });
    const index = storeIndex(headers);
    if (index !== undefined) this.shared.lastIndex = Math.max(index, this.shared.lastIndex ?? 0);
    return value;
  }

  private async remembered(rule: Promise<BindingRule>): Promise<BindingRule> {
    const schema = await rule;
    this.shared.ruleVersions.set(versionOf(schema), schema);
    return schema;
  }

  private share(): Shared {
    const writes = new Map<string, Writes>();
    const list = <Item>({ path, listPath, list }: ListedKind<Item>, keyOf: (item: Item) => string) =>
      new SharedList({
        take: (context) => this.with(context).read([listPath], list),
        keyOf,
        writes: writesOf(writes, path),
        progress: () => [...writes.values()].reduce((sum, { begun }) => sum + begun, 0),
        keepMs: this.snapshotMs,
        clock: this.http.clock,
      });
    return {
      lastIndex: undefined,
      methods: list(methods, ({ name }) => name),
      roles: list(roles, ({ id }) => id.toLowerCase()),
      rules: list(rules, ({ id }) => id.toLowerCase()),
      writes,
      ruleVersions: new Map(),
    };
  }

  private async send<T>(request: Omit<ApiRequest<T>, "mediaType">) {
    try {
      return await this.http.request({ ...request, path: ["v1", "acl", ...request.path], mediaType: "application/json" }, this.context);
    } catch (error) {
      if (isApiError(error) && error.mayBeMissing && (await this.isUnlisted(request.path))) throw error.asNotFound();
      throw isDenied(error) ? await this.aboutToken(error) : error;
    }
  }

  /** The error of a refused token, with what the server knows of that token: it is asked once. */
  private async aboutToken(error: ApiError): Promise<ApiError> {
    this.shared.ownToken ??= describeOwnToken(this.http, this.context);
    const note = await this.shared.ownToken;
    return note === undefined ? error : error.withNote(note);
  }

  /** Whether the list of its kind lacks the object of a path. False also where the token may not see the whole list. */
  private async isUnlisted([path, ...below]: readonly string[]): Promise<boolean> {
    const kind = Object.values(kinds).find((one) => one.path === path);
    const key = below.at(-1) ?? "";
    if (!kind) return false;
    try {
      // Without management, the list of roles has those of the token alone, and that of rules is refused.
      if (kind === roles) await this.read([rules.listPath], rules.list);
      const listed = await this.read<readonly Partial<Record<"id" | "name", string>>[]>([kind.listPath], kind.list);
      return !listed.some(({ id = "", name }) => name === key || sameId(id, key));
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }
}

/** The writes to the objects of a kind, by its path. */
function writesOf(all: Map<string, Writes>, path: string): Writes {
  const known = all.get(path);
  if (known) return known;
  const writes = new Writes();
  all.set(path, writes);
  return writes;
}

/** A server may accept a UUID in either letter case. */
const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The version of a rule. It has the index of the creation, too, because regions have different indexes. */
function versionOf({ id, createIndex, modifyIndex }: BindingRuleStub | BindingRule): string {
  return `${id.toLowerCase()} ${createIndex} ${modifyIndex}`;
}
