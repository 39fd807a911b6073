/** Defaults that say nothing are not in the inputs of new resources, and states that hold them stay as they are. */

import { isRecord } from "../../common/unknown";
import type { Resource } from "../../provider/lifecycle/resource";
import { aclAuthMethod, samples } from "../kinds";
import { contents } from "./contents";
import { only, type Program, type TestStack, throughEveryAdapter, toEveryServer } from "./harness";
import { jwt, oidc, role } from "./samples";

const switches = { oidcEnablePkce: false, oidcDisableUserInfo: false };
const cases = [
  ...samples.map((sample) => ({ ...sample, what: sample.kind, idleInConfig: {} })),
  { ...aclAuthMethod, inputs: jwt(), what: "AclAuthMethod of type JWT", idleInConfig: switches },
];

/** The defaults of the provider's own settings. */
function ownDefaults({ inputs }: Resource): Record<string, unknown> {
  const fields = [...inputs].filter(([, { traits }]) => traits.local);
  return Object.fromEntries(fields.map(([name, { defaultValue }]) => [name, defaultValue]));
}

toEveryServer("defaults that say nothing", (start, dialect) => {
  describe.each(cases)("$what", ({ kind, resource, inputs, prepare, change, idleInConfig }) => {
    const idle = ownDefaults(resource);
    const program = only(kind, inputs);
    const begin = async (declared = program) => {
      const world = await start();
      prepare(world);
      await world.up(declared);
      return world;
    };
    // What the program gives is written: earlier versions wrote the same without being given it.
    const config = isRecord(inputs.config) ? { config: { ...inputs.config, ...idleInConfig } } : {};
    const asBefore = only(kind, { ...inputs, ...config, ...idle });
    const unchanging = [
      (world: TestStack) => world.up(program),
      (world: TestStack) => world.refresh(),
      (world: TestStack) => world.up(program, { refresh: true }),
    ];

    test("a new one has none of them", async () => {
      const world = await begin();
      for (const properties of [world.inputs(), world.outputs()]) {
        for (const name of Object.keys(idle)) expect(properties).not.toHaveProperty(name);
        for (const name of Object.keys(idleInConfig)) expect(properties.config).not.toHaveProperty(name);
      }
      const before = world.properties();
      for (const operation of unchanging) {
        expect((await operation(world)).changes).toEqual([]);
        expect(world.properties()).toEqual(before);
      }
    });

    test("a state that holds them stays as it is, byte for byte, also with ignoreChanges", async () => {
      const world = await begin(asBefore);
      const ignored = (names: string[]): Program => only(kind, inputs, { ignoreChanges: names });
      const [before, objects] = [world.properties(), contents(world.simulator)];
      expect(world.inputs()).toMatchObject({ ...idle, ...(isRecord(inputs.config) && { config: idleInConfig }) });
      for (const operation of unchanging) {
        expect((await operation(world)).changes).toEqual([]);
        expect(world.properties()).toEqual(before);
      }
      expect((await world.up(ignored(Object.keys(idle)))).changes).toEqual([]);
      expect(world.inputs()).toMatchObject(idle);
      expect(contents(world.simulator)).toEqual(objects);
    });

    // A method of type JWT can't be updated on a server that follows the document.
    const isFixed = dialect === "documented" && inputs.type === "JWT";
    if (!isFixed) {
      test("an update of something else keeps them where the state has them, and where it lacks them", async () => {
        for (const isBefore of [false, true]) {
          const world = await begin(isBefore ? asBefore : program);
          const { changes } = await world.up(only(kind, { ...inputs, ...change }));
          expect(changes).toEqual([`update ${kind} it`]);
          for (const name of Object.keys(idle)) expect(name in world.outputs()).toBe(isBefore);
          expect((await world.refresh()).changes).toEqual([]);
        }
      });
    }

    test("a replacement leaves them out", async () => {
      const world = await begin(asBefore);
      await world.up(only(kind, inputs, { deleteBeforeReplace: true }), { replace: [world.entry().urn] });
      expect(world.inputs()).not.toHaveProperty("adopt");
      expect((await world.refresh()).changes).toEqual([]);
    });
  });
});

throughEveryAdapter("settings of the provider's own", (start) => {
  test("are in the state when the program gives them, and at their default when it gives them no more", async () => {
    const world = await start();
    await world.up(only("AclRole", role({ adopt: true })));
    expect([world.inputs(), world.outputs()]).toMatchObject([{ adopt: true }, { adopt: true }]);
    const { requests } = await world.up(only("AclRole", role()));
    expect(requests).toEqual([]);
    expect([world.inputs(), world.outputs()]).toMatchObject([{ adopt: false }, { adopt: false }]);
    expect((await world.refresh()).changes).toEqual([]);
    await world.up(only("AclRole", role({ name: "other", adopt: false })));
    expect(world.inputs()).toMatchObject({ adopt: false });
  });

  test("a look-up has none", async () => {
    const world = await start();
    const { ID } = world.simulator.cluster.roles.put({ Name: "found", Policies: [{ Name: "read" }] });
    await world.up((declare) => void declare.get("AclRole", "it", ID));
    expect(world.outputs()).toMatchObject({ name: "found", description: "" });
    expect(world.outputs()).not.toHaveProperty("adopt");
  });
});

throughEveryAdapter("a method that changes its type", (start) => {
  const ofJwt = jwt({}, { name: "sso" });

  test("from JWT gets the switches of OIDC, and is still no change to itself", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", ofJwt));
    expect(world.simulator.cluster.methods.get("sso")?.Config).toMatchObject({ OIDCEnablePKCE: false, OIDCDisableUserInfo: false });
    expect((await world.up(only("AclAuthMethod", oidc()))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.inputs().config).toMatchObject({ oidcEnablePkce: false, oidcDisableUserInfo: false });
    expect((await world.refresh()).changes).toEqual([]);
    expect((await world.up(only("AclAuthMethod", oidc()))).changes).toEqual([]);
  });

  test("to JWT keeps those that the state has", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc({ oidcEnablePkce: true })));
    expect((await world.up(only("AclAuthMethod", ofJwt))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.inputs().config).toMatchObject({ oidcEnablePkce: false, oidcDisableUserInfo: false });
    expect((await world.refresh()).changes).toEqual([]);
  });

  test("a switch that others turn on is drift, though the state has none", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", ofJwt));
    const stored = world.simulator.cluster.methods.get("sso");
    world.simulator.cluster.methods.put({ Name: "sso", Config: { ...stored?.Config, OIDCEnablePKCE: true } });
    expect((await world.refresh()).changes).toEqual(["refresh update AclAuthMethod it"]);
    expect(world.outputs().config).toMatchObject({ oidcEnablePkce: true });
    expect((await world.up(only("AclAuthMethod", ofJwt))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.simulator.cluster.methods.get("sso")?.Config).toMatchObject({ OIDCEnablePKCE: false });
    expect((await world.refresh()).changes).toEqual([]);
  });
});
