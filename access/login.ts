import { parseDuration } from "../common/durations";
import { ownProperty } from "../common/own-property";
import { validName } from "./bound-names";
import type { ClaimMappings, Claims, Identity } from "./claims";
import { LoginError, toIdentity } from "./claims";
import { lowerCase, utf8Length } from "./go-text";
import type { Reason } from "./match";
import { matches, reasonsAgainst } from "./match";
import { conditionOf } from "./selector";
import { interpolate, TemplateError } from "./template";
import { checkToken } from "./token-check";
import type { TokenRefusal, TokenRequirements, Unchecked } from "./token-requirements";

/** An auth method with the objects that affect its logins. */
export interface Access {
  readonly method: LoginMethod;
  /** The rules of the method, in the order of their IDs. Servers try them in this order. */
  readonly rules: readonly LoginRule[];
  /** The policies of each existing role, by its name. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** The names of the policies that exist. */
  readonly policies: readonly string[];
}

export interface LoginMethod extends ClaimMappings, TokenRequirements {
  readonly name: string;
  /** `local` or `global`. */
  readonly tokenLocality: string;
  /** `${auth_method_type}-${auth_method_name}` unless given. */
  readonly tokenNameFormat?: string | undefined;
  /** The lifetime of the token, such as "1h0m0s". */
  readonly maxTokenTtl?: string | undefined;
}

export interface LoginRule {
  readonly id?: string | undefined;
  /** An empty selector matches every login. */
  readonly selector?: string | undefined;
  readonly bindType: "role" | "policy" | "management";
  readonly bindName?: string | undefined;
  /** Whether the rule does not exist yet, so its place in the server's order is unknown. Default: false. */
  readonly isNew?: boolean | undefined;
}

/** The token that a login gets. */
export interface LoginToken {
  readonly name: string;
  readonly type: "client" | "management";
  /** The policies that rules grant directly. Policies of the roles are not included. */
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** Whether the token is valid in all regions. */
  readonly global: boolean;
  /** The expiration time of the token, in ISO 8601, if the method has a maxTokenTtl and the time of the login is given. */
  readonly expirationTime?: string;
}

/** The outcome of a login: a token, or the server's status and error. */
export type LoginOutcome =
  | { readonly ok: true; readonly token: LoginToken }
  | {
      readonly ok: false;
      readonly status: number;
      readonly error: string;
      /** The reason why the server refuses the token itself, whatever the rules of the method are. */
      readonly refused?: Pick<TokenRefusal, "by" | "because">;
    };

/** The result of one rule for a login. */
export type RuleResult = { readonly rule: LoginRule } & (
  | { readonly matches: false; readonly because: readonly Reason[] }
  | { readonly matches: true; readonly gives: Grant }
);

/** The grant of a rule that matches. `unused`: the rule is not tried, because an error or management ends the login before. */
export type Grant =
  | { readonly kind: "role"; readonly name: string; readonly policies: readonly string[] }
  | { readonly kind: "policy"; readonly name: string }
  | { readonly kind: "management" }
  | { readonly kind: "nothing"; readonly name: string }
  | { readonly kind: "error"; readonly error: string }
  | { readonly kind: "unused" };

export type Login = LoginOutcome & {
  /** The result of each rule. Empty if the token is refused, or a claim can't be converted. */
  readonly rules: readonly RuleResult[];
  /** The checks that were skipped, because the claims or the method lack the values. They may still refuse the login. */
  readonly notChecked: readonly Unchecked[];
  /** The other possible outcomes. They depend on the order in which the server will try rules that don't exist yet. */
  readonly otherwise?: readonly LoginOutcome[];
};

export interface LoginOptions {
  /** The time of the login. Without it, the token has no `expirationTime`. */
  readonly at?: Date | undefined;
  /** The time for checks of the claims' times. Default: `at`. Without either, times are not checked. */
  readonly now?: Date | undefined;
  /** Whether the claims are all claims of a token. Otherwise a missing claim is unknown, and is not checked. Default: false. */
  readonly isToken?: boolean | undefined;
}

/**
 * Evaluates a login as a server does. It sends no request and checks no signature. A failed login is a result, not an error.
 *
 * @throws TypeError only for a leeway that is not a duration
 */
export function evaluateLogin(access: Access, claims: Claims, { at, now = at, isToken = false }: LoginOptions = {}): Login {
  const { refusal, notChecked } = checkToken(access.method, { claims, isToken, now: now && now.getTime() / 1000 });
  if (refusal) {
    const { status, error, by, because } = refusal;
    return { ...failed(error, status), refused: { by, because }, rules: [], notChecked };
  }
  let identity: Identity;
  try {
    identity = toIdentity(access.method, claims);
  } catch (error) {
    if (!(error instanceof LoginError)) throw error;
    return { ...failed(error.message), rules: [], notChecked };
  }
  const names = namesOf(access.method, identity);
  const existing = { roles: access.roles, policies: new Set(access.policies) };
  const given = access.rules.map((rule) => (isMatch(rule, identity) ? grantOf(rule, existing, names) : undefined));
  const matching: Match[] = [];
  access.rules.forEach((rule, index) => {
    const gives = given[index];
    if (gives) matching.push({ rule, gives });
  });
  const [first, ...later] = possibleEnds(matching);
  const outcomeAt = (end: Match | undefined) => outcomeOf(matching, end, { method: access.method, identity, at });
  const outcome = outcomeAt(first);
  const [, ...otherwise] = distinct([outcome, ...later.map(outcomeAt)]);
  let results: readonly RuleResult[] | undefined;
  return {
    ...outcome,
    notChecked,
    // Computed on demand: of ten thousand rules, few are of interest.
    get rules() {
      results ??= resultsOf(access.rules, given, first, identity);
      return results;
    },
    ...(otherwise.length > 0 && { otherwise }),
  };
}

