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
  type: field(z.enum(["client", "management"]), "`management` may do everything; `client` what its policies and roles allow."),
  policies: field(names(), "Names of the policies that rules give by themselves, without those of the roles."),
  roles: field(names(), "Names of the roles."),
  global: field(z.boolean(), "Whether the token is valid in all regions."),
});

const reason = z.object({
  part: field(z.string(), "The part of the selector that does not hold."),
  found: field(z.string(), "What the login has there."),
});

const rule = {
  id: field(z.string(), "Identifier of the rule."),
  selector: field(z.string(), "Selector of the rule; the empty one matches every login."),
  bindType: field(z.string(), "What a matching login gets: `role`, `policy` or `management`."),
  bindName: field(z.string(), "Name of the role or policy, as the rule has it; empty for `management`."),
};

const ruleResult = z.object({
  ...rule,
  matches: field(z.boolean(), "Whether the selector matches the login."),
  because: field(z.array(field(reason, "A part of the selector that does not hold.")), "Why it does not match; empty if it does."),
  gives: field(
    z.enum(["role", "policy", "management", "nothing", "error", "unused"]).optional(),
    "What a rule that matches gives: `nothing` if the role or policy does not exist, `error` if the rule fails the login, `unused` " +
      "if an error or management has ended the login before. Left out if it does not match.",
  ),
  name: field(z.string().optional(), "Name of the role or policy that it gives, or that does not exist, with the claims in place."),
  policies: field(names().optional(), "Names of the policies of the role that it gives."),
  error: field(z.string().optional(), "Error of the server, if the rule fails the login."),
});

const secret = { secret: true } as const;

export const explainLogin = defineFunction({
  name: "explainLogin",
  description:
    "Says what a login with these claims gets from an ACL auth method, and why, without logging in: it reads the method, its binding rules, " +
    "the roles and the names of the policies, and decides as the server does. A login that fails is a result. The result is a secret.",
  source,
  inputs: z.object({
    authMethod: field(z.string().min(1, "must not be empty"), "Name of the auth method."),
    claims: field(
      record(field(z.json().optional(), "A claim: any JSON.")).optional(),
      "Claims of the login, as the identity provider's token has them. Audience, issuer and times are checked if the claims have them.",
    ),
    token: field(
      z.string().optional(),
      "A token (JWT) in place of claims: it is decoded, its signature is not checked, and what it lacks is missing. A secret.",
      secret,
    ),
    at: field(
      z
        .string()
        .refine((text) => timeIn(text) !== undefined, "must be a time like 2027-01-31T12:00:00Z")
        .optional(),
      "When the login takes place: a time like 2027-01-31T12:00:00Z. Default: now.",
    ),
  }),
  outputs: z.object({
    ok: field(z.boolean(), "Whether the login gets a token.", secret),
    token: field(token.optional(), "The token that the login gets.", secret),
    status: field(z.int().optional(), "Status of the server's response to a login that fails.", secret),
    error: field(z.string().optional(), "Error of the server for a login that fails.", secret),
    because: field(
      z.string().optional(),
      "What the token has and the method wants, if the server takes the token of no login: its audience, issuer or times.",
      secret,
    ),
    notChecked: field(
      z.array(field(z.enum(["audience", "issuer", "times", "UserInfo"]), "What is not checked.")),
      "What may still refuse the login, because claims or method do not say it. `UserInfo` is what the identity provider may add to the claims.",
      secret,
    ),
    rules: field(
      z.array(field(ruleResult, "A binding rule, and what it is to the login.")),
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

/** @throws InvalidArgumentsError unless there is one of the two */
function givenClaims(claims: JsonClaims | undefined, token: string | undefined): ReadClaims {
  const wrong = (path: string, reason: string) => new InvalidArgumentsError("explainLogin", [{ path, reason }]);
  if (token === undefined) {
    if (claims === undefined) throw wrong("claims", "is required, or a token in its place");
    const known = Object.entries(claims).flatMap(([name, claim]) => (claim === undefined ? [] : [[name, claim] as const]));
    return { claims: Object.fromEntries(known), isToken: false };
  }
  if (claims !== undefined) throw wrong("token", "takes the place of claims: give one of the two");
  try {
    const read = parseClaims(token.trim(), "it");
    if (read.isToken) return read;
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    throw wrong("token", `can't be read: ${error.message}`);
  }
  throw wrong("token", "is no token (JWT)");
}

export const getAccessGraph = defineFunction({
  name: "getAccessGraph",
  description:
    "Reads the ACL auth methods, binding rules, roles and policies of the cluster, and what leads from one to the other. It sends a request " +
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
            default: field(z.boolean(), "Whether this is the method of a login that names none."),
            tokenLocality: field(z.string(), "Whether a login makes a token for the one region (`local`), or for all of them (`global`)."),
            claimMappings: field(record(z.string()), "Claims by the names that selectors have after `value.`."),
            listClaimMappings: field(record(z.string()), "The same after `list.`."),
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
            fromKind: field(z.enum(["authMethod", "bindingRule", "role"]), "Kind of the object that leads to the other."),
            from: field(z.string(), "Name of the method or role, or identifier of the rule."),
            toKind: field(z.enum(["bindingRule", "role", "policy", "management"]), "Kind of what it leads to."),
            to: field(z.string(), "Name of the role or policy, identifier of the rule, or `management`."),
            exists: field(
              z.boolean(),
              "Whether the cluster has both of them. A rule of a method that does not exist, and a role or policy that does not, give nothing.",
            ),
            computed: field(z.boolean(), "Whether claims decide about the name of the role or policy."),
          }),
          "What leads from one object to another.",
        ),
      ),
      "What leads where: methods to their rules, rules to what they give, roles to their policies.",
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

/** The rules of a method, or all. Each is read singly, unless it was read before: the list leaves out what they select and bind. */
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

/** Servers have an order of their own, which would show as a change. */
function sorted<T>(objects: readonly T[], keyOf: (object: T) => string): T[] {
  return objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
}

/** The objects that still exist: one may be deleted after it was listed. */
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
