import * as z from "zod";
import { uuid } from "../../../common/uuid";
import * as rules from "./binding-rule";
import { Requests } from "./requests";
import { absenceOf, key, listOf, object, text, toVersion, versions } from "./wire";

const policyLinks = z
  .array(object({ Name: z.string() }))
  .nullish()
  .transform((links) => (links ?? []).map((link) => link.Name));

export const form = object({ ID: key, Name: z.string(), Description: text, Policies: policyLinks, ...versions }).transform((wire) => ({
  id: wire.ID,
  name: wire.Name,
  description: wire.Description,
  /** Names of the policies, in the server's order. */
  policies: wire.Policies,
  ...toVersion(wire),
}));

/** "ACL role" in the document. */
export type Role = z.output<typeof form>;
export type RoleInput = Pick<Role, "name" | "description" | "policies">;

export const list = listOf(form);

export function createBody(input: RoleInput) {
  return { Name: input.name, Description: input.description, Policies: input.policies.map((name) => ({ Name: name })) };
}

export function updateBody(id: string, input: RoleInput) {
  return { ID: id, ...createBody(input) };
}

export const keyOf = ({ id }: Role) => id;
export const isKeyUuid = true;
export const path = "role";
export const listPath = "roles";
export const absence = absenceOf("role");

/** The requests for roles, whose lists have all of each. A create or an update whose name is taken rejects with isConflict(e). */
export class RoleRequests extends Requests<Role, Role, RoleInput> {
  /** @param filter.prefix start of the roles' IDs */
  override list({ prefix }: { readonly prefix?: string | undefined } = {}): Promise<Role[]> {
    return this.connection.send({
      operation: "read",
      method: "GET",
      path: [listPath],
      query: { prefix: prefix || undefined },
      response: list,
    });
  }

  /** @param key an ID, or a name */
  override read(key: string): Promise<Role> {
    return uuid.test(key) ? this.readById(key) : this.readByName(key);
  }

  readById(id: string): Promise<Role> {
    return this.readOne([id], (role) => super.isNamed(role, id));
  }

  readByName(name: string): Promise<Role> {
    return this.readOne(["name", name], (role) => role.name === name);
  }

  /** Without management, the list of roles has those of the token alone, and that of rules is refused. */
  protected override async wholeList(): Promise<readonly Role[]> {
    await this.connection.send({ operation: "read", method: "GET", path: [rules.listPath], response: rules.list });
    return super.wholeList();
  }

  protected override isNamed(role: Role, key: string): boolean {
    return role.name === key || super.isNamed(role, key);
  }
}
