import * as fc from "fast-check";
import { maybe, name, options, slotOf } from "./arbitraries";
import type { Options, Place, RandomKind, Resolved, Slot } from "./kind";

export interface MethodDeclaration extends Options {
  readonly kind: "AclAuthMethod";
  readonly name: string;
  readonly type: "OIDC" | "JWT";
  readonly ttl: "1h" | "60m" | "2h0m0s";
  readonly isDefault: boolean;
  readonly secret: string | undefined;
  readonly scopes: readonly string[];
  /** Whether the method has two mappings of claims, whose order the server's hash does not fix. */
  readonly mapped: boolean;
  /** Waits for another method of the program. */
  readonly after: Slot | undefined;
}

/** The beginnings of the program's secrets and of others' secrets. They identify leaked secrets. */
export const ownSecret = "canary-ours-";
export const theirSecret = "canary-theirs-";

/** A method of others, which stays. */
export const theirMethod = "theirs";

export const methodSlots = 3;

const mappings = { "a-claim": "a", "b-claim": "b" };

const keyOf = (name: string, createTime: unknown) => `${name} made ${createTime}`;

export const aclAuthMethod: RandomKind<MethodDeclaration> = {
  slots: methodSlots,
  declaration: fc.record({
    ...options,
    kind: fc.constant("AclAuthMethod"),
    name,
    type: fc.constantFrom("OIDC", "JWT"),
    ttl: fc.constantFrom("1h", "60m", "2h0m0s"),
    isDefault: fc.boolean(),
    secret: maybe(fc.constantFrom(`${ownSecret}1`, `${ownSecret}2`), 2),
    scopes: fc.constantFrom<string[][]>([], ["groups"]),
    mapped: fc.constantFrom(false, false, true),
    after: maybe(slotOf("AclAuthMethod", methodSlots), 1),
  }),
  resolve(method, slot, { free, nameOf, takesDefault }) {
    const after = method.after && nameOf(method.after) !== undefined ? method.after : undefined;
    return { ...method, slot, name: free(method.name, (text) => text), isDefault: takesDefault(method.isDefault), after };
  },
  identity: ({ name }) => name,
  inputs: ({ name, type, ttl, isDefault, secret, scopes, mapped }) => ({
    name,
    type,
    tokenLocality: "local",
    maxTokenTtl: ttl,
    default: isDefault,
    config: {
      oidcDiscoveryUrl: "https://idp.test",
      oidcClientId: "cluster",
      allowedRedirectUris: ["http://localhost/callback"],
      oidcClientSecret: secret,
      oidcScopes: scopes,
      claimMappings: mapped ? mappings : undefined,
    },
  }),
  dependsOn: ({ after }) => after,
  key: (id, { createTime }) => keyOf(id, createTime),
  stored: ({ cluster }) =>
    cluster.methods.all().map((object) => ({ id: object.Name, key: keyOf(object.Name, object.CreateTime), identity: object.Name, object })),
  expected: (method, place) => ({
    Type: method.type,
    MaxTokenTTL: method.ttl === "2h0m0s" ? "2h0m0s" : "1h0m0s",
    Default: method.isDefault,
    OIDCScopes: method.scopes,
    ClaimMappings: method.mapped ? mappings : {},
    ...secretOf(method, place),
  }),
  actual({ cluster }, id) {
    const method = cluster.methods.get(id);
    if (!method) return undefined;
    const { OIDCClientSecret, OIDCScopes, ClaimMappings } = method.Config;
    const config = { OIDCClientSecret, OIDCScopes: OIDCScopes ?? [], ClaimMappings: ClaimMappings ?? {} };
    return { ...method, ...config, holdsOurSecret: OIDCClientSecret.startsWith(ownSecret) };
  },
  edit({ cluster }, id, how) {
    if (how === 0) cluster.methods.put({ Name: id, MaxTokenTTL: "3h" });
    else if (how === 1) cluster.methods.put({ Name: id, Config: { OIDCScopes: ["edited"] } });
    else cluster.methods.put({ Name: id, Default: !cluster.methods.list().some(({ Default }) => Default) });
  },
  remove: ({ cluster }, id) => cluster.methods.delete(id),
  remake({ cluster }, id) {
    const method = cluster.methods.get(id);
    cluster.methods.delete(id);
    if (!method) return;
    const { CreateTime: _, ModifyTime: __, ...content } = method;
    const OIDCClientSecret = method.Config.OIDCClientSecret && `${theirSecret}remade`;
    cluster.methods.put({ ...content, Config: { ...content.Config, OIDCClientSecret } });
  },
  takePlace({ cluster }, { name }, isSame) {
    const own = isSame && { OIDCClientID: "cluster", AllowedRedirectURIs: ["http://localhost/callback"] };
    cluster.methods.put({ Name: name, MaxTokenTTL: isSame ? "1h" : "4h", Config: { OIDCDiscoveryURL: "https://idp.test", ...own } });
  },
};

/**
 * A secret of others is not compared if the program gives none. A secret of the program must have been removed with its declaration, unless
 * a backup has brought it back, or the method was adopted from another declaration, whose secret is then unmanaged.
 */
function secretOf({ name, type, secret, adopt }: MethodDeclaration & Resolved, { simulator, wasRestored, hasUnmanagedSecret }: Place) {
  const isDocumented = simulator.dialect === "documented";
  // Such servers don't show the secret of an adopted JWT method, and no update can write or remove it. No login uses it.
  if (isDocumented && type === "JWT" && (secret === undefined || adopt === "overwrite")) return {};
  const isTheirs = simulator.cluster.methods.get(name)?.Config.OIDCClientSecret.startsWith(theirSecret);
  // Documented servers return no hash, so a rotation by others is not visible: their secret stays until the next update. A missing
  // secret is always wrong.
  if (secret !== undefined) return isDocumented && isTheirs ? {} : { OIDCClientSecret: secret };
  return wasRestored || (adopt !== false && hasUnmanagedSecret) ? {} : { holdsOurSecret: false };
}
