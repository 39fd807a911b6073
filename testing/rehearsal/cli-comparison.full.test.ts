import {
  Cli,
  type CommandOptions,
  type Plan,
  type PlannedResource,
  type ProviderCall,
  Stage,
  type Store,
} from "../../test/support/rehearsal/stage";
import type { RehearseCommand } from ".";

/** A command, after changes to the plan and the objects. */
interface Act extends CommandOptions {
  command: RehearseCommand;
  plan?: Plan;
  /** The changes that others make to the objects before the command. */
  meddle?: (store: Store) => void;
}

const THING = "urn:pulumi:rehearsal::rehearsed::pulumi-nodejs:dynamic/recorder:Thing";
const plan = (...resources: PlannedResource[]): Plan => ({ resources, outputs: { last: `$${resources.at(-1)?.name}.serial` } });

/** Resources a, b (its property `fixed` comes from a), c (an input comes from b), and d, which only waits for a. */
const family = (inputs: Record<string, unknown>, rest: Record<string, unknown> = {}): Plan =>
  plan(
    { name: "a", inputs },
    { name: "b", inputs: { fixed: "$a.serial", ...rest } },
    { name: "c", inputs: { value: "$b.serial", ...rest } },
    { name: "d", inputs: { value: "x" }, options: { dependsOn: ["a"] } },
  );

/** Resources a, b (deleted with a), c (an input comes from b), and a child of b. */
const hosted = (host: Record<string, unknown>, guest: Record<string, unknown>): Plan =>
  plan(
    { name: "a", inputs: host },
    { name: "b", inputs: guest, options: { deletedWith: "a" } },
    { name: "c", inputs: { value: "$b.serial" } },
    { name: "d", options: { parent: "b" } },
  );

const SCENARIOS: Record<string, Act[]> = {
  "a lifecycle: preview, up, unchanged up, update, refresh, destroy": [
    {
      command: "preview",
      plan: plan({ name: "a", inputs: { value: "1", password: "secret:hush" } }, { name: "b", inputs: { value: "$a.serial" } }),
    },
    { command: "up" },
    { command: "up" },
    {
      command: "up",
      plan: plan({ name: "a", inputs: { value: "2", tags: ["x", "secret:s"] } }, { name: "b", inputs: { value: "$a.password" } }),
    },
    {
      command: "refresh",
      meddle: ({ objects }) => {
        for (const object of Object.values(objects)) object.value = "meddled";
      },
    },
    { command: "preview" },
    { command: "up" },
    { command: "destroy" },
  ],
  "objects that others delete, with a refresh before preview and up": [
    { command: "up", plan: family({ value: "1" }) },
    {
      command: "preview",
      refresh: true,
      meddle: (store) => {
        store.objects = Object.fromEntries(Object.entries(store.objects).filter(([id]) => !id.startsWith("a")));
      },
    },
    { command: "up", refresh: true },
  ],
  "a replacement that creates first": [
    { command: "up", plan: family({ fixed: "1" }) },
    { command: "preview", plan: family({ fixed: "2" }) },
    { command: "up" },
  ],
  "a replacement that deletes first, with its dependents": [
    { command: "up", plan: family({ fixed: "1", deleteFirst: true }) },
    { command: "preview", plan: family({ fixed: "2", deleteFirst: true }) },
    { command: "up" },
  ],
  "a replacement that deletes first and then fails, and the update after it": [
    { command: "up", plan: family({ fixed: "1", deleteFirst: true, named: true }) },
    { command: "up", plan: family({ fixed: "2", deleteFirst: true, named: true, breaks: "create" }) },
    { command: "refresh" },
    { command: "up", plan: family({ fixed: "2", named: true }) },
    { command: "up", plan: family({ fixed: "2", named: true }) },
  ],
  "a replaced object that cannot be deleted yet": [
    { command: "up", plan: plan({ name: "a", inputs: { fixed: "1" } }) },
    {
      command: "up",
      plan: plan({ name: "a", inputs: { fixed: "2" } }),
      meddle: (store) => {
        store.blocked = ["a-1"];
      },
    },
    { command: "refresh" },
    {
      command: "up",
      meddle: (store) => {
        store.blocked = [];
      },
    },
  ],
  "a forced replacement": [
    { command: "up", plan: family({ value: "1" }) },
    { command: "preview", replace: [`${THING}::a`] },
    { command: "up", replace: [`${THING}::a`] },
    { command: "up", replace: [`${THING}::nobody`] },
  ],
  "objects whose create or update is incomplete": [
    { command: "up", plan: plan({ name: "a", inputs: { breaks: "create-partly", password: "secret:hush" } }) },
    { command: "refresh" },
    { command: "up", plan: plan({ name: "a", inputs: { breaks: "update-partly", value: "1" } }) },
    { command: "up", plan: plan({ name: "a", inputs: { value: "1" } }) },
    { command: "up" },
    { command: "destroy" },
  ],
  "failures: a create, a check, a program, a blocked delete": [
    { command: "up", plan: plan({ name: "a" }, { name: "b", inputs: { value: "$a.serial", breaks: "create" } }) },
    { command: "up", plan: plan({ name: "a" }, { name: "b", inputs: { value: "bad" }, options: { dependsOn: ["a"] } }) },
    { command: "up", plan: { ...plan({ name: "b" }), throws: "the program failed" } },
    { command: "up", plan: plan({ name: "a" }, { name: "b", inputs: { value: "$a.serial" } }) },
    {
      command: "destroy",
      meddle: (store) => {
        store.blocked = Object.keys(store.objects).filter((id) => id.startsWith("a"));
      },
    },
  ],
  "resource options": [
    {
      command: "up",
      plan: plan(
        { name: "group", kind: "group" },
        { name: "kept", inputs: { value: "1", fixed: "1" }, options: { ignoreChanges: ["value"], parent: "group" } },
        { name: "retained", options: { retainOnDelete: true } },
        { name: "hidden", options: { additionalSecretOutputs: ["secretEcho"], deleteBeforeReplace: true } },
        { name: "undecided", inputs: { undecided: true, value: "1" }, options: { replaceOnChanges: ["value"] } },
        { name: "protected", options: { protect: true } },
      ),
    },
    {
      command: "up",
      plan: plan(
        { name: "group", kind: "group" },
        { name: "kept", inputs: { value: "2", fixed: "1" }, options: { ignoreChanges: ["value"], parent: "group" } },
        { name: "hidden", inputs: { fixed: "2" }, options: { additionalSecretOutputs: ["secretEcho"], deleteBeforeReplace: true } },
        { name: "undecided", inputs: { undecided: true, value: "2" }, options: { replaceOnChanges: ["value"] } },
        { name: "protected", options: { protect: true } },
      ),
    },
    { command: "destroy" },
    { command: "up", plan: plan({ name: "protected" }) },
    { command: "destroy" },
  ],
  "deletedWith: a delete alone, with the host, by its replacement, from a parent, and under a new name": [
    { command: "up", plan: hosted({ value: "1" }, { fixed: "1" }) },
    // If its host is not deleted, a resource is deleted like any other.
    { command: "up", plan: hosted({ value: "1" }, { fixed: "2" }) },
    { command: "preview", plan: hosted({ fixed: "2" }, { fixed: "2" }) },
    { command: "up" },
    { command: "up", plan: hosted({ fixed: "3", deleteFirst: true }, { fixed: "2" }) },
    { command: "up", plan: plan({ name: "renamed", inputs: { key: "a" }, options: { aliases: [{ name: "a" }] } }) },
    { command: "up", plan: hosted({ value: "1" }, { fixed: "1" }) },
    {
      command: "destroy",
      meddle: (store) => {
        store.blocked = Object.keys(store.objects).filter((id) => id.startsWith("a"));
      },
    },
    {
      command: "refresh",
      meddle: (store) => {
        store.blocked = [];
        store.objects = {};
      },
    },
  ],
  "aliases and a new parent": [
    { command: "up", plan: plan({ name: "old" }, { name: "child", inputs: { value: "$old.serial" }, options: { parent: "old" } }) },
    {
      command: "up",
      plan: plan(
        { name: "group", kind: "group" },
        { name: "new", inputs: { key: "old" }, options: { aliases: [{ name: "old" }] } },
        { name: "child", inputs: { value: "$new.serial" }, options: { parent: "new" } },
      ),
    },
    { command: "up", plan: plan({ name: "new", inputs: { key: "old" } }) },
  ],
  "an object that is only read": [
    { command: "up", plan: plan({ name: "a", inputs: { value: "1" } }) },
    { command: "up", plan: plan({ name: "a", inputs: { value: "1" } }, { name: "r", inputs: { key: "r" }, options: { id: "a-1" } }) },
    { command: "refresh" },
    { command: "up", plan: plan({ name: "a", inputs: { value: "1" } }) },
  ],
};

