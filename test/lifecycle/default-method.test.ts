import { everything } from "./contents";
import { type Inputs, only, type Program, type TestStack, toEveryServer } from "./harness";
import { jwt, oidc } from "./samples";

const a = (isDefault: boolean) => oidc({ oidcClientSecret: "of-a" }, { name: "a", default: isDefault });
const b = (isDefault: boolean) => oidc({ oidcClientSecret: "of-b" }, { name: "b", default: isDefault });

/** The names of the methods. The name of the default method has a star. */
const methods = ({ simulator }: TestStack) => simulator.cluster.methods.list().map(({ Name, Default }) => (Default ? `${Name}*` : Name));

toEveryServer("the default auth method", (start) => {
  const begin = async () => {
    const stack = await start();
    await stack.up((declare) => {
      declare("AclAuthMethod", "a", a(true));
      declare("AclAuthMethod", "b", b(false));
    });
    expect(methods(stack)).toEqual(["a*", "b"]);
    return stack;
  };

  const orders: readonly { readonly order: string; readonly program: Program }[] = [
    {
      order: "old one first",
      program: (declare) => {
        declare("AclAuthMethod", "a", a(false));
        declare("AclAuthMethod", "b", b(true));
      },
    },
    {
      order: "new one first",
      program: (declare) => {
        declare("AclAuthMethod", "b", b(true));
        declare("AclAuthMethod", "a", a(false));
      },
    },
  ];

  test.each(orders)("moves from one method to another in one up with simultaneous updates, declared $order", async ({ program }) => {
    const stack = await begin();
    const before = stack.simulator.cluster.methods.get("a");
    await stack.up(program);
    expect(methods(stack)).toEqual(["a", "b*"]);
    expect(stack.simulator.cluster.methods.get("a")?.Config).toEqual(before?.Config);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("moves with one write at a time by dependsOn, as the error without it says", async () => {
    const stack = await begin();
    const { errors } = await stack.fails("up", orders[1]?.program, { parallel: 1 });
    expect(errors).toMatch(/"b" can't be the default, because "a" is.*Nothing was changed.*dependsOn.*or run the update again/);
    await stack.up(
      (declare) => {
        const old = declare("AclAuthMethod", "a", a(false));
        declare("AclAuthMethod", "b", b(true), { dependsOn: [old] });
      },
      { parallel: 1 },
    );
    expect(methods(stack)).toEqual(["a", "b*"]);
  });

  const blocked: readonly { readonly why: string; readonly program: Program }[] = [
    { why: "the old one is being removed", program: (declare) => void declare("AclAuthMethod", "b", b(true)) },
    {
      why: "the old one waits for the new one",
      program: (declare) => {
        const next = declare("AclAuthMethod", "b", b(true));
        declare("AclAuthMethod", "a", a(false), { dependsOn: [next] });
      },
    },
    {
      why: "the program holds on to the old one",
      program: (declare) => {
        declare("AclAuthMethod", "a", a(true));
        declare("AclAuthMethod", "b", b(true));
      },
    },
  ];

  test.each(blocked)("stays if $why: after five seconds the error says what to do first", async ({ program }) => {
    const stack = await begin();
    const before = everything(stack.simulator);
    const from = stack.clock.now();
    const { errors } = await stack.fails("up", program);
    expect(errors).toMatch(/"b" can't be the default, because "a" is.*Nothing was changed.*in an earlier update/);
    expect(stack.clock.now() - from).toBeGreaterThanOrEqual(5_000);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("is not taken from a method of others, and the error names it", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "theirs", Default: true });
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only("AclAuthMethod", b(true)));
    expect(errors).toContain('because "theirs" is');
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("gets another name by a delete-first replacement, as the error without it says", async () => {
    const stack = await start();
    const named = (name: string, options = {}, more: Inputs = {}) =>
      only("AclAuthMethod", jwt({}, { name, default: true, ...more }), options);
    await stack.up(named("old"));
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", named("new"));
    expect(errors).toMatch(/because "old" is.*deleteBeforeReplace: true/);
    expect(everything(stack.simulator)).toEqual(before);
    await stack.up(named("new", { deleteBeforeReplace: true }));
    expect(methods(stack)).toEqual(["new*"]);
    expect((await stack.preview(named("new"), { refresh: true })).changes).toEqual([]);
  });
});
