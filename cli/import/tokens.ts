import { ownProperty } from "../../common/own-property";
import type { InventoryObject } from "../inventory/inventory";

/** Why a program should not have a token of the cluster. */
export interface Unwanted {
  /** For a count. */
  readonly reason: string;
  /** What follows the token's name in a sentence. */
  readonly message: string;
}

/** @returns undefined for what a program can have, and for all that is no token of the cluster */
export function unwantedToken({ kind, outputs, isInUse }: InventoryObject): Unwanted | undefined {
  if (kind !== "AclToken") return undefined;
  if (isInUse) {
    return {
      reason: "in use by this command",
      message: "is the token that this command uses: no program may change or delete the one that it uses itself",
    };
  }
  const [time, ttl] = [ownProperty(outputs, "expirationTime"), ownProperty(outputs, "expirationTtl")];
  if (typeof time === "string" || typeof ttl === "string") {
    const end = typeof time === "string" ? `expiration, ${time}` : `expiration, ${String(ttl)} after its creation`;
    return { reason: "that expire", message: `has an ${end}: from then on, an update would make another token, with another secret` };
  }
  if (outputs.type !== "client" || isFilled(outputs.policies) || isFilled(outputs.roles)) return undefined;
  return {
    reason: "without policies and roles",
    message: "has neither policies nor roles any more: servers refuse a client token without both, so delete it, or give it some",
  };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
