import type { Deed } from "./commands";
import { entryOf, type Standing, standing, theirSecret } from "./objects";
import { identityOf, type Slot } from "./program";
import type { World } from "./world";

/** Does what others do, without the provider. */
export function act(world: World, deed: Deed): void {
  const { cluster, pools } = world.simulator;
  switch (deed.do) {
    case "edit":
      withObject(world, deed.slot, (object) => edit(world, object, deed.how));
      break;
    case "delete":
      withObject(world, deed.slot, (object) => remove(world, object));
      break;
    case "remake":
      withObject(world, deed.slot, (object) => remake(world, object));
      break;
    case "rotate the secret":
      withObject(world, deed.slot, ({ id }) => cluster.rotateClientSecret(id, `${theirSecret}${cluster.index}`));
      break;
    case "take the place":
      takePlace(world, deed.slot, deed.same);
      break;
    case "make a default method":
      // A cluster has one default; the simulator's store would take a second one from others.
      if (!cluster.methods.list().some(({ Default }) => Default)) cluster.methods.put({ Name: "their-default", Default: true });
      break;
    case "leave a rule":
      cluster.rules.put({ AuthMethod: deed.of, BindType: "management", Description: "left over" });
      break;
    case "start an agent":
      withObject(world, deed.slot, ({ id }) => pools.addAgent(id, { status: deed.status }));
      break;
    case "back up the cluster":
      world.backUp();
      break;
    case "restore the cluster":
      world.restore();
      break;
  }
}

/** Deletes an object, as anybody may. */
export function remove({ simulator: { cluster, pools } }: World, { kind, id }: Pick<Standing, "kind" | "id">): void {
  if (kind === "AgentPool") pools.delete(id);
  else if (kind === "AclAuthMethod") cluster.methods.delete(id);
  else if (kind === "AclRole") cluster.roles.delete(id);
  else cluster.rules.delete(id);
}

function withObject(world: World, slot: Slot, use: (object: Standing) => unknown): void {
  const wish = world.wishes.find((candidate) => candidate.slot === slot);
  const key = wish && entryOf(world.entries, wish)?.key;
  const object = key === undefined ? undefined : standing(world.simulator).get(key);
  if (object) use(object);
}

function edit({ simulator: { cluster, pools } }: World, { kind, id }: Standing, how: number): void {
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

function remake(world: World, object: Standing): void {
  const { cluster, pools } = world.simulator;
  const { kind, id } = object;
  switch (kind) {
    case "AgentPool": {
      const pool = pools.get(id);
      remove(world, object);
      if (pool) pools.put({ organization: pool.organization, name: pool.name, organizationScoped: pool.organizationScoped });
      return;
    }
    case "AclAuthMethod": {
      const method = cluster.methods.get(id);
      remove(world, object);
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
      remove(world, object);
      if (role) cluster.roles.put({ Name: role.Name, Description: role.Description, Policies: role.Policies });
      return;
    }
    case "AclBindingRule": {
      const rule = cluster.rules.get(id);
      remove(world, object);
      if (rule) cluster.rules.put({ ...rule, ID: "", CreateTime: undefined, ModifyTime: undefined });
      return;
    }
  }
}

/** Makes an object that the program's would have to stand beside; not where one is already, except for rules, which may be equal. */
function takePlace({ simulator, wishes }: World, slot: Slot, same: boolean): void {
  const { cluster, pools } = simulator;
  const wish = wishes.find((candidate) => candidate.slot === slot);
  if (!wish) return;
  const isTaken = [...standing(simulator).values()].some(({ identity }) => identity === identityOf(wish));
  if (isTaken && wish.kind !== "AclBindingRule") return;
  switch (wish.kind) {
    case "AgentPool":
      pools.put({ organization: wish.organization, name: wish.name, organizationScoped: same });
      break;
    case "AclAuthMethod":
      cluster.methods.put({ Name: wish.name, MaxTokenTTL: same ? "1h" : "4h", Config: { OIDCDiscoveryURL: "https://idp.test" } });
      break;
    case "AclRole": {
      const policies = same ? wish.policies : ["read", "admin"];
      cluster.roles.put({ Name: wish.name, Description: wish.description, Policies: policies.map((Name) => ({ Name })) });
      break;
    }
    case "AclBindingRule": {
      const { methodName, description, selector, bind, bindName } = wish;
      const content = { AuthMethod: methodName, Description: description, Selector: selector, BindType: bind, BindName: bindName };
      cluster.rules.put(same ? content : { ...content, Selector: '"others" in list.groups' });
      break;
    }
  }
}
