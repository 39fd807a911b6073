import type { OutOfBandChange } from "./commands";
import { identityOf } from "./declarations";
import { randomKind } from "./kinds";
import { theirSecret } from "./kinds/acl-auth-method";
import type { Slot } from "./kinds/kind";
import { entryOf, type ServerObject, serverObjects } from "./objects";
import type { RandomStack } from "./stack";

/** Makes a change by others, without the provider. */
export async function applyOutOfBand(stack: RandomStack, change: OutOfBandChange): Promise<void> {
  const { simulator } = stack;
  const { cluster, pools } = simulator;
  switch (change.do) {
    case "edit":
      withObject(stack, change.slot, ({ kind, id }) => randomKind(kind).edit(simulator, id, change.how));
      break;
    case "delete":
      withObject(stack, change.slot, (object) => remove(stack, object));
      break;
    case "remake":
      withObject(stack, change.slot, ({ kind, id }) => randomKind(kind).remake(simulator, id));
      break;
    case "rotate the secret":
      withObject(stack, change.slot, ({ id }) => cluster.rotateClientSecret(id, `${theirSecret}${cluster.index}`));
      break;
    case "take the place":
      takePlace(stack, change.slot, change.same);
      break;
    case "make a default method":
      // A cluster has one default, but the simulator's store does not check it.
      if (!cluster.methods.list().some(({ Default }) => Default)) cluster.methods.put({ Name: "their-default", Default: true });
      break;
    case "leave a rule":
      cluster.rules.put({ AuthMethod: change.of, BindType: "management", Description: "left over" });
      break;
    case "start an agent":
      withObject(stack, change.slot, ({ id }) => pools.addAgent(id, { status: change.status }));
      break;
    case "let time pass":
      await stack.clock.sleep(2 * 3_600_000);
      break;
    case "back up the cluster":
      stack.backUp();
      break;
    case "restore the cluster":
      stack.restore();
      break;
  }
}

/** Deletes an object. */
export function remove({ simulator }: RandomStack, { kind, id }: Pick<ServerObject, "kind" | "id">): void {
  randomKind(kind).remove(simulator, id);
}

function withObject(stack: RandomStack, slot: Slot, use: (object: ServerObject) => unknown): void {
  const declaration = stack.declarations.find((candidate) => candidate.slot === slot);
  const key = declaration && entryOf(stack.managed, declaration)?.key;
  const object = key === undefined ? undefined : serverObjects(stack.simulator).get(key);
  if (object) use(object);
}

/** Creates an object with the identity of a declared one, unless there is one. Rules may be equal, so there can be several. */
function takePlace({ simulator, declarations }: RandomStack, slot: Slot, isSame: boolean): void {
  const declaration = declarations.find((candidate) => candidate.slot === slot);
  if (!declaration) return;
  const isTaken = [...serverObjects(simulator).values()].some(({ identity }) => identity === identityOf(declaration));
  if (!isTaken || declaration.kind === "AclBindingRule") randomKind(declaration.kind).takePlace(simulator, declaration, isSame);
}