/** A rule that matches a login. */
interface Match {
  readonly rule: LoginRule;
  readonly gives: Grant;
}

/** The variables of bind names: a mapped claim that is missing is an empty text. */
function namesOf({ claimMappings = {} }: LoginMethod, { value }: Identity): ReadonlyMap<string, string> {
  const empty = Object.values(claimMappings).map((name) => [`value.${name}`, ""] as const);
  return new Map([...empty, ...[...value].map(([name, text]) => [`value.${name}`, lowerCase(text)] as const)]);
}

function isMatch({ selector = "" }: LoginRule, identity: Identity): boolean {
  const condition = selector === "" ? undefined : conditionOf(selector);
  return condition ? matches(condition, identity) : selector === "";
}

/** The roles and policies that exist. */
interface Existing {
  readonly roles: Access["roles"];
  readonly policies: ReadonlySet<string>;
}

function grantOf({ bindType, bindName = "" }: LoginRule, { roles, policies }: Existing, names: ReadonlyMap<string, string>): Grant {
  let name: string;
  try {
    name = interpolate(bindName, names);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { kind: "error", error: `cannot compute "${bindType}" bind name for bind target: ${error.message}` };
  }
  if (bindType === "management") return { kind: "management" };
  if (!validName.test(name))
    return { kind: "error", error: `computed "${bindType}" bind name for bind target is invalid: ${JSON.stringify(name)}` };
  if (bindType === "policy") return policies.has(name) ? { kind: "policy", name } : { kind: "nothing", name };
  const granted = ownProperty(roles, name);
  return granted ? { kind: "role", name, policies: granted } : { kind: "nothing", name };
}

/**
 * The rules that may end the login by an error or management: the first existing one in the servers' order, and all new ones, which may be
 * tried earlier.
 */
function possibleEnds(matching: readonly Match[]): Match[] {
  const ends = matching.filter(({ gives }) => gives.kind === "error" || gives.kind === "management");
  const first = ends.find(({ rule }) => !rule.isNew);
  return ends.filter((end) => end === first || end.rule.isNew);
}

/** The result of each rule for a login. Rules after the one that ends it are not tried. */
function resultsOf(
  rules: readonly LoginRule[],
  given: readonly (Grant | undefined)[],
  end: Match | undefined,
  identity: Identity,
): RuleResult[] {
  const last = end ? given.indexOf(end.gives) : rules.length;
  return rules.map((rule, index): RuleResult => {
    const gives = given[index];
    if (gives) return { rule, matches: true, gives: index > last ? { kind: "unused" } : gives };
    const { selector = "" } = rule;
    const condition = conditionOf(selector);
    const because = condition
      ? reasonsAgainst(condition, selector, identity)
      : [{ part: selector, found: "the server can't read the selector" }];
    return { rule, matches: false, because };
  });
}

interface LoginOf {
  readonly method: LoginMethod;
  readonly identity: Identity;
  readonly at: Date | undefined;
}

function outcomeOf(matching: readonly Match[], end: Match | undefined, { method, identity, at }: LoginOf): LoginOutcome {
  if (end?.gives.kind === "error") return failed(end.gives.error);
  const isManagement = end !== undefined;
  const grants = isManagement ? [] : matching.map(({ gives }) => gives);
  const policies = grants.flatMap((grant) => (grant.kind === "policy" ? [grant.name] : []));
  const roles = grants.flatMap((grant) => (grant.kind === "role" ? [grant.name] : []));
  if (!isManagement && policies.length === 0 && roles.length === 0) return failed(noBindings, 400);
  let name: string;
  try {
    name = tokenNameOf(method, identity);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return failed(`failed to generate ACL token name: ${error.message}`);
  }
  if (utf8Length(name) > 256) return failed("token 0 invalid: 1 error occurred:\n\t* token name too long\n\n", 400);
  const expirationTime = at && expirationOf(method, at);
  return {
    ok: true,
    token: {
      name,
      type: isManagement ? "management" : "client",
      policies: [...new Set(policies)],
      roles: [...new Set(roles)],
      global: method.tokenLocality === "global",
      ...(expirationTime !== undefined && { expirationTime }),
    },
  };
}

/** The server's error for a login that no rule gives anything. */
export const noBindings = "no role or policy bindings matched";

// biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
const DEFAULT_TOKEN_NAME = "${auth_method_type}-${auth_method_name}";

/** The token's name. Unlike in a bind name, a missing claim is an unknown variable, and letters keep their case. */
function tokenNameOf({ name, type, tokenNameFormat }: LoginMethod, { value }: Identity): string {
  const claims = [...value].map(([claim, text]) => [`value.${claim}`, text] as const);
  return interpolate(tokenNameFormat || DEFAULT_TOKEN_NAME, new Map([["auth_method_type", type], ["auth_method_name", name], ...claims]));
}

function expirationOf({ maxTokenTtl }: LoginMethod, at: Date): string | undefined {
  const duration = maxTokenTtl === undefined ? undefined : parseDuration(maxTokenTtl);
  return duration ? new Date(at.getTime() + Number(duration / 1_000_000n)).toISOString() : undefined;
}

function failed(error: string, status = 500): Extract<LoginOutcome, { ok: false }> {
  return { ok: false, status, error };
}

function distinct(outcomes: readonly LoginOutcome[]): LoginOutcome[] {
  return [...new Map(outcomes.map((outcome) => [JSON.stringify(outcome), outcome])).values()];
}
