import * as z from "zod";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { storeIndex } from "../http/store-index";
import { SharedList, Writes } from "../lists/shared-list";
import { absences } from "./absence";
import { probes } from "./probe";
import {
  type AuthMethod,
  type AuthMethodStub,
  authMethod,
  authMethodList,
  type BindingRule,
  type BindingRuleStub,
  type BindType,
  bindingRule,
  bindingRuleList,
  isErased,
  type Locality,
  type MethodType,
  type Role,
  role,
  roleList,
} from "./wire";

export type {
  AuthMethod,
  AuthMethodConfig,
  AuthMethodStub,
  BindingRule,
  BindingRuleStub,
  BindType,
  Locality,
  MethodType,
  Role,
} from "./wire";
export { isErased };

/** What an auth method is made of. `config` has the API's own keys and is sent as it is. */
export interface AuthMethodInput {
  readonly name: string;
  readonly type: MethodType;
  readonly tokenLocality: Locality;
  readonly tokenNameFormat: string;
  /** Go's duration form, such as 1h0m0s. */
  readonly maxTokenTtl: string;
  readonly default: boolean;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Only what is given is sent. The server keeps what is left out, except `default`, which becomes false; one that gives no hashes follows the document, and sets
 * all of it to the defaults.
 */
export type AuthMethodUpdate = Pick<AuthMethodInput, "name"> &
  Partial<Omit<AuthMethodInput, "type" | "tokenLocality">> & {
    /** Also what a server has and this version does not know. */
    readonly type?: string;
    readonly tokenLocality?: string;
  };

export interface RoleInput {
  readonly name: string;
  readonly description: string;
  /** Names of policies. */
  readonly policies: readonly string[];
}

export interface BindingRuleInput {
  readonly authMethod: string;
  readonly description: string;
  readonly selector: string;
  readonly bindType: BindType;
  /** Left out, or "", for bind type `management`. */
  readonly bindName?: string | undefined;
}

/** What all views of one client share. */
interface Shared {
  /** The highest index that a read answered. */
  lastIndex: number | undefined;
  readonly methods: SharedList<AuthMethodStub>;
  readonly roles: SharedList<Role>;
  readonly rules: SharedList<BindingRuleStub>;
  readonly writes: Readonly<Record<"methods" | "roles" | "rules", Writes>>;
  /** The rules that were answered, by their versions: what a list shows of a rule tells whether its content is known. */
  readonly ruleVersions: Map<string, BindingRule>;
}

/**
 * Auth methods, roles and binding rules ("Access-Control Interface"). Every method rejects with an ApiError.
 * A delete of an object that is gone, and an update of a missing role or rule, reject with isNotFound(e).
 */
export class ClusterAclClient {
  private readonly shared: Shared;

  /** @param snapshotMs how long one list may answer the `recent...` reads, in milliseconds; 0: not at all */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    private readonly context: RequestOptions = {},
    shared?: Shared,
  ) {
    this.shared = shared ?? this.share();
  }

