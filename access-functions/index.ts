import * as z from "zod";
import { ClaimsError, parseClaims, type ReadClaims } from "../access/claims-text";
import { type AccessObjects, type BindingRule, edgesOf, methodAccess } from "../access/graph";
import { evaluateLogin, type Grant, type LoginMethod, type RuleResult } from "../access/login";
import { toLoginConfig } from "../access/server-config";
import { timeIn } from "../access/time";
import { record } from "../common/record";
import { UserError } from "../common/user-error";
import {
  type AuthMethod,
  type ClusterClient,
  defineFunction,
  field,
  InvalidArgumentsError,
  orMissing,
  readOrMissing,
  type BindingRule as ServerRule,
} from "../provider/internal";

const source = "Access-control interface";
const names = () => z.array(z.string());

const token = z.object({
  name: field(z.string(), "Name of the token."),
  type: field(
    z.enum(["client", "management"]),
    "Type of the token: `management` may do everything, `client` only what its policies and roles allow.",
  ),
  policies: field(names(), "Names of the policies that rules grant directly. Policies of the roles are not included."),
  roles: field(names(), "Names of the roles."),
  global: field(z.boolean(), "Whether the token is valid in all regions."),
});

const reason = z.object({
  part: field(z.string(), "Part of the selector that does not hold."),
  found: field(z.string(), "Value of the login at this place."),
});

const rule = {
  id: field(z.string(), "Identifier of the rule."),
  selector: field(z.string(), "Selector of the rule; the empty one matches every login."),
  bindType: field(z.string(), "Kind of the grant: `role`, `policy` or `management`."),
  bindName: field(z.string(), "Name of the role or policy, as the rule has it; empty for `management`."),
};

const ruleResult = z.object({
  ...rule,
  matches: field(z.boolean(), "Whether the selector matches the login."),
  because: field(
    z.array(field(reason, "Part of the selector that does not hold, with the value of the login.")),
    "Parts of the selector that do not hold. Empty if the rule matches.",
  ),
  gives: field(
    z.enum(["role", "policy", "management", "nothing", "error", "unused"]).optional(),
    "Grant of a rule that matches: `nothing` if the role or policy does not exist, `error` if the rule fails the login, `unused` " +
      "if an error or management has ended the login before. Left out if it does not match.",
  ),
  name: field(z.string().optional(), "Name of the granted or missing role or policy, after the values of the claims are inserted."),
  policies: field(names().optional(), "Names of the policies of the granted role."),
  error: field(z.string().optional(), "Error of the server, if the rule fails the login."),
});

const secret = { secret: true } as const;

export const explainLogin = defineFunction({
  name: "explainLogin",
  description:
    "Explains what a login with these claims gets from an ACL auth method, without logging in. It reads the method, its binding rules, " +
    "the roles and the names of the policies, and decides as the server does. A failed login is a result, not an error. As an output, the result is a secret.",
  source,
  inputs: z.object({
    authMethod: field(z.string().min(1, "must not be empty"), "Name of the auth method."),
    claims: field(
      record(field(z.json().optional(), "A claim: any JSON.")).optional(),
      "Claims of the login, as in the identity provider's token. Audience, issuer and times are checked if the claims have them.",
    ),
    token: field(
      z.string().optional(),
      "Token (JWT) in place of claims. It is decoded without a check of its signature; claims that it lacks count as missing. A secret.",
      secret,
    ),
    at: field(
      z
        .string()
        .refine((text) => timeIn(text) !== undefined, "must be a time like 2027-01-31T12:00:00Z")
        .optional(),
      "Time of the login: a time like 2027-01-31T12:00:00Z. Default: now.",
    ),
  }),
  outputs: z.object({
    ok: field(z.boolean(), "Whether the login gets a token.", secret),
    token: field(token.optional(), "Token that the login gets. Left out if the login fails.", secret),
    status: field(z.int().optional(), "Status of the server's response to a failed login.", secret),
    error: field(z.string().optional(), "Error of the server for a failed login.", secret),
    because: field(
      z.string().optional(),
      "Reason why the server refuses the token itself: the audience, issuer or times of the token, and what the method requires.",
      secret,
    ),
    notChecked: field(
      z.array(field(z.enum(["audience", "issuer", "times", "UserInfo"]), "What is not checked.")),
      "Checks that were skipped, because the claims or the method lack the values. `UserInfo`: claims that the identity provider may add.",
      secret,
    ),
    rules: field(
      z.array(field(ruleResult, "Binding rule, with its result for the login.")),
      "The method's binding rules, in the order in which the server tries them. Empty if the token is refused, or the claims can't be converted.",
      secret,
    ),
  }),
  async run(context, { authMethod, claims, token: text, at }) {
    const given = givenClaims(claims, text);
    const cluster = context.cluster();
    const method = await orMissing("explainLogin", `ACL auth method named ${JSON.stringify(authMethod)}`, () =>
      cluster.methods.read(authMethod),
    );
    const rules = await readRules(cluster, authMethod);
    const access = methodAccess(objectsOf({ methods: [method], rules, ...(await readGrants(cluster)) }), method.name);
    if (!access) throw new TypeError("the method is among those that were given");
    const login = evaluateLogin(access, given.claims, {
      isToken: given.isToken,
      now: (at === undefined ? undefined : timeIn(at)) ?? new Date(),
    });
    const result = { notChecked: [...login.notChecked], rules: login.rules.map(ruleResultOf) };
    if (!login.ok) {
      const { status, error, refused } = login;
      return { ok: false, status, error, ...(refused && { because: refused.because }), ...result };
    }
    return { ok: true, token: { ...login.token, policies: [...login.token.policies], roles: [...login.token.roles] }, ...result };
  },
});

