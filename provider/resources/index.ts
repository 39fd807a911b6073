import type { Resource } from "../lifecycle/resource";
import * as kinds from "./kinds";

/** Each kind comes after the kinds that it refers to. A kind that is not in this list comes at the end. */
const order = ["AgentPool", "AclAuthMethod", "AclPolicy", "AclRole", "AclBindingRule", "AgentToken", "AclToken"];

/** Every resource of the provider. */
export const resources: readonly Resource[] = Object.values(kinds).sort((a, b) => rankOf(a) - rankOf(b) || (a.kind < b.kind ? -1 : 1));

function rankOf({ kind }: Resource): number {
  return order.includes(kind) ? order.indexOf(kind) : order.length;
}
