import type { Claims } from "../access/claims";
import type { AccessObjects, BindingRule } from "../access/graph";
import { methodAccess } from "../access/graph";
import type { LoginToken, RuleResult } from "../access/login";
import { evaluateLogin } from "../access/login";
import type { Simulator } from "./simulator";

/** What a login to a simulated cluster gets. */
export interface SimulatedLogin {
  /** Whether it gets a token. */
  readonly ok: boolean;
  /** Whether the token may do everything. */
  readonly management: boolean;
  /** The names of the roles that it gets. None for a login that fails, and for management, which needs none. */
  readonly roles: readonly string[];
  /** The names of all policies that it gets, by rules or by roles, in alphabetical order. */
  readonly policies: readonly string[];
  /** The token itself; undefined for a login that fails. */
  readonly token: LoginToken | undefined;
  /** The server's error; undefined for a login that succeeds. */
  readonly error: string | undefined;
  /** What each rule of the method is to the login: what it gives, or why it does not match. */
  readonly rules: readonly RuleResult[];
}

export interface SimulatedAccess {
  /**
   * What a login with these claims gets now. It sends no request, and makes no token.
   *
   * @throws Error when the simulated cluster has no auth method of that name
   */
  login(authMethod: string, claims: Claims): SimulatedLogin;
}

/**
 * Says what logins to the simulated cluster get, for tests of a program: who has which rights once it was run.
 *
 * @example
 * await rehearse("up", { program, state, config });
 * expect(accessOf(simulator).login("sso", { groups: ["contractors"] }).roles).toEqual([]);
 */
export function accessOf({ cluster }: Pick<Simulator, "cluster">): SimulatedAccess {
  return {
    login(authMethod, claims) {
      const access = methodAccess(objectsOf(cluster), authMethod);
      if (!access) {
        const names = cluster.methods.list().map(({ Name }) => JSON.stringify(Name));
        throw new Error(
          `The simulated cluster has no auth method ${JSON.stringify(authMethod)}; it has ${names.length > 0 ? names.join(", ") : "none"}.`,
        );
      }
      const login = evaluateLogin(access, claims);
      const token = login.ok ? login.token : undefined;
      const roles = token?.roles ?? [];
      const policies = [...(token?.policies ?? []), ...roles.flatMap((role) => access.roles[role] ?? [])];
      return {
        ok: login.ok,
        management: token?.type === "management",
        roles,
        policies: [...new Set(policies.filter((name) => access.policies.includes(name)))].sort(),
        token,
        error: login.ok ? undefined : login.error,
        rules: login.rules,
      };
    },
  };
}

function objectsOf({ methods, rules, roles, policies }: Simulator["cluster"]): AccessObjects {
  return {
    methods: methods.list().map(({ Name, Type, TokenLocality, TokenNameFormat, MaxTokenTTL, Config }) => ({
      name: Name,
      type: Type,
      tokenLocality: TokenLocality,
      tokenNameFormat: TokenNameFormat,
      maxTokenTtl: MaxTokenTTL,
      claimMappings: Config.ClaimMappings ?? {},
      listClaimMappings: Config.ListClaimMappings ?? {},
    })),
    rules: rules.list().map(({ ID, AuthMethod, Selector, BindType, BindName }) => ({
      id: ID,
      authMethod: AuthMethod,
      selector: Selector,
      bindType: bindTypeOf(BindType),
      bindName: BindName,
    })),
    roles: Object.fromEntries(roles.list().map(({ Name, Policies }) => [Name, Policies.map((policy) => policy.Name)])),
    policies: policies.list().map(({ Name }) => Name),
  };
}

function bindTypeOf(text: string): BindingRule["bindType"] {
  if (text === "role" || text === "policy" || text === "management") return text;
  throw new Error(`A binding rule of the simulated cluster has the bind type ${JSON.stringify(text)}, which no server has.`);
}
