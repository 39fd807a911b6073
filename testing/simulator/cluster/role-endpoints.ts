import type { ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, caller, listOf, mayRead, permissionDenied, readOf, remove, shown, write } from "./endpoint";
import { roleForm } from "./forms";
import type { Role, RoleBody } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import { completeRole, roles } from "./roles";
import type { Tables } from "./table";

const upsertRole = write(
  roleForm,
  ({ ID }) => ID,
  "ACL role ID",
  (context, body) => shown(writeRole(context, body), context),
);

const oneRole = byMethod({
  GET: readRole((tables, id) => tables.of(roles).get(id)),
  POST: upsertRole,
  DELETE: remove(roles, "ACL role not found"),
});
const namedRole = readRole((tables, name) => [...tables.of(roles).values()].find((role) => role.Name === name));

export const roleEndpoints: [path: string, endpoint: Endpoint][] = [
  ["/v1/acl/roles", byMethod({ GET: listOf(roles, shown, { authorize: caller, choose: chosenRoles }) })],
  ["/v1/acl/role", byMethod({ POST: upsertRole })],
  ["/v1/acl/role/", roleBelow],
];

/** Serves /role/ID, and /role/name/NAME, which is read-only. */
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

/**
 * Creates a role, or replaces the role with the body's ID.
 *
 * @throws Refusal 400 for an invalid or missing role, or (measured) a missing policy; 500 for an update with the name of another role
 */
function writeRole({ store, dialect }: ClusterContext, body: RoleBody): Role {
  refuseInvalid("role", roleErrors(body, dialect.roles));
  const namesake = store.roles.all().find((role) => role.Name === body.Name);
  if (body.ID === "" && namesake) throw new Refusal(400, `role with name ${body.Name} already exists`);
  if (body.ID !== "" && !store.roles.peek(body.ID)) throw new Refusal(400, `cannot find role ${body.ID}`);
  const unknown = dialect.roles.refusesUnknownPolicies ? body.Policies.find(({ Name }) => !store.policies.peek(Name)) : undefined;
  if (unknown) throw new Refusal(400, `cannot find policy ${unknown.Name}`);
  // The server checks an update's name only when it applies the write, so status and text differ from the ones above.
  if (namesake && namesake.ID !== body.ID) throw new Refusal(500, `ACL role with name ${body.Name} already exists`);
  return store.roles.write(completeRole(body));
}

function roleErrors(role: RoleBody, { name, descriptionLength, needsPolicies }: ClusterDialect["roles"]): string[] {
  const errors: string[] = [];
  if (!name.test(role.Name)) errors.push(`invalid name '${role.Name}'`);
  if (descriptionLength(role.Description) > 256) errors.push("description longer than 256");
  if (needsPolicies && role.Policies.length === 0) errors.push("at least one policy should be specified");
  return errors;
}
