import { rewritten } from "../faults/rewritten";
import { type Inputs, only, type Program, throughEveryAdapterToEveryServer, type World } from "./harness";
import { oidc } from "./samples";

const method = (more: Inputs = {}) => only("AclAuthMethod", oidc({}, more));
const stored = ({ simulator: { cluster } }: World) => cluster.methods.get("sso");
const withoutTtl = (_: string, body: string) => body.replace(/"MaxTokenTTL":"[^"]*",?/g, "");

/** The document calls it "not persisted beyond its initial use". */
throughEveryAdapterToEveryServer("a MaxTokenTTL that no response shows", (start) => {
  const begin = async () => {
    const world = await start();
    return { world, silent: await rewritten(world.simulator, withoutTtl, "clusterAddress") };
  };

  test("is no difference: not after a create, nor after a refresh", async () => {
    const { world, silent } = await begin();
    await world.up(method(), silent);
    expect(world.outputs().maxTokenTtl).toBe("1h");
    const before = world.properties();
    expect((await world.refresh(silent)).changes).toEqual([]);
    expect(world.properties()).toEqual(before);
    expect((await world.up(method(), silent)).requests).toEqual([]);
  });

  test("is written when the program changes it, and stays as it is when the program changes something else", async () => {
    const { world, silent } = await begin();
    await world.up(method(), silent);
    await world.up(method({ maxTokenTtl: "2h" }), silent);
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", TokenLocality: "local" });
    const { changes } = await world.up(method({ maxTokenTtl: "2h", tokenLocality: "global" }), { ...silent, refresh: true });
    expect(changes).toEqual(["update AclAuthMethod it"]);
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", TokenLocality: "global" });
  });

  test("stays as it is when the default goes to another method", async () => {
    const { world, silent } = await begin();
    const program = (ofFirst: boolean): Program => {
      const first = oidc({}, { name: "sso", maxTokenTtl: "2h", default: ofFirst });
      const second = oidc({}, { name: "second", default: !ofFirst });
      return (declare) => {
        declare("AclAuthMethod", "second", second);
        declare("AclAuthMethod", "first", first);
      };
    };
    await world.up(program(true), silent);
    await world.up(program(false), { ...silent, parallel: 1 });
    expect(stored(world)).toMatchObject({ Default: false, MaxTokenTTL: "2h0m0s" });
    expect(world.simulator.cluster.methods.get("second")?.Default).toBe(true);
  });

  test("does not keep a method from being adopted", async () => {
    const { world, silent } = await begin();
    await world.up(method(), silent);
    world.forget();
    await world.up(method({ adopt: "overwrite" }), silent);
    expect((await world.refresh(silent)).changes).toEqual([]);
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "1h0m0s" });
  });
});
