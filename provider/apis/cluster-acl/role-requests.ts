import { uuid } from "../../../common/uuid";
import { Requests } from "./requests";
import type { Role, RoleInput } from "./role";

/** The requests for roles, whose lists have all of each. A create or an update whose name is taken rejects with isConflict(e). */
export class RoleRequests extends Requests<Role, Role, RoleInput, RoleInput, RoleInput & { readonly id: string }> {
  /** @param filter.prefix start of the roles' ids: an even number of hexadecimal characters; anything else is rejected without a request */
  override async list(filter: { readonly prefix?: string | undefined } = {}): Promise<Role[]> {
    const prefix = filter.prefix?.toLowerCase() ?? "";
    if (!/^([0-9a-f]{2})*$/.test(prefix)) {
      throw this.connection.http.refused(
        { operation: "read", method: "GET", path: ["v1", "acl", "roles"] },
        "prefix must be an even number of hexadecimal characters (0-9, a-f)",
      );
    }
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