/** The calls in their order for each resource. A refresh reads all resources at the same time, so each object is compared alone. */
const callsByResource = (calls: ProviderCall[], command: RehearseCommand): Record<string, ProviderCall[]> => {
  const groups: Record<string, ProviderCall[]> = {};
  for (const call of calls) {
    const group = command === "refresh" && call.id !== undefined ? `${call.key} ${call.id}` : call.key;
    groups[group] = [...(groups[group] ?? []), call];
  }
  return groups;
};

if (!Cli.isInstalled()) {
  it("is not compared with the real engine, because no pulumi is on PATH", () => {
    expect(Cli.isInstalled()).toBe(false);
  });
} else {
  describe("the rehearsal and the real engine make the same calls and keep the same state", () => {
    const stages: Stage[] = [];
    afterEach(() => {
      for (const stage of stages.splice(0)) stage.remove();
    });

    it.each(Object.entries(SCENARIOS))("%s", async (_, acts) => {
      const [real, rehearsed] = [new Stage(), new Stage()];
      stages.push(real, rehearsed);
      const cli = await Cli.create(real);
      for (const [index, { command, plan: next, meddle, ...options }] of acts.entries()) {
        for (const stage of [real, rehearsed]) {
          if (next) stage.plan(next);
          const store = stage.store();
          meddle?.(store);
          stage.setStore(store);
        }
        const [ok, result] = await Promise.all([cli.perform(command, options), rehearsed.rehearse(command, options)]);
        const act = `act ${index + 1}, ${command}`;
        const { "": configured = [], ...calls } = callsByResource(real.takeCalls(), command);
        const { "": configuredHere = [], ...callsHere } = callsByResource(rehearsed.takeCalls(), command);
        expect({ act, ok: result.ok, calls: callsHere }).toEqual({ act, ok, calls });
        expect(new Set(configuredHere)).toEqual(new Set(configured));
        expect({ act, objects: rehearsed.store().objects }).toEqual({ act, objects: real.store().objects });
        const byUrn = (a: { urn: string }, b: { urn: string }): number => a.urn.localeCompare(b.urn);
        expect({ act, state: rehearsed.rehearsedState().sort(byUrn) }).toEqual({ act, state: (await cli.state()).sort(byUrn) });
      }
    });
  });
}
