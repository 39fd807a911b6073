import { everything } from "./contents";
import { only, type Program, toEveryServer } from "./harness";
import { jwt, oidc, role } from "./samples";

toEveryServer("an update", (start, dialect) => {
  test.each(["taken", "policy-readers", "description"])(
    "of a role to the taken name %s is an error with the property's name",
    async (name) => {
      const stack = await start();
      await stack.up(only("AclRole", role()));
      const theirs = stack.simulator.cluster.roles.put({ Name: name, Policies: [{ Name: "read" }] });
      const before = everything(stack.simulator);
      const { errors } = await stack.fails("up", only("AclRole", role({ name })));
      expect(errors).toMatch(/^name: .*already exists.* choose another one, or rename or delete the object that has it first/);
      expect(everything(stack.simulator)).toEqual(before);
      expect(stack.entry().id).not.toBe(theirs.ID);
      expect(stack.inputs().name).toBe("dev");
    },
  );

  const refused = [
    { what: "a policy that does not exist", inputs: { policies: ["read", "nobody"] }, named: /^policies: .*cannot find policy nobody/ },
    { what: "a name that this server does not take", inputs: { name: "with_underscore" }, named: /^name: .*invalid name/ },
  ];
  // The document allows underscores, and says nothing of policies that do not exist.
  if (dialect === "documented") return;
  test.each(refused)("of a role to $what is an error with the property's name", async ({ inputs, named }) => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const before = everything(stack.simulator);
    expect((await stack.fails("up", only("AclRole", role(inputs)))).errors).toMatch(named);
    expect(everything(stack.simulator)).toEqual(before);
  });
});

toEveryServer("another spelling of a value", (start) => {
  // provider/resources/inputs.test.ts has the spellings of every input.
  const spellings = [
    {
      what: "policies in another order, and twice",
      kind: "AclRole",
      first: role({ policies: ["read", "write"] }),
      second: role({ policies: ["write", "read", "write"] }),
    },
    {
      what: "null and empty values",
      kind: "AclAuthMethod",
      first: oidc(),
      second: oidc({ oidcScopes: null, claimMappings: {} }, { tokenNameFormat: null, default: false }),
    },
  ] as const;

  test.each(spellings)("$what is no change, and a refresh leaves either spelling byte for byte", async ({ kind, first, second }) => {
    const bothWays = [
      { made: first, changed: second },
      { made: second, changed: first },
    ];
    for (const { made, changed } of bothWays) {
      const stack = await start();
      await stack.up(only(kind, made));
      const before = stack.properties();
      expect((await stack.refresh()).changes).toEqual([]);
      expect(stack.properties()).toEqual(before);
      expect((await stack.up(only(kind, changed))).requests).toEqual([]);
      expect((await stack.refresh()).changes).toEqual([]);
    }
  });

  test("fractions of hours and minutes that the server truncates are no change afterwards", async () => {
    const stack = await start();
    // By the server's arithmetic, 8 / 60 hours are 1 ns less than 8 minutes, and 7 / 60 hours are exactly 7 minutes.
    const stored = { 7: "7m0s", 8: "7m59.999999999s", 56: "55m59.999999999s", 1438: "23h57m59.999999999s" };
    const program: Program = (declare) => {
      for (const minutes of Object.keys(stored).map(Number)) {
        const leeways = { clockSkewLeeway: `-${minutes / 60}h`, expirationLeeway: `${minutes / 60}m`, notBeforeLeeway: `${minutes / 7}ms` };
        declare("AclAuthMethod", `m${minutes}`, jwt(leeways, { name: `m${minutes}`, maxTokenTtl: `${minutes / 60}h` }));
      }
    };
    await stack.up(program);
    for (const [minutes, text] of Object.entries(stored)) {
      expect(stack.simulator.cluster.methods.get(`m${minutes}`)).toMatchObject({
        MaxTokenTTL: text,
        Config: { ClockSkewLeeway: `-${text}` },
      });
    }
    const before = stack.properties();
    expect((await stack.up(program)).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
  });
});
