import { ownProperty } from "../../common/own-property";
import type { InventoryObject } from "../inventory/inventory";

/** The reason why a program should not have an ACL token. */
export interface Unwanted {
  /** The reason after a count. */
  readonly reason: string;
  /** The rest of a sentence after the token's name. */
  readonly message: string;
}

/** @returns undefined for tokens that a program can have, and for other kinds */
export function unwantedToken({ kind, outputs, isInUse }: InventoryObject): Unwanted | undefined {
  if (kind !== "AclToken") return undefined;
  if (isInUse) {
    return {
      reason: "in use by this command",
      message: "is the token that this command uses: a program must not change or delete its own token",
    };
  }
  const [time, ttl] = [ownProperty(outputs, "expirationTime"), ownProperty(outputs, "expirationTtl")];
  if (typeof time === "string" || typeof ttl === "string") {
    const end = typeof time === "string" ? `expiration, ${time}` : `expiration, ${String(ttl)} after its creation`;
    return { reason: "expiring", message: `has an ${end}: from then on, an update would make another token, with another secret` };
  }
  if (outputs.type !== "client" || isFilled(outputs.policies) || isFilled(outputs.roles)) return undefined;
  return {
    reason: "without policies or roles",
    message: "has no policies or roles any more: servers refuse such a client token, so delete it, or give it some",
  };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
