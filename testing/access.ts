import type { Claims } from "../access/claims";
import { parseClaims } from "../access/claims-text";
import { methodAccess } from "../access/graph";
import type { LoginOptions, LoginToken, RuleResult } from "../access/login";
import { evaluateLogin } from "../access/login";
import type { Unchecked } from "../access/token-requirements";
import type { Simulator } from "./simulator";
import { accessObjects } from "./simulator/cluster/access-objects";

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
  /** What of the login is not checked, because the claims or the method do not say it: a server may refuse it all the same. */
  readonly notChecked: readonly Unchecked[];
  /** What each rule of the method is to the login: what it gives, or why it does not match. */
  readonly rules: readonly RuleResult[];
}

export interface SimulatedAccess {
  /**
   * What a login with these claims gets. It sends no request, and makes no token.
   *
   * @param claims those that matter, of which audience, issuer and times are checked if they are there; or a whole token (JWT), whose
   *   signature nobody checks
   * @param options when the times are checked, now unless given; and whether the claims are all that a token has, so what is not there
   *   is missing
   * @throws Error when the simulated cluster has no auth method of that name, and for a text that is no token
   */
  login(authMethod: string, claims: Claims | string, options?: LoginOptions): SimulatedLogin;
}

/**
 * Says what logins to the simulated cluster get, for tests of a program: who has which rights once it was run.
 *
 * @example
 * await rehearse("up", { program, state, config });
 * expect(accessOf(simulator).login("sso", { groups: ["contractors"] }).roles).toEqual([]);
 * expect(accessOf(simulator).login("ci", { aud: "another-app" }).ok).toBe(false);
 */
export function accessOf({ cluster }: Pick<Simulator, "cluster">): SimulatedAccess {
  return {
    login(authMethod, given, { at, now = at ?? new Date(), isToken = false } = {}) {
      const access = methodAccess(accessObjects(cluster), authMethod);
      if (!access) {
        const names = cluster.methods.list().map(({ Name }) => JSON.stringify(Name));
        throw new Error(
          `The simulated cluster has no auth method ${JSON.stringify(authMethod)}; it has ${names.length > 0 ? names.join(", ") : "none"}.`,
        );
      }
      const { claims, ...read } = typeof given === "string" ? parseClaims(given, "The text") : { claims: given, isToken };
      const login = evaluateLogin(access, claims, { ...read, at, now });
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
        notChecked: login.notChecked,
        rules: login.rules,
      };
    },
  };
}
