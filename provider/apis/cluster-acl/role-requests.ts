import { uuid } from "../../../common/uuid";
import { Requests } from "./requests";
import type { Role, RoleInput } from "./role";

/** The requests for roles, whose lists have all of each. A create or an update whose name is taken rejects with isConflict(e). */
export class RoleRequests extends Requests<Role, Role, RoleInput, RoleInput, RoleInput & { readonly id: string }> {
  /** @param filter.prefix start of the roles' IDs */
  override async list({ prefix }: { readonly prefix?: string | undefined } = {}): Promise<Role[]> {
    return this.connection.read([this.kind.listPath], this.kind.list, { query: { prefix: prefix || undefined } });
  }

  /** @param key an ID, or a name */
  override read(key: string): Promise<Role> {
    return uuid.test(key) ? this.readById(key) : this.readByName(key);
  }

  readById(id: string): Promise<Role> {
    return super.read(id);
  }

  readByName(name: string): Promise<Role> {
    return this.readOne(["name", name], (role) => role.name === name);
  }
}
