import { kindsNamingPolicies, notWaitingMessage, policiesByText } from "../../checks";
import { relationOf } from "../../provider/internal";
import { kindAndName } from "./inventory";
import { linkFinder, linksIn } from "./links";
import type { PreviewedServers } from "./preview-servers";
import { changesRoles, deletes, knownText, type PreviewStep, type StepState } from "./preview-steps";
import { resourceOfType } from "./state";

/**
 * Notes on resources that name a new policy of the program by a text. The provider's own check can't find them: it does not know which
 * resources a resource waits for.
 */
export function policiesByTextIn(steps: readonly PreviewStep[], servers: PreviewedServers): string[] {
  const keyOf = keysBy(servers);
  const made = new Map(
    steps.flatMap(({ op, urn, newState }) =>
      op === "create" && newState && kindOf(newState) === "AclPolicy" ? [[keyOf(newState, newState.inputs?.name), urn]] : [],
    ),
  );
  return steps
    .flatMap(({ newState }) => {
      const kind = newState ? kindOf(newState) : "";
      // Without `propertyDependencies`, the dependencies are unknown.
      if (!newState?.propertyDependencies || !kindsNamingPolicies.has(kind)) return [];
      const waitsFor = new Set(newState.dependencies);
      return policiesByText({ kind, inputs: newState.inputs ?? {} }).flatMap((name) => {
        // Two secret or unknown names look the same, and may be different ones.
        const policy = knownText(name) === undefined ? undefined : made.get(keyOf(newState, name));
        return policy === undefined || waitsFor.has(policy) ? [] : [{ urn: newState.urn ?? "", name }];
      });
    })
    .map(({ urn, name }) => `${kindAndName(urn)}: ${notWaitingMessage(name).replace(/\.$/, "")}`);
}

/**
 * Notes on tokens that name a role by a text, while the name goes from one role to another, or its role is replaced. A written token gets
 * the role that has the name at that moment, which is certainly the new one only if the token waits for it. An imported token keeps its
 * role. An unchanged list of roles is written, too, if one of the roles is deleted.
 */
export function movingRolesIn(steps: readonly PreviewStep[], servers: PreviewedServers): string[] {
  const keyOf = keysBy(servers);
  const roles = (side: "oldState" | "newState") =>
    steps.flatMap(({ urn, ...step }) => {
      const state = step[side];
      return state && kindOf(state) === "AclRole"
        ? [[keyOf(state, state.inputs?.name), { urn, id: state.id?.toLowerCase() }] as const]
        : [];
    });
  const [before, after] = [new Map(roles("oldState")), new Map(roles("newState"))];
  const deleted = new Set(
    steps.flatMap(({ op, oldState: state }) => {
      if (!deletes.has(op) || !state?.id || kindOf(state) !== "AclRole") return [];
      return state.retainOnDelete ? [] : [state.id.toLowerCase()];
    }),
  );
  return steps.flatMap(({ op, urn, oldState, newState }) => {
    const token = newState ?? oldState;
    const names = token && kindOf(token) === "AclToken" ? token.inputs?.roles : undefined;
    if (!token || !Array.isArray(names)) return [];
    const isWritten = op.startsWith("create") || (op === "update" && changesRoles(oldState, token));
    const linkOf = linkFinder(linksIn(oldState?.outputs) ?? [], names);
    const isMoving = (name: unknown) => {
      const [old, now] = [before, after].map((all) => all.get(keyOf(token, name)));
      if (!isWritten && (op === "same" || op === "update")) return now !== undefined && deleted.has(linkOf(name)?.id ?? "");
      const hasMoved = old !== undefined && now !== undefined && (old.urn !== now.urn || deleted.has(old.id ?? ""));
      // An import writes nothing: the token keeps the role that it has, whatever the order is.
      return hasMoved && (op.startsWith("import") || (isWritten && !token.dependencies?.includes(now.urn)));
    };
    const moving = names.filter(isMoving);
    return moving.length > 0 ? [`which role ${kindAndName(urn)} gets, because the name ${moving.join(" and ")} goes to another role`] : [];
  });
}

function kindOf({ type }: StepState): string {
  return resourceOfType(type)?.kind ?? "";
}

/** Keys of names on a cluster: resources of several providers may be on one, and states may have several spellings of its address. */
function keysBy(servers: PreviewedServers): (state: StepState, name: unknown) => string {
  const known: string[] = [];
  return (state, name) => {
    const server = servers.of(state, "cluster");
    const first = known.find((one) => relationOf(one, server) !== "other server");
    if (first === undefined) known.push(server);
    return JSON.stringify([first ?? server, name]);
  };
}
