/**
 * Two resources of one program that claim one object, or that exchange their names. For dynamic resources, the program itself compares
 * names: test/engines/errors.full.test.ts.
 */
import { aclRole, agentPool } from "../kinds";
import { adapters } from "../support/adapters";
import { everything } from "./contents";
import { type Declare, type Inputs, type Kind, type Program, throughEveryAdapter } from "./harness";
import { jwt, oidc, pool, role, rule, token } from "./samples";

const knowingNames = adapters.filter(({ knowsNames }) => knowsNames).map(({ name }) => name);

function two(kind: Kind, first: Inputs, second = first): Program {
  return (declare) => {
    declare(kind, "first", first);
    declare(kind, "second", second);
  };
}

const samples: readonly [Kind, Inputs, Inputs, string][] = [
  ["AclRole", role(), role({ policies: ["write"] }), "ACL role"],
  ["AclAuthMethod", oidc(), jwt({}, { name: "sso" }), "ACL auth method"],
  ["AgentPool", pool(), pool({ organizationScoped: false }), "agent pool"],
];

throughEveryAdapter("two resources of one program", (start) => {
  test.each(samples)("of one name fail in the preview, with both names of the program: %s", async (kind, first, second, label) => {
    const stack = await start();
    if (!knowingNames.includes(stack.adapter.name)) return expect(stack.adapter.needsProviderText).toBe(true);
    const { errors, requests } = await stack.fails("preview", two(kind, first, second));
    expect(errors).toContain(
      `name is the same in the resources "first" and "second" of this program, and one ${label} can't have two resources.`,
    );
    expect(errors).not.toContain(String(first.name));
    expect(requests).toEqual([]);
    // The preview also fails if one of the two objects exists already.
    await stack.up((declare) => declare(kind, "first", first));
    expect((await stack.fails("preview", two(kind, first, second))).errors).toContain('"first" and "second"');
    return undefined;
  });

  test("that are equal rules fail in the preview, as their creates do", async () => {
    const stack = await start();
    const { errors, requests } = await stack.fails("preview", two("AclBindingRule", rule()));
    expect(errors).toMatch(/description is the same in .* of this program, and one ACL binding rule can't have two resources\./);
    expect(requests).toEqual([]);
  });

  test("may be equal rules that exist already", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(two("AclBindingRule", rule({ description: "a" }), rule({ description: "b" })));
    expect((await stack.up(two("AclBindingRule", rule({ description: "b" })))).changes).toEqual(["update AclBindingRule first"]);
    expect((await stack.preview(two("AclBindingRule", rule({ description: "b" })))).changes).toEqual([]);
    expect(stack.simulator.cluster.rules.list().map(({ Description }) => Description)).toEqual(["b", "b"]);
  });

  test("may have one name in two organizations, and as objects of two kinds", async () => {
    const stack = await start();
    const both: Program = (declare) => {
      declare("AgentPool", "first", pool());
      declare("AgentPool", "second", pool({ organization: "other-org" }));
      declare("AclRole", "third", role({ name: "sso" }));
      declare("AclAuthMethod", "fourth", oidc());
    };
    expect((await stack.preview(both)).changes).toHaveLength(4);
  });

  test("are no conflict if a replaced resource is checked twice", async () => {
    const stack = await start();
    const program: Program = (declare: Declare) => {
      declare("AclRole", "first", role());
      declare("AclAuthMethod", "second", oidc());
      declare("AclBindingRule", "third", rule());
    };
    await stack.up(program, { parallel: 1 });
    const replace = ["first", "second", "third"].map((name) => stack.entry(name).urn);
    const { changes } = await stack.preview(program, { replace });
    expect(changes.filter((line) => line.startsWith("replace"))).toHaveLength(3);
  });
});

const named =
  (kind: "AclRole" | "AgentPool", inputs: object, names: Readonly<Record<string, string>>): Program =>
  (declare) => {
    for (const [resource, name] of Object.entries(names)) declare(kind, resource, { ...inputs, name });
  };

throughEveryAdapter("resources that exchange their names", (start) => {
  const renamed = [aclRole, agentPool].map(({ kind, inputs }) => ({ kind: kind === "AclRole" ? kind : ("AgentPool" as const), inputs }));

  test.each(renamed)("two of $kind: cause a preview's warning with a remedy that works", async ({ kind, inputs }) => {
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

  test("tokens: succeed, because their names need not be unique", async () => {
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

  test("auth methods: cause a warning, and succeed with deleteBeforeReplace after some runs", async () => {
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