type JsonClaims = Readonly<Record<string, z.output<ReturnType<typeof z.json>> | undefined>>;

/** The claims of the arguments. @throws InvalidArgumentsError unless exactly one of the two is given, or if the token can't be read */
function givenClaims(claims: JsonClaims | undefined, token: string | undefined): ReadClaims {
  const wrong = (path: string, reason: string) => new InvalidArgumentsError("explainLogin", [{ path, reason }]);
  if (token === undefined) {
    if (claims === undefined) throw wrong("claims", "is required, unless a token is given");
    const known = Object.entries(claims).flatMap(([name, claim]) => (claim === undefined ? [] : [[name, claim] as const]));
    return { claims: Object.fromEntries(known), isToken: false };
  }
  if (claims !== undefined) throw wrong("token", "replaces claims: give only one of them");
  try {
    const read = parseClaims(token.trim(), "it");
    if (read.isToken) return read;
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    throw wrong("token", `can't be read: ${error.message}`);
  }
  throw wrong("token", "is not a token (JWT)");
}

export const getAccessGraph = defineFunction({
  name: "getAccessGraph",
  description:
    "Reads the ACL auth methods, binding rules, roles and policies of the cluster, and the links between them. It sends at most one request " +
    "for each method and each rule.",
  source,
  inputs: z.object({}),
  outputs: z.object({
    authMethods: field(
      z.array(
        field(
          z.object({
            name: field(z.string(), "Name of the method."),
            type: field(z.string(), "Kind of login: `OIDC` or `JWT`."),
            default: field(z.boolean(), "Whether logins that name no method use this one."),
            tokenLocality: field(
              z.string(),
              "Where the tokens of logins are valid: in one region (`local`), or in all regions (`global`).",
            ),
            claimMappings: field(record(z.string()), "Claim (key), and its name after `value.` in selectors (value)."),
            listClaimMappings: field(record(z.string()), "Claim that is a list (key), and its name after `list.` in selectors (value)."),
          }),
          "An auth method.",
        ),
      ),
      "The auth methods.",
    ),
    bindingRules: field(
      z.array(
        field(
          z.object({ ...rule, authMethod: field(z.string(), "Name of the auth method whose logins the rule applies to.") }),
          "A binding rule.",
        ),
      ),
      "The binding rules.",
    ),
    roles: field(
      z.array(
        field(
          z.object({
            name: field(z.string(), "Name of the role."),
            policies: field(names(), "Names of its policies."),
          }),
          "A role.",
        ),
      ),
      "The roles.",
    ),
    policies: field(names(), "Names of the policies."),
    edges: field(
      z.array(
        field(
          z.object({
            fromKind: field(z.enum(["authMethod", "bindingRule", "role"]), "Kind of the object where the link begins."),
            from: field(z.string(), "Name of the method or role, or identifier of the rule."),
            toKind: field(z.enum(["bindingRule", "role", "policy", "management"]), "Kind of the object where the link ends."),
            to: field(z.string(), "Name of the role or policy, identifier of the rule, or `management`."),
            exists: field(z.boolean(), "Whether both objects exist. A missing method, role or policy gives nothing."),
            computed: field(z.boolean(), "Whether the name of the role or policy depends on claims."),
          }),
          "Link from one object to another.",
        ),
      ),
      "Links from methods to their rules, from rules to their grants, and from roles to their policies.",
    ),
  }),
  async run(context) {
    const cluster = context.cluster();
    const [stubs, rules, grants] = await Promise.all([cluster.methods.list(), readRules(cluster), readGrants(cluster)]);
    const methods = await existing(
      sorted(stubs, ({ name }) => name),
      ({ name }) => cluster.methods.read(name),
    );
    const objects = objectsOf({ methods, rules, ...grants });
    return {
      authMethods: methods.map(({ config, ...method }) => ({
        ...method,
        claimMappings: config.ClaimMappings,
        listClaimMappings: config.ListClaimMappings,
      })),
      bindingRules: rules,
      roles: Object.entries(grants.roles).map(([name, policies]) => ({ name, policies })),
      policies: grants.policies,
      edges: edgesOf(objects),
    };
  },
});

