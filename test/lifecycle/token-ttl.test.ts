import { rewritten } from "../faults/rewritten";
import { type Inputs, only, type Program, type TestStack, toEveryServer } from "./harness";
import { oidc } from "./samples";

const method = (more: Inputs = {}) => only("AclAuthMethod", oidc({}, more));
const stored = ({ simulator: { cluster } }: TestStack) => cluster.methods.get("sso");
const withoutTtl = (_: string, body: string) => body.replace(/"MaxTokenTTL":"[^"]*",?/g, "");

/** The API's document calls MaxTokenTTL "not persisted beyond its initial use". */
toEveryServer("a MaxTokenTTL that is in no response", (start) => {
  const begin = async () => {
    const stack = await start();
    return { stack, silent: await rewritten(stack.simulator, withoutTtl, "clusterAddress") };
  };

  test("is no difference after a create and after a refresh", async () => {
    const { stack, silent } = await begin();
    await stack.up(method(), silent);
    expect(stack.outputs().maxTokenTtl).toBe("1h");
    const before = stack.properties();
    expect((await stack.refresh(silent)).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
    expect((await stack.up(method(), silent)).requests).toEqual([]);
  });

  test("is written if the program changes it, and stays if the program changes another property", async () => {
    const { stack, silent } = await begin();
    await stack.up(method(), silent);
    await stack.up(method({ maxTokenTtl: "2h" }), silent);
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", TokenLocality: "local" });
    const { changes } = await stack.up(method({ maxTokenTtl: "2h", tokenLocality: "global" }), { ...silent, refresh: true });
    expect(changes).toEqual(["update AclAuthMethod it"]);
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", TokenLocality: "global" });
  });

  test("stays if another method becomes the default", async () => {
    const { stack, silent } = await begin();
    const program = (ofFirst: boolean): Program => {
      const first = oidc({}, { name: "sso", maxTokenTtl: "2h", default: ofFirst });
      const second = oidc({}, { name: "second", default: !ofFirst });
      return (declare) => {
        declare("AclAuthMethod", "first", first);
        declare("AclAuthMethod", "second", second);
      };
    };
    await stack.up(program(true), silent);
    await stack.up(program(false), { ...silent, parallel: 1 });
    expect(stored(stack)).toMatchObject({ Default: false, MaxTokenTTL: "2h0m0s" });
    expect(stack.simulator.cluster.methods.get("second")?.Default).toBe(true);
  });

  test("does not block an adoption", async () => {
    const { stack, silent } = await begin();
    await stack.up(method(), silent);
    stack.forget();
    await stack.up(method({ adopt: "overwrite" }), silent);
    expect((await stack.refresh(silent)).changes).toEqual([]);
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "1h0m0s" });
  });
});
