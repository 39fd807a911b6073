import { posix } from "node:path";
import type { ApiHandler, ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import type { Endpoint } from "./endpoint";
import { byMethod, listed, listOf, readOf, remove, single, upsert, withKey, writes } from "./endpoint";
import { login } from "./login";
import { decodeMethod, methods } from "./methods";
import type { MethodBody, Role } from "./objects";
import { readOwnToken } from "./own-token";
import { decodePolicy, policies, policyStub, writePolicy } from "./policies";
import type { ClusterContext } from "./reads";
import { caller, permissionDenied, read, requireManagement, TEXT, written } from "./reads";
import { Refusal } from "./refusal";
import { decodeRole, roles, writeRole } from "./roles";
import { decodeRule, ruleStub, rules, writeRule } from "./rules";
import type { ClusterStore } from "./store";
import type { Tables } from "./table";
import { tokenEndpoints } from "./token-endpoints";
import type { ClusterToken, ClusterTokens } from "./tokens";

const matchingName = (body: MethodBody, name: string): MethodBody => {
  if (body.Name !== name) throw new Refusal(400, "ACL auth-method name does not match request path");
  return body;
};
const createMethod = upsert(
  decodeMethod,
  ({ store, dialect: { methods } }, body) => methods.shown(methods.create(store, body)),
  (body) => body,
);
const updateMethod = upsert(
  decodeMethod,
  ({ store, dialect: { methods } }, body) => methods.shown(methods.update(store, body)),
  matchingName,
);
const upsertRole = upsert(
  decodeRole,
  (context, body) => context.dialect.roles.shown(writeRole(context, body)),
  (body, id) => {
    if (body.ID !== id) throw new Refusal(400, "ACL role ID does not match request path");
    return body;
  },
);
const upsertRule = upsert(
  decodeRule,
  (context, body) => context.dialect.rules.shown(writeRule(context, body)),
  (body, id) => {
    // Unlike a role's, a rule's body may leave the ID out.
    if (body.ID !== "" && body.ID !== id) throw new Refusal(400, "ACL binding rule ID does not match request path");
    return { ...body, ID: id };
  },
);

const oneRole = byMethod({
  GET: readRole,
  ...writes(upsertRole),
  DELETE: remove(roles, "ACL role not found"),
});

/** Every endpoint of the document, those of the policies, which roles refer to, and those of tokens. */
const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  ["/v1/acl/auth-methods", byMethod({ GET: listMethods })],
  ["/v1/acl/auth-method", byMethod(writes((context) => createMethod(context, "")))],
  [
    "/v1/acl/auth-method/",
    withKey(
      "missing ACL auth-method name",
      byMethod({
        GET: readOf(methods, "ACL auth-method not found", (method, { dialect }) => dialect.methods.shown(method)),
        ...writes(updateMethod),
        DELETE: remove(methods, "ACL auth method not found"),
      }),
    ),
  ],
  ["/v1/acl/roles", byMethod({ GET: listRoles })],
  ["/v1/acl/role", byMethod(writes((context) => upsertRole(context, "")))],
  ["/v1/acl/role/", roleBelow],
  ["/v1/acl/binding-rules", byMethod({ GET: listOf(rules, ruleStub) })],
  ["/v1/acl/binding-rule", byMethod(writes((context) => upsertRule(context, "")))],
  [
    "/v1/acl/binding-rule/",
    withKey(
      "missing ACL binding rule ID",
      byMethod({
        GET: readOf(rules, "ACL binding rule not found", (rule, { dialect }) => dialect.rules.shown(rule)),
        ...writes(upsertRule),
        DELETE: remove(rules, "ACL binding rule not found"),
      }),
    ),
  ],
  ["/v1/acl/login", byMethod(writes(login))],
  ["/v1/acl/token/self", byMethod({ GET: readOwnToken })],
  ...tokenEndpoints,
  ["/v1/acl/policies", byMethod({ GET: listPolicies })],
  ["/v1/acl/policy", () => ({ status: 307, headers: { location: "/v1/acl/policy/" } })],
  ["/v1/acl/policy/", withKey("Missing Policy Name", byMethod({ GET: readPolicy, ...writes(upsertPolicy), DELETE: deletePolicy }))],
];

/** The cluster's ACL API, under /v1. */
export function clusterApi(store: ClusterStore, tokens: ClusterTokens, dialect: ClusterDialect): ApiHandler {
  return (request) => {
    try {
      store.collectExpiredTokens();
      return route({ request, store, tokens, dialect });
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, contentType: TEXT, body: error.message };
      throw error;
    }
  };
}