  /** The same client, whose retries are reported elsewhere and which stops at another signal. */
  with(context: RequestOptions): ClusterAclClient {
    return new ClusterAclClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The server that answers: its address, and the region where one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The highest index of the store that a read has shown so far. Only comparable with reads of the same region. */
  get lastIndex(): number | undefined {
    return this.shared.lastIndex;
  }

  /** "Auth methods: Create". Replaces a method of the same name without a word: look first. */
  createAuthMethod(input: AuthMethodInput): Promise<AuthMethod> {
    return this.write("methods", "create", ["auth-method"], authMethodBody(input), authMethod, secretsOf(input));
  }

  /** "Auth methods: Update". A config that is given replaces the stored one whole. */
  updateAuthMethod(name: string, input: AuthMethodUpdate): Promise<AuthMethod> {
    return this.write("methods", "replace", ["auth-method", name], authMethodBody(input), authMethod, secretsOf(input));
  }

  /** "Auth methods: List". Callers at one time share a list, which begins after all of them have called. */
  listAuthMethods(): Promise<readonly AuthMethodStub[]> {
    return this.shared.methods.fresh(this.context);
  }

  /** What a list of the last seconds shows of a method. Undefined says nothing: see {@link SharedList.recent}. */
  recentAuthMethod(name: string): Promise<AuthMethodStub | undefined> {
    return this.shared.methods.recent(name, this.context);
  }

  /** "Auth methods: Read by name". */
  readAuthMethod(name: string): Promise<AuthMethod> {
    return this.read(["auth-method", name], authMethod, { absence: absences.methods, isAbout: (method) => method.name === name });
  }

  /** "Auth methods: Delete". The method's binding rules stay. */
  deleteAuthMethod(name: string): Promise<void> {
    return this.remove("methods", ["auth-method", name]);
  }

  /** "Roles: Create". isConflict(e): the name is taken. */
  createRole(input: RoleInput): Promise<Role> {
    return this.write("roles", "create", ["role"], roleBody(input), role);
  }

  /** "Roles: Update". isConflict(e): the new name is taken. */
  updateRole(id: string, input: RoleInput): Promise<Role> {
    return this.write("roles", "replace", ["role", id], { ID: id, ...roleBody(input) }, role);
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
    return this.read(["roles"], roleList, { query: { prefix: prefix || undefined } });
  }

  /** A role as a list of the last seconds shows it. Undefined says nothing: see {@link SharedList.recent}. */
  recentRole(id: string): Promise<Role | undefined> {
    return this.shared.roles.recent(id.toLowerCase(), this.context);
  }

  /** "Roles: Read by ID". */
  readRole(id: string): Promise<Role> {
    return this.read(["role", id], role, { absence: absences.roles, isAbout: (found) => sameId(found.id, id) });
  }

  /** "Roles: Read by name". */
  readRoleByName(name: string): Promise<Role> {
    return this.read(["role", "name", name], role, { absence: absences.roles, isAbout: (found) => found.name === name });
  }

  /** "Roles: Delete". */
  deleteRole(id: string): Promise<void> {
    return this.remove("roles", ["role", id]);
  }

  /** "Binding rules: Create". After isAmbiguous(e) only its content can tell whether the rule was made. */
  createBindingRule(input: BindingRuleInput): Promise<BindingRule> {
    return this.answered(
      this.write("rules", "create", ["binding-rule"], { AuthMethod: input.authMethod, ...ruleBody(input) }, bindingRule),
    );
  }

  /** "Binding rules: Update". The auth method of a rule can't change. */
  updateBindingRule(id: string, input: Omit<BindingRuleInput, "authMethod">): Promise<BindingRule> {
    return this.answered(this.write("rules", "replace", ["binding-rule", id], { ID: id, ...ruleBody(input) }, bindingRule));
  }

  /** "Binding rules: List". Callers at one time share a list, which begins after all of them have called. */
  listBindingRules(): Promise<readonly BindingRuleStub[]> {
    return this.shared.rules.fresh(this.context);
  }

  /** What a list of the last seconds shows of a rule. Undefined says nothing: see {@link SharedList.recent}. */
  recentBindingRule(id: string): Promise<BindingRuleStub | undefined> {
    return this.shared.rules.recent(id.toLowerCase(), this.context);
  }

  /** The whole rule that a list shows, where this client has been answered that very version of it already. */
  knownBindingRule(stub: BindingRuleStub): BindingRule | undefined {
    return this.shared.ruleVersions.get(versionOf(stub));
  }

  /** "Binding rules: Read by ID". */
  readBindingRule(id: string): Promise<BindingRule> {
    return this.answered(
      this.read(["binding-rule", id], bindingRule, { absence: absences.rules, isAbout: (found) => sameId(found.id, id) }),
    );
  }

  /** "Binding rules: Delete". */
  deleteBindingRule(id: string): Promise<void> {
    return this.remove("rules", ["binding-rule", id]);
  }

  /**
   * Asks the region that takes all writes whether there is an object, by an update that no server takes, so that it writes nothing.
   * isNotFound(e): there is none; isRejected(e): there is one; isDenied(e): the token may not write.
   */
  async probe(kind: keyof typeof probes, id: string): Promise<void> {
    const { path, body } = probes[kind];
    await this.send({
      operation: "replace",
      method: "POST",
      path: path(id),
      body: body(id),
      response: z.unknown(),
      absence: absences[kind],
    });
  }

  private async read<T>(
    path: readonly string[],
    answer: z.ZodType<T>,
    rest: Pick<ApiRequest<T>, "query" | "absence" | "isAbout"> = {},
  ): Promise<T> {
    const { value, headers } = await this.send({ operation: "read", method: "GET", path, response: answer, ...rest });
    const index = storeIndex(headers);
    if (index !== undefined) this.shared.lastIndex = Math.max(index, this.shared.lastIndex ?? 0);
    return value;
  }

  private async answered(rule: Promise<BindingRule>): Promise<BindingRule> {
    const answer = await rule;
    this.shared.ruleVersions.set(versionOf(answer), answer);
    return answer;
  }

  private async write<T>(
    kind: keyof Shared["writes"],
    operation: "create" | "replace",
    path: readonly string[],
    body: unknown,
    answer: z.ZodType<T>,
    secrets: readonly string[] = [],
  ): Promise<T> {
    const send = () => this.send({ operation, method: "POST", path, body, response: answer, secrets, absence: absences[kind] });
    return (await this.shared.writes[kind].during(send)).value;
  }

  private async remove(kind: keyof Shared["writes"], path: readonly string[]): Promise<void> {
    await this.shared.writes[kind].during(() =>
      this.send({ operation: "delete", method: "DELETE", path, response: z.void(), absence: absences[kind] }),
    );
  }

  private share(): Shared {
    const writes = { methods: new Writes(), roles: new Writes(), rules: new Writes() };
    const common = { keepMs: this.snapshotMs, clock: this.http.clock };
    const listed =
      <T>(path: string, answer: z.ZodType<T[]>) =>
      (context: RequestOptions) =>
        this.with(context).read([path], answer);
    return {
      lastIndex: undefined,
      methods: new SharedList({
        ...common,
        take: listed("auth-methods", authMethodList),
        keyOf: ({ name }) => name,
        writes: writes.methods,
      }),
      roles: new SharedList({ ...common, take: listed("roles", roleList), keyOf: ({ id }) => id.toLowerCase(), writes: writes.roles }),
      rules: new SharedList({
        ...common,
        take: listed("binding-rules", bindingRuleList),
        keyOf: ({ id }) => id.toLowerCase(),
        writes: writes.rules,
      }),
      writes,
      ruleVersions: new Map(),
    };
  }

  private send<T>(request: Omit<ApiRequest<T>, "mediaType">) {
    return this.http.request({ ...request, path: ["v1", "acl", ...request.path], mediaType: "application/json" }, this.context);
  }
}

/** A server may find a UUID in either letter case. */
const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** What changes with every change of a rule. The index of the creation comes along, because other regions count otherwise. */
function versionOf({ id, createIndex, modifyIndex }: BindingRuleStub | BindingRule): string {
  return `${id.toLowerCase()} ${createIndex} ${modifyIndex}`;
}

/** JSON leaves out what is undefined, and so what the caller left out. */
function authMethodBody(input: AuthMethodUpdate): unknown {
  return {
    Name: input.name,
    Type: input.type,
    TokenLocality: input.tokenLocality,
    TokenNameFormat: input.tokenNameFormat,
    MaxTokenTTL: input.maxTokenTtl,
    Default: input.default,
    Config: input.config,
  };
}

function roleBody(input: RoleInput) {
  return { Name: input.name, Description: input.description, Policies: input.policies.map((name) => ({ Name: name })) };
}

function ruleBody(input: Omit<BindingRuleInput, "authMethod">) {
  return { Description: input.description, Selector: input.selector, BindType: input.bindType, BindName: input.bindName || undefined };
}

const secretFields = z.object({
  OIDCClientSecret: z.string().optional().catch(undefined),
  OIDCClientAssertion: z
    .object({ PrivateKey: z.object({ PemKey: z.string() }) })
    .optional()
    .catch(undefined),
});

/** What no error may repeat, should the server's text do so. */
function secretsOf(input: AuthMethodUpdate): string[] {
  const found = secretFields.parse(input.config ?? {});
  return [found.OIDCClientSecret, found.OIDCClientAssertion?.PrivateKey.PemKey].filter((secret) => secret !== undefined);
}