/**
 * The rules of a method, or of all methods. A rule without a cached copy is read singly, since the list leaves out selectors and bind
 * names.
 */
async function readRules(cluster: ClusterClient, authMethod?: string): Promise<ServerRule[]> {
  const stubs = (await cluster.rules.list()).filter((stub) => authMethod === undefined || stub.authMethod === authMethod);
  return existing(
    sorted(stubs, ({ id }) => id),
    (stub) => cluster.rules.readListed(stub),
  );
}

async function readGrants(cluster: ClusterClient): Promise<{ roles: Record<string, string[]>; policies: string[] }> {
  const [roles, policies] = await Promise.all([cluster.roles.list(), cluster.policies.list()]);
  return {
    roles: Object.fromEntries(sorted(roles, ({ name }) => name).map((role) => [role.name, role.policies])),
    policies: policies.map(({ name }) => name).sort(),
  };
}

/** Sorts objects. Each server returns its own order, and a different one would show up as a change. */
function sorted<T>(objects: readonly T[], keyOf: (object: T) => string): T[] {
  return objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
}

/** Reads the objects that still exist: one may be deleted after it was listed. */
async function existing<T, Stub>(stubs: readonly Stub[], read: (stub: Stub) => Promise<T>): Promise<T[]> {
  const objects = await Promise.all(stubs.map((stub) => readOrMissing(() => read(stub))));
  return objects.filter((object) => object !== undefined);
}

interface ServerObjects {
  readonly methods: readonly AuthMethod[];
  readonly rules: readonly ServerRule[];
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly policies: readonly string[];
}

function objectsOf({ methods, rules, roles, policies }: ServerObjects): AccessObjects {
  return { methods: methods.map(methodOf), rules: rules.map(ruleOf), roles, policies };
}

function methodOf({ name, type, tokenLocality, tokenNameFormat, maxTokenTtl, config }: AuthMethod): LoginMethod {
  return { name, type, tokenLocality, tokenNameFormat, maxTokenTtl, ...toLoginConfig(config) };
}

const bindTypes = z.enum(["role", "policy", "management"]);

function ruleOf({ id, authMethod, selector, bindType, bindName }: ServerRule): BindingRule {
  const known = bindTypes.safeParse(bindType);
  if (known.success) return { id, authMethod, selector, bindType: known.data, bindName };
  throw new UserError(
    "bind-type-unknown",
    `The ACL binding rule ${id} has the bind type ${JSON.stringify(bindType)}, which this version does not know: use a newer one.`,
  );
}

function ruleResultOf({ rule: { id = "", selector = "", bindType, bindName = "" }, ...result }: RuleResult) {
  const facts = { id, selector, bindType, bindName };
  if (!result.matches) return { ...facts, matches: false, because: [...result.because] };
  return { ...facts, matches: true, because: [], ...granted(result.gives) };
}

function granted(grant: Grant) {
  const { kind: gives } = grant;
  if (grant.kind === "role") return { gives, name: grant.name, policies: [...grant.policies] };
  if (grant.kind === "policy" || grant.kind === "nothing") return { gives, name: grant.name };
  return grant.kind === "error" ? { gives, error: grant.error } : { gives };
}
