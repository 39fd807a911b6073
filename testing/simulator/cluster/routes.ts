import { posix } from "node:path";
import type { ApiHandler, ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, caller, listOf, permissionDenied, readOf, remove, TEXT, write } from "./endpoint";
import { login } from "./login";
import { methods } from "./methods";
import type { AuthMethod, Role } from "./objects";
import { methodForm, policyForm, roleForm, ruleForm } from "./objects";
import { policies, policyStub, writePolicy } from "./policies";
import { Refusal } from "./refusal";
import { roles, writeRole } from "./roles";
import { ruleStub, rules, writeRule } from "./rules";
import type { ClusterStore } from "./store";
import type { Tables } from "./table";
import { tokenEndpoints } from "./token-endpoints";
import type { ClusterToken, ClusterTokens } from "./tokens";

const shown = <Row extends { Hash: string }>(row: Row, { dialect }: ClusterContext) => dialect.shown(row);
const shownMethod = (method: AuthMethod, { dialect }: ClusterContext) => dialect.methods.shown(method);

const writeMethod = write(
  methodForm,
  ({ Name }) => Name,
  "auth-method name",
  ({ store, dialect: { methods } }, body, name) => methods.shown(methods.write(store, body, name !== "")),
);

const upsertRole = write(
  roleForm,
  ({ ID }) => ID,
  "role ID",
  (context, body) => shown(writeRole(context, body), context),
);

// Unlike a role's, a rule's body may leave the ID out.
const upsertRule = write(
  ruleForm,
  ({ ID }, key) => ID || key,
  "binding rule ID",
  (context, body, key) => shown(writeRule(context, { ...body, ID: body.ID || key }), context),
);

const upsertPolicy = write(
  policyForm,
  ({ Name }) => Name,
  "policy name",
  ({ store }, body) => writePolicy(store, body),
);

const oneRole = byMethod({
  GET: readRole((tables, id) => tables.of(roles).get(id)),
  POST: upsertRole,
  DELETE: remove(roles, "ACL role not found"),
});
const namedRole = readRole((tables, name) => [...tables.of(roles).values()].find((role) => role.Name === name));

/** Every endpoint of the document, those of the policies, which roles refer to, and those of tokens. */
const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  // The list alone ignores the token, also an invalid one.
  [
    "/v1/acl/auth-methods",
    byMethod({ GET: listOf(methods, (method, { dialect }) => dialect.methods.stub(method), { authorize: () => {} }) }),
  ],
  ["/v1/acl/auth-method", byMethod({ POST: writeMethod })],
  [
    "/v1/acl/auth-method/",
    byMethod(
      {
        GET: readOf(methods, "ACL auth-method not found", shownMethod),
        POST: writeMethod,
        DELETE: remove(methods, "ACL auth method not found"),
      },
      "missing ACL auth-method name",
    ),
  ],
  ["/v1/acl/roles", byMethod({ GET: listOf(roles, shown, { authorize: caller, choose: chosenRoles }) })],
  ["/v1/acl/role", byMethod({ POST: upsertRole })],
  ["/v1/acl/role/", roleBelow],
  ["/v1/acl/binding-rules", byMethod({ GET: listOf(rules, ruleStub) })],
  ["/v1/acl/binding-rule", byMethod({ POST: upsertRule })],
  [
    "/v1/acl/binding-rule/",
    byMethod(
      {
        GET: readOf(rules, "ACL binding rule not found", shown),
        POST: upsertRule,
        DELETE: remove(rules, "ACL binding rule not found"),
      },
      "missing ACL binding rule ID",
    ),
  ],
  ["/v1/acl/login", byMethod({ POST: login })],
  ...tokenEndpoints,
  [
    "/v1/acl/policies",
    byMethod({
      GET: listOf(policies, (policy, { dialect }) => policyStub(dialect.shown(policy)), {
        authorize: caller,
        choose: (rows, context, tables) => {
          const prefix = context.request.query.get("prefix") ?? "";
          return rows.filter(({ Name }) => Name.startsWith(prefix) && mayReadPolicy(caller(context), Name, tables));
        },
      }),
    }),
  ],
  ["/v1/acl/policy", () => ({ status: 307, headers: { location: "/v1/acl/policy/" } })],
  [
    "/v1/acl/policy/",
    byMethod(
      {
        GET: readOf(policies, "ACL policy not found", shown, {
          authorize(context, name) {
            if (!mayReadPolicy(caller(context), name, context.store.tables)) throw permissionDenied();
          },
        }),
        POST: upsertPolicy,
        // Unlike for other objects, the delete of a missing policy succeeds.
        DELETE: remove(policies, undefined),
      },
      "Missing Policy Name",
    ),
  ],
];

/** The cluster's ACL API, under /v1. */
export function clusterApi(store: ClusterStore, tokens: ClusterTokens, dialect: ClusterDialect): ApiHandler {
  return (request) => {
    try {
      store.collectExpiredTokens();
      return route({ request, store, tokens, dialect, region: request.query.get("region") || undefined });
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

/** /role/ID, or /role/name/NAME, which is read-only. */
function roleBelow(context: ClusterContext, rest: string): ApiResponse {
  const [first = "", name, ...more] = rest.split("/");
  if (name === undefined && first === "") throw new Refusal(400, "missing ACL role ID");
  if (name === undefined) return oneRole(context, first);
  if (more.length > 0) throw new Refusal(400, "invalid URI");
  if (context.request.method !== "GET") throw new Refusal(405, "Invalid method");
  if (first !== "name") throw new Refusal(400, "invalid URI");
  if (name === "") throw new Refusal(400, "missing ACL role name");
  return namedRole(context, name);
}

function chosenRoles(rows: Role[], context: ClusterContext): Role[] {
  const isAskedFor = context.dialect.roles.withPrefix(context.request.query.get("prefix") ?? "");
  const token = caller(context);
  return rows.filter((role) => isAskedFor(role) && mayRead(token, role));
}

function readRole(find: (tables: Tables, key: string) => Role | undefined): Endpoint {
  return readOf(roles, "ACL role not found", shown, {
    find,
    authorize(context, key) {
      const token = caller(context);
      const role = find(context.store.tables, key);
      // Only a management token gets the error for a missing role.
      if (token.type !== "management" && !(role && mayRead(token, role))) throw permissionDenied();
    },
  });
}

/** A client token may read only its own roles. */
function mayRead(token: ClusterToken, role: Role): boolean {
  return token.type === "management" || [role.ID, role.Name].some((key) => token.roles?.includes(key));
}

/** A client token may read only its own policies, and those of its roles. */
function mayReadPolicy(token: ClusterToken, name: string, tables: Tables): boolean {
  if (token.type === "management" || token.policies?.includes(name)) return true;
  return [...tables.of(roles).values()].some((role) => mayRead(token, role) && role.Policies.some(({ Name }) => Name === name));
}
