import type { Claims } from "../access/claims";
import { parseClaims } from "../access/claims-text";
import { methodAccess } from "../access/graph";
import type { LoginOptions, LoginToken, RuleResult } from "../access/login";
import { evaluateLogin } from "../access/login";
import type { Unchecked } from "../access/token-requirements";
import type { Simulator } from "./simulator";
import { accessObjects } from "./simulator/cluster/access-objects";

/** The result of a login to a simulated cluster. */
export interface SimulatedLogin {
  /** Whether the login gets a token. */
  readonly ok: boolean;
  /** Whether the token may do everything. */
  readonly management: boolean;
  /** The names of its roles. Empty for a failed login, and for management, which needs none. */
  readonly roles: readonly string[];
  /** The names of its existing policies, given directly or through roles, in alphabetical order. */
  readonly policies: readonly string[];
  /** The token itself; undefined for a failed login. */
  readonly token: LoginToken | undefined;
  /** The server's error; undefined for a successful login. */
  readonly error: string | undefined;
  /** Checks that were left out, because the claims or the method lack a value. A server may still refuse the login. */
  readonly notChecked: readonly Unchecked[];
  /** Each rule of the method, with its grant, or the reason why it does not match. */
  readonly rules: readonly RuleResult[];
}

export interface SimulatedAccess {
  /**
   * Evaluates a login with these claims. Sends no request, and creates no token.
   *
   * @param claims the relevant claims; audience, issuer and times are checked if they are given. A whole token (JWT) is possible as well;
   * its signature is not checked
   * @param options the time for checks of times (default: now), and whether the claims are complete, as in a token: an absent claim then
   * counts as missing
   * @throws Error for an unknown auth method, and for a text that is neither a token nor a JSON object
   */
  login(authMethod: string, claims: Claims | string, options?: LoginOptions): SimulatedLogin;
}

/**
 * Evaluates logins to the simulated cluster, for tests of a program's grants after it was run.
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