function route(context: ClusterContext): ApiResponse {
  const clean = posix.normalize(context.request.path);
  if (clean !== context.request.path) return { status: 307, headers: { location: clean } };
  const path = decodedPath(clean);
  const found = ENDPOINTS.find(([base]) => (base.endsWith("/") ? path.startsWith(base) : path === base));
  // The 404 for a wrong path has an empty body, unlike that for a missing object.
  return found ? found[1](context, path.slice(found[0].length)) : { status: 404 };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "400 Bad Request");
  }
}

function listMethods(context: ClusterContext): ApiResponse {
  // This endpoint alone ignores the token, also an invalid one.
  const everyone = (): void => undefined;
  return read(context, everyone, (tables) => listed(tables.of(methods), tables.of(methods).list().map(context.dialect.methods.stub)));
}

/** /role/ID, or /role/name/NAME, which is read-only. */
function roleBelow(context: ClusterContext, rest: string): ApiResponse {
  const [first = "", name, ...more] = rest.split("/");
  if (name === undefined) return withKey("missing ACL role ID", oneRole)(context, first);
  if (more.length > 0) throw new Refusal(400, "invalid URI");
  if (context.request.method !== "GET") throw new Refusal(405, "Invalid method");
  if (first !== "name") throw new Refusal(400, "invalid URI");
  return withKey("missing ACL role name", readRoleByName)(context, name);
}

function listRoles(context: ClusterContext): ApiResponse {
  const { withPrefix, shown } = context.dialect.roles;
  const isAskedFor = withPrefix(context.request.query.get("prefix") ?? "");
  return read(
    context,
    () => caller(context),
    (tables) => {
      const token = caller(context);
      const visible = tables
        .of(roles)
        .list()
        .filter((role) => isAskedFor(role) && mayRead(token, role));
      return listed(tables.of(roles), visible.map(shown));
    },
  );
}

function readRole(context: ClusterContext, id: string): ApiResponse {
  return readRoleWhere(context, (tables) => tables.of(roles).get(id));
}

function readRoleByName(context: ClusterContext, name: string): ApiResponse {
  return readRoleWhere(context, (tables) => [...tables.of(roles).values()].find((role) => role.Name === name));
}

function readRoleWhere(context: ClusterContext, find: (tables: Tables) => Role | undefined): ApiResponse {
  const authorize = (): void => {
    const token = caller(context);
    const role = find(context.store.tables);
    // Only a management token gets the error for a missing role.
    if (token.type !== "management" && !(role && mayRead(token, role))) throw permissionDenied();
  };
  return read(context, authorize, (tables) => single(tables.of(roles), find(tables), "ACL role not found", context.dialect.roles.shown));
}

/** A client token may read only its own roles. */
function mayRead(token: ClusterToken, role: Role): boolean {
  return token.type === "management" || [role.ID, role.Name].some((key) => token.roles?.includes(key));
}

function listPolicies(context: ClusterContext): ApiResponse {
  const prefix = context.request.query.get("prefix") ?? "";
  return read(
    context,
    () => caller(context),
    (tables) => {
      const allowed = policiesOf(caller(context), tables);
      const visible = tables
        .of(policies)
        .list()
        .filter(({ Name }) => Name.startsWith(prefix) && (allowed === "all" || allowed.has(Name)));
      return listed(
        tables.of(policies),
        visible.map((policy) => context.dialect.policies.shown(policyStub(policy))),
      );
    },
  );
}

function readPolicy(context: ClusterContext, name: string): ApiResponse {
  const authorize = (): void => {
    const allowed = policiesOf(caller(context), context.store.tables);
    if (allowed !== "all" && !allowed.has(name)) throw permissionDenied();
  };
  return read(context, authorize, (tables) =>
    single(tables.of(policies), tables.of(policies).get(name), "ACL policy not found", context.dialect.policies.shown),
  );
}

/** The policies of a token, and those of its roles. */
function policiesOf(token: ClusterToken, tables: Tables): Set<string> | "all" {
  if (token.type === "management") return "all";
  const ofRoles = tables
    .of(roles)
    .list()
    .filter((role) => mayRead(token, role));
  return new Set([...(token.policies ?? []), ...ofRoles.flatMap((role) => role.Policies.map((policy) => policy.Name))]);
}

function upsertPolicy(context: ClusterContext, name: string): ApiResponse {
  const body = decodePolicy(context.request.body);
  if (body.Name !== name) throw new Refusal(400, "ACL policy name does not match request path");
  requireManagement(context);
  writePolicy(context.store, body);
  return written(context);
}

/** Unlike for other objects, the delete of a missing policy succeeds. */
function deletePolicy(context: ClusterContext, name: string): ApiResponse {
  requireManagement(context);
  context.store.policies.remove(name);
  return written(context);
}
