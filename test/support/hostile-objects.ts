import * as fc from "fast-check";
import { hostile } from "./hostile-texts";
import { method, object } from "./import-objects";

/** An auth method and a rule of it, whose texts are hostile. */
export const hostileObjects = fc
  .record({
    description: hostile,
    selector: hostile,
    claims: fc.array(fc.tuple(hostile, hostile), { maxLength: 4 }),
    scopes: fc.array(hostile, { maxLength: 3 }),
  })
  .map(({ description, selector, claims, scopes }) => {
    // Object.fromEntries makes an own property of __proto__.
    const mapped = claims.length > 0 ? { claimMappings: Object.fromEntries(claims) } : {};
    return [
      method("sso", { ...mapped, ...(scopes.length > 0 ? { oidcScopes: scopes } : {}) }),
      object("AclBindingRule", "1", { authMethod: "sso", description, selector, bindType: "management" }),
    ];
  });
