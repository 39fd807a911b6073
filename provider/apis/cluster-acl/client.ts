import * as z from "zod";
import type { ApiRequest, CallContext, Http } from "../http";
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

/** Only what is given is sent. The server keeps what is left out, except `default`, which becomes false. */
export type AuthMethodUpdate = Pick<AuthMethodInput, "name"> & Partial<AuthMethodInput>;

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

/** The highest index that a read answered; shared by all views of one client. */
interface Progress {
  lastIndex: number | undefined;
}

/**
 * Auth methods, roles and binding rules ("Access-Control Interface"). Every method rejects with an ApiError.
 * A delete of an object that is gone, and an update of a missing role or rule, reject with isNotFound(e).
 */
export class ClusterAclClient {
  constructor(
    private readonly http: Http,
    private readonly context: CallContext = {},
    private readonly progress: Progress = { lastIndex: undefined },
  ) {}

  /** The same client, whose retries are reported elsewhere and which stops at another signal. */
  with(context: CallContext): ClusterAclClient {
    return new ClusterAclClient(this.http, context, this.progress);
  }

  /** The server that answers: its address, and the region where one is configured. */
  get server(): string {
    const region = this.http.query.region;
    return region ? `${this.http.address} region ${region}` : this.http.address;
  }

  /** The highest index of the store that a read has shown so far. Only comparable with reads of the same region. */
  get lastIndex(): number | undefined {
    return this.progress.lastIndex;
  }

  /** "Auth methods: Create". Replaces a method of the same name without a word: look first. */
  createAuthMethod(input: AuthMethodInput): Promise<AuthMethod> {
    return this.write("create", ["auth-method"], authMethodBody(input), authMethod, secretsOf(input));
  }

  /** "Auth methods: Update". A config that is given replaces the stored one whole. */
  updateAuthMethod(name: string, input: AuthMethodUpdate): Promise<AuthMethod> {
    return this.write("replace", ["auth-method", name], authMethodBody(input), authMethod, secretsOf(input));
  }

  /** "Auth methods: List". */
  listAuthMethods(): Promise<AuthMethodStub[]> {
    return this.read(["auth-methods"], authMethodList);
  }

  /** "Auth methods: Read by name". */
  readAuthMethod(name: string): Promise<AuthMethod> {
    return this.read(
      ["auth-method", name],
      authMethod.refine((method) => method.name === name, about("Name")),
    );
  }

  /** "Auth methods: Delete". The method's binding rules stay. */
  deleteAuthMethod(name: string): Promise<void> {
    return this.remove(["auth-method", name]);
  }

  /** "Roles: Create". isConflict(e): the name is taken. */
  createRole(input: RoleInput): Promise<Role> {
    return this.write("create", ["role"], roleBody(input), role);
  }

  /** "Roles: Update". isConflict(e): the new name is taken. */
  updateRole(id: string, input: RoleInput): Promise<Role> {
    return this.write("replace", ["role", id], { ID: id, ...roleBody(input) }, role);
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
    return this.read(["roles"], roleList, { prefix: prefix || undefined });
  }

  /** "Roles: Read by ID". */
  readRole(id: string): Promise<Role> {
    return this.read(
      ["role", id],
      role.refine((found) => sameId(found.id, id), about("ID")),
    );
  }

  /** "Roles: Read by name". */
  readRoleByName(name: string): Promise<Role> {
    return this.read(
      ["role", "name", name],
      role.refine((found) => found.name === name, about("Name")),
    );
  }

  /** "Roles: Delete". */
  deleteRole(id: string): Promise<void> {
    return this.remove(["role", id]);
  }

  /** "Binding rules: Create". After isAmbiguous(e) only its content can tell whether the rule was made. */
  createBindingRule(input: BindingRuleInput): Promise<BindingRule> {
    return this.write("create", ["binding-rule"], { AuthMethod: input.authMethod, ...ruleBody(input) }, bindingRule);
  }

  /** "Binding rules: Update". The auth method of a rule can't change. */
  updateBindingRule(id: string, input: Omit<BindingRuleInput, "authMethod">): Promise<BindingRule> {
    return this.write("replace", ["binding-rule", id], { ID: id, ...ruleBody(input) }, bindingRule);
  }

  /** "Binding rules: List". */
  listBindingRules(): Promise<BindingRuleStub[]> {
    return this.read(["binding-rules"], bindingRuleList);
  }

  /** "Binding rules: Read by ID". */
  readBindingRule(id: string): Promise<BindingRule> {
    return this.read(
      ["binding-rule", id],
      bindingRule.refine((found) => sameId(found.id, id), about("ID")),
    );
  }

  /** "Binding rules: Delete". */
  deleteBindingRule(id: string): Promise<void> {
    return this.remove(["binding-rule", id]);
  }

  private async read<T>(path: readonly string[], answer: z.ZodType<T>, query: ApiRequest<T>["query"] = {}): Promise<T> {
    const { value, headers } = await this.send({ operation: "read", method: "GET", path, query, answer });
    const index = indexOf(headers);
    if (index !== undefined) this.progress.lastIndex = Math.max(index, this.progress.lastIndex ?? 0);
    return value;
  }

  private async write<T>(
    operation: "create" | "replace",
    path: readonly string[],
    body: unknown,
    answer: z.ZodType<T>,
    secrets: readonly string[] = [],
  ): Promise<T> {
    return (await this.send({ operation, method: "POST", path, body, answer, secrets })).value;
  }

  private async remove(path: readonly string[]): Promise<void> {
    await this.send({ operation: "delete", method: "DELETE", path, answer: z.void() });
  }

  private send<T>(request: Omit<ApiRequest<T>, "mediaType">) {
    return this.http.request({ ...request, path: ["v1", "acl", ...request.path], mediaType: "application/json" }, this.context);
  }
}

const about = (key: string) => ({ path: [key], message: "the answer is about another object" });

/** A server may find a UUID in either letter case. */
const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The store's index. The header is called X-Nomad-Index in the field. */
function indexOf(headers: ReadonlyMap<string, string>): number | undefined {
  for (const [name, value] of headers) {
    if (/^x-[a-z]+-index$/.test(name) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
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
