import * as fc from "fast-check";
import { isRecord } from "../../../common/unknown";
import type { Simulator } from "../../../testing/simulator";
import type { Token } from "../../../testing/simulator/cluster/objects";
import { roleSlots } from "./acl-role";
import { maybe, name, options, slotOf } from "./arbitraries";
import type { Options, RandomKind, Resolved, Slot } from "./kind";

export interface TokenDeclaration extends Options {
  readonly kind: "AclToken";
  readonly name: string;
  readonly type: "client" | "management";
  readonly policies: readonly string[];
  /** A role that a client token has, if the program declares the slot. */
  readonly role: Slot | undefined;
  readonly global: boolean;
  readonly ttl: "1h" | "60m" | "24h" | undefined;
  readonly keepExpired: boolean;
}

export interface ResolvedToken extends TokenDeclaration, Resolved {
  readonly roleName: string | undefined;
}

/** The key of a token: its ID and its secret, which no other token has. */
const keyOf = (id: string, secret: unknown) => `${id} by ${secret}`;

/** A value of the state, without the mark of a secret. */
const secretIn = (value: unknown) => (isRecord(value) && "value" in value ? value.value : value);

/** All tokens that have not ended. */
function stored({ cluster }: Simulator): Token[] {
  const now = Number(cluster.now() / 1_000_000n);
  return cluster.tokens.list().filter(({ ExpirationTime }) => ExpirationTime === null || Date.parse(ExpirationTime) > now);
}

function find(simulator: Simulator, id: string): Token | undefined {
  return stored(simulator).find((token) => token.AccessorID === id);
}

const policiesOf = ({ type, policies, roleName }: ResolvedToken) => {
  if (type === "management") return [];
  return policies.length > 0 || roleName !== undefined ? policies : ["read"];
};

export const aclToken: RandomKind<TokenDeclaration, ResolvedToken> = {
  slots: 3,
  declaration: fc.record({
    ...options,
    adopt: fc.constant(false),
    kind: fc.constant("AclToken"),
    name,
    type: fc.constantFrom("client", "client", "client", "management"),
    policies: fc.constantFrom([], ["read"], ["write", "read"], ["admin"]),
    role: maybe(slotOf("AclRole", roleSlots)),
    global: fc.boolean(),
    ttl: fc.constantFrom(undefined, undefined, "1h", "60m", "24h"),
    keepExpired: fc.constantFrom(false, false, true),
  }),
  resolve: (token, slot, { nameOf }) => {
    const roleName = token.role && token.type === "client" ? nameOf(token.role) : undefined;
    return { ...token, slot, role: roleName === undefined ? undefined : token.role, roleName };
  },
  // Only its ID identifies a token, so no other token conflicts with it.
  identity: ({ slot }) => slot,
  mayBeLeftOver: true,
  inputs(token, outputOf) {
    const { name, type, role, roleName, global, ttl, keepExpired } = token;
    const roles = role === undefined ? [] : [outputOf(role, "name") ?? roleName];
    return { name, type, policies: policiesOf(token), roles, global, expirationTtl: ttl, keepExpired };
  },
  key: (id, outputs) => keyOf(id, secretIn(outputs.secretId)),
  isKeptWithout: (outputs, { cluster }) =>
    outputs.keepExpired === true &&
    typeof outputs.expirationTime === "string" &&
    Date.parse(outputs.expirationTime) <= Number(cluster.now() / 1_000_000n),
  stored: (simulator) =>
    stored(simulator).map((token) => ({
      id: token.AccessorID,
      key: keyOf(token.AccessorID, token.SecretID),
      identity: token.AccessorID,
      object: token,
    })),
  expected: (token) => ({
    Name: token.name,
    Type: token.type,
    Policies: policiesOf(token).toSorted(),
    Roles: token.roleName === undefined ? [] : [token.roleName],
    Global: token.global,
    ExpirationTTL: token.ttl === undefined ? "" : token.ttl === "24h" ? "24h0m0s" : "1h0m0s",
  }),
  actual(simulator, id) {
    const token = find(simulator, id);
    const roles = (token?.Roles ?? []).flatMap(({ ID }) => simulator.cluster.roles.get(ID)?.Name ?? []);
    return token && { ...token, Policies: (token.Policies ?? []).toSorted(), Roles: roles };
  },
  edit(simulator, id, how) {
    const isClient = find(simulator, id)?.Type === "client";
    if (how === 0 || !isClient) simulator.cluster.tokens.put({ AccessorID: id, Name: "edited" });
    else simulator.cluster.tokens.put({ AccessorID: id, ...(how === 1 ? { Policies: ["write"] } : { Policies: ["admin"], Roles: null }) });
  },
  remove: ({ cluster }, id) => cluster.tokens.delete(id),
  remake(simulator, id) {
    const token = find(simulator, id);
    simulator.cluster.tokens.delete(id);
    if (!token) return;
    const { AccessorID: _, SecretID: __, CreateTime: ___, ...content } = token;
    simulator.cluster.tokens.put(content);
  },
  takePlace({ cluster }, token, isSame) {
    const { name: Name, type: Type } = token;
    cluster.tokens.put({ Name, Type, Policies: isSame ? [...policiesOf(token)] : ["admin"] });
  },
};
