import type { OutOfBandChange } from "./commands";
import { entryOf, type ServerObject, serverObjects, theirSecret } from "./objects";
import { identityOf, type Slot } from "./program";
import type { SimulatedStack } from "./simulated-stack";

/** Makes a change by others, without the provider. */
export function applyOutOfBand(stack: SimulatedStack, change: OutOfBandChange): void {
  const { cluster, pools } = stack.simulator;
  switch (change.do) {
    case "edit":
      withObject(stack, change.slot, (object) => edit(stack, object, change.how));
      break;
    case "delete":
      withObject(stack, change.slot, (object) => remove(stack, object));
      break;
    case "remake":
      withObject(stack, change.slot, (object) => remake(stack, object));
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
    case "back up the cluster":
      stack.backUp();
      break;
    case "restore the cluster":
      stack.restore();
      break;
  }
}

/** Deletes an object. */
export function remove({ simulator: { cluster, pools } }: SimulatedStack, { kind, id }: Pick<ServerObject, "kind" | "id">): void {
  if (kind === "AgentPool") pools.delete(id);
  else if (kind === "AclAuthMethod") cluster.methods.delete(id);
  else if (kind === "AclRole") cluster.roles.delete(id);
  else cluster.rules.delete(id);
}

function withObject(stack: SimulatedStack, slot: Slot, use: (object: ServerObject) => unknown): void {
  const declaration = stack.declarations.find((candidate) => candidate.slot === slot);
  const key = declaration && entryOf(stack.entries, declaration)?.key;
  const object = key === undefined ? undefined : serverObjects(stack.simulator).get(key);
  if (object) use(object);
}

function edit({ simulator: { cluster, pools } }: SimulatedStack, { kind, id }: ServerObject, how: number): void {
  switch (kind) {
    case "AgentPool":
      if (how === 0) pools.update(id, { organizationScoped: !pools.get(id)?.organizationScoped });
      else pools.update(id, how === 1 ? { allowedWorkspaceIds: ["ws-3"] } : { name: "renamed" });
      return;
    case "AclAuthMethod":
      if (how === 0) cluster.methods.put({ Name: id, MaxTokenTTL: "3h" });
      else if (how === 1) cluster.methods.put({ Name: id, Config: { OIDCScopes: ["edited"] } });
      else cluster.methods.put({ Name: id, Default: !cluster.methods.list().some(({ Default }) => Default) });
      return;
    case "AclRole":
      if (how === 0) cluster.roles.put({ ID: id, Description: "edited" });
      else cluster.roles.put(how === 1 ? { ID: id, Policies: [{ Name: "write" }] } : { ID: id, Name: "renamed" });
      return;
    case "AclBindingRule":
      if (how === 0) cluster.rules.put({ ID: id, Selector: '"edited" in list.groups' });
      else cluster.rules.put(how === 1 ? { ID: id, Description: "edited" } : { ID: id, BindType: "role", BindName: "edited" });
      return;
  }
}

function remake(stack: SimulatedStack, object: ServerObject): void {
  const { cluster, pools } = stack.simulator;
  const { kind, id } = object;
  switch (kind) {
    case "AgentPool": {
      const pool = pools.get(id);
      remove(stack, object);
      if (pool) pools.put({ organization: pool.organization, name: pool.name, organizationScoped: pool.organizationScoped });
      return;
    }
    case "AclAuthMethod": {
      const method = cluster.methods.get(id);
      remove(stack, object);
      if (!method) return;
      const { CreateTime: _, ModifyTime: __, ...content } = method;
      cluster.methods.put({
        ...content,
        Config: { ...content.Config, OIDCClientSecret: method.Config.OIDCClientSecret && `${theirSecret}remade` },
      });
      return;
    }
    case "AclRole": {
      const role = cluster.roles.get(id);
      remove(stack, object);
      if (role) cluster.roles.put({ Name: role.Name, Description: role.Description, Policies: role.Policies });
      return;
    }
    case "AclBindingRule": {
      const rule = cluster.rules.get(id);
      remove(stack, object);
      if (rule) cluster.rules.put({ ...rule, ID: "", CreateTime: undefined, ModifyTime: undefined });
      return;
    }
  }
}

/** Creates an object with the identity of a declared one, unless there is one. Rules may be equal, so that there can be several. */
function takePlace({ simulator, declarations }: SimulatedStack, slot: Slot, same: boolean): void {
  const { cluster, pools } = simulator;
  const declaration = declarations.find((candidate) => candidate.slot === slot);
  if (!declaration) return;
  const isTaken = [...serverObjects(simulator).values()].some(({ identity }) => identity === identityOf(declaration));
  if (isTaken && declaration.kind !== "AclBindingRule") return;
  switch (declaration.kind) {
    case "AgentPool":
      pools.put({ organization: declaration.organization, name: declaration.name, organizationScoped: same });
      break;
    case "AclAuthMethod":
      cluster.methods.put({
        Name: declaration.name,
        MaxTokenTTL: same ? "1h" : "4h",
        Config: {
          OIDCDiscoveryURL: "https://idp.test",
          ...(same && { OIDCClientID: "cluster", AllowedRedirectURIs: ["http://localhost/callback"] }),
        },
      });
      break;
    case "AclRole": {
      const policies = same ? declaration.policies : ["read", "admin"];
      cluster.roles.put({ Name: declaration.name, Description: declaration.description, Policies: policies.map((Name) => ({ Name })) });
      break;
    }
    case "AclBindingRule": {
      const { methodName, description, selector, bind, bindName } = declaration;
      const content = { AuthMethod: methodName, Description: description, Selector: selector, BindType: bind, BindName: bindName };
      cluster.rules.put(same ? content : { ...content, Selector: '"others" in list.groups' });
      break;
    }
  }
}
