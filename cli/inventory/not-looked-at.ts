/** The parts that a comparison of a state with the servers leaves out, in words. */
import { boundNames } from "../../access/bound-names";
import type { CallContext } from "../../provider/internal";
import { type Held, isElsewhere } from "./held";
import { holdsSecret, type InventoryObject, resourceOf } from "./inventory";

const words = { method: "auth method", role: "role", policy: "policy" } as const;
type Named = readonly [kind: keyof typeof words, name: string];

/**
 * Objects that the state lacks although its objects on the configured servers name them; secret properties that name objects; and the
 * regions that are not asked.
 */
export function notLookedAt(objects: readonly InventoryObject[], held: Held, context: CallContext): string[] {
  const region = context.settings.clusterRegion;
  const here = objects.filter((object) => !isElsewhere(object, context));
  const missing = here.flatMap(namesIn).filter(([kind, name]) => !held.hasName(kind, name));
  const named = new Set(missing.map(([kind, name]) => `${words[kind]} ${JSON.stringify(name)}`));
  const isOfCluster = here.some(({ kind }) => resourceOf(kind)?.api === "cluster");
  return [
    ...[...named].sort(),
    ...new Set(here.flatMap((object) => foreignPoolOf(object, held))),
    ...here.flatMap(secretNamesIn),
    ...(isOfCluster && region ? [`regions other than ${JSON.stringify(region)}, which have tokens of their own`] : []),
  ];
}

/** The names in an object, without secret and computed ones. */
function namesIn({ kind, outputs }: InventoryObject): Named[] {
  const all = (of: Named[0], value: unknown): Named[] =>
    [value].flat().flatMap((name): Named[] => (typeof name === "string" && !holdsSecret(name) ? [[of, name]] : []));
  const policies = all("policy", outputs.policies);
  if (kind === "AclRole") return policies;
  if (kind === "AclToken") return [...policies, ...all("role", outputs.roles)];
  if (kind !== "AclBindingRule") return [];
  const { authMethod, bindType, bindName } = outputs;
  const bound = typeof bindName === "string" ? boundNames(bindName, undefined) : undefined;
  const isPlain = bound?.isComputed === false && (bindType === "role" || bindType === "policy");
  return [...all("method", authMethod), ...(isPlain ? all(bindType, bound.constant) : [])];
}

/** The pool of an agent token, if the state lacks the pool. */
function foreignPoolOf({ kind, outputs: { agentPoolId } }: InventoryObject, held: Held): string[] {
  if (kind !== "AgentToken" || typeof agentPoolId !== "string" || holdsSecret(agentPoolId) || held.has("AgentPool", agentPoolId)) return [];
  return [`agent pool ${JSON.stringify(agentPoolId)}`];
}

/** The properties that name other objects. */
const naming: { readonly [kind: string]: readonly string[] } = {
  AclRole: ["policies"],
  AclToken: ["policies", "roles"],
  AgentToken: ["agentPoolId"],
  AclBindingRule: ["authMethod", "bindType", "bindName"],
};

/** The secret properties of an object that name other objects, in words. */
function secretNamesIn({ kind, name, outputs }: InventoryObject): string[] {
  const secret = (naming[kind] ?? []).filter((property) => holdsSecret(outputs[property]));
  return secret.map((property) => `the secret ${property} of ${kind} ${JSON.stringify(name)}`);
}
