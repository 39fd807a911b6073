/** Resources of one program that exchange their names: a name is unique, so no update succeeds. */
import { aclRole, agentPool } from "../kinds";
import { everything } from "./contents";
import { type Program, throughEveryAdapter } from "./harness";
import { jwt, token } from "./samples";

const named =
  (kind: "AclRole" | "AgentPool", inputs: object, names: Readonly<Record<string, string>>): Program =>
  (declare) => {
    for (const [resource, name] of Object.entries(names)) declare(kind, resource, { ...inputs, name });
  };

throughEveryAdapter("resources that exchange their names", (start) => {
  const renamed = [aclRole, agentPool].map(({ kind, inputs }) => ({ kind: kind === "AclRole" ? kind : ("AgentPool" as const), inputs }));

  test.each(renamed)("two of $kind: a warning of the preview says so and names the way, which leads there", async ({ kind, inputs }) => {
    const stack = await start();
    await stack.up(named(kind, inputs, { a: "blue", b: "green" }));
    const swapped = named(kind, inputs, { a: "green", b: "blue" });
    const before = everything(stack.simulator);
    const { warnings } = await stack.preview(swapped);
    expect(warnings.join()).toMatch(
      /change in a circle \("(blue|green)" to "(blue|green)" to "\1"\).*temporary name in an update of its own/,
    );
    await stack.fails("up", swapped);
    expect(everything(stack.simulator)).toEqual(before);
    await stack.up(named(kind, inputs, { a: "temporary", b: "green" }));
    await stack.attempt("up", swapped);
    await stack.up(swapped);
    expect([stack.inputs("a").name, stack.inputs("b").name]).toEqual(["green", "blue"]);
  });

  test("tokens just do so, because their names need not be unique", async () => {
    const stack = await start();
    const tokens = (a: string, b: string): Program => {
      return (declare) => {
        declare("AclToken", "a", token({ name: a }));
        declare("AclToken", "b", token({ name: b }));
      };
    };
    await stack.up(tokens("blue", "green"));
    const ids = [stack.entry("a").id, stack.entry("b").id];
    await stack.up(tokens("green", "blue"), { parallel: 1 });
    expect(ids.map((id) => stack.simulator.cluster.tokens.get(id)?.Name)).toEqual(["green", "blue"]);
  });

  test("auth methods, which are replaced, cause a warning, because deleteBeforeReplace leads there", async () => {
    const stack = await start();
    const methods =
      (a: string, b: string): Program =>
      (declare) => {
        declare("AclAuthMethod", "a", jwt({}, { name: a }), { deleteBeforeReplace: true });
        declare("AclAuthMethod", "b", jwt({}, { name: b }), { deleteBeforeReplace: true });
      };
    await stack.up(methods("blue", "green"));
    const { warnings } = await stack.preview(methods("green", "blue"));
    expect(warnings).toEqual([
      expect.stringMatching(/change in a circle.*temporary name in an update of its own.*deleteBeforeReplace: true/),
    ]);
    for (let run = 0; run < 2; run++) await stack.attempt("up", methods("green", "blue"));
    expect((await stack.up(methods("green", "blue"))).writes).toEqual([]);
    expect(stack.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["blue", "green"]);
    expect([stack.entry("a").id, stack.entry("b").id]).toEqual(["green", "blue"]);
  });
});
