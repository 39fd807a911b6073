import type { ResourceRef } from "../../testing/rehearsal";
import { aclAuthMethod, aclRole, adoptable, agentPool } from "../kinds";
import { contents, everything, madeByOthers } from "./contents";
import { type Declare, only, type Program, toEveryServer } from "./harness";
import { oidc, pkce, pool, role, rule } from "./samples";

/**
 * Three kinds, each with values in which the existing object differs. Rules are left out, because a rule with other values is another rule.
 */
const differing = [
  { sample: agentPool, kind: "AgentPool", other: { organizationScoped: false }, named: "organizationScoped (false there)" },
  {
    sample: aclAuthMethod,
    kind: "AclAuthMethod",
    other: { maxTokenTtl: "2h", tokenLocality: "global" },
    named: 'tokenLocality ("global" there) and maxTokenTtl ("2h0m0s" there)',
  },
  { sample: aclRole, kind: "AclRole", other: { description: "theirs" }, named: 'description ("theirs" there)' },
] as const;

toEveryServer("a create of an existing object", (start) => {
  test.each(adoptable)("leaves a $kind of others alone, and the error names it and the ways on", async (sample) => {
    const stack = await start();
    const id = await madeByOthers(stack, sample);
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only(sample.kind, sample.inputs));
    expect(errors).toContain(id);
    for (const way of ["import", "adopt", "alias", "deleteBeforeReplace"]) expect(errors).toContain(way);
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entries()).toEqual([]);
  });

  const comparable = adoptable.filter(({ kind }) => kind !== "AclAuthMethod");
  test.each(comparable)(
    "takes an equal $kind over with adopt: true and without a change, and a second up sends nothing",
    async (sample) => {
      const stack = await start();
      const id = await madeByOthers(stack, sample);
      const before = contents(stack.simulator);
      const program = only(sample.kind, { ...sample.inputs, adopt: true });
      expect((await stack.up(program)).writes).toEqual([]);
      expect(stack.entry().id).toBe(id);
      expect(contents(stack.simulator)).toEqual(before);
      expect((await stack.up(program)).requests).toEqual([]);
      await stack.destroy();
      expect(sample.objects(stack.simulator)).toEqual([]);
    },
  );

  test.each([
    { many: "passing", effect: "leads to a second read", times: 1 },
    { many: "lasting", effect: "is an error before any write", times: Number.POSITIVE_INFINITY },
  ])("a $many 404 of a listed auth method $effect", async ({ times }) => {
    const stack = await start();
    await madeByOthers(stack, aclAuthMethod);
    const before = everything(stack.simulator);
    const notFound = { kind: "status", status: 404, body: "ACL auth-method not found", contentType: "text/plain" } as const;
    stack.simulator.faults.add({ method: "GET", path: /^\/v1\/acl\/auth-method\//, times, fault: notFound });
    const program = only("AclAuthMethod", { ...aclAuthMethod.inputs, adopt: "overwrite" });
    if (times === 1) {
      await stack.up(program);
      expect(stack.simulator.cluster.methods.list()).toHaveLength(1);
    } else {
      expect((await stack.fails("up", program)).errors).toContain("and returns a 404 for it");
      expect(everything(stack.simulator)).toEqual(before);
    }
  });

  test.each(adoptable)(
    "a message about a $kind that was taken over has its ID and other entries to remove from the state; a create has no message",
    async (sample) => {
      const stack = await start();
      const id = await madeByOthers(stack, sample);
      const program = only(sample.kind, { ...sample.inputs, adopt: "overwrite" });
      const taken = (log: readonly string[]) => log.filter((line) => line.includes("adopt"));
      expect(taken((await stack.up(program)).log)).toEqual([
        expect.stringMatching(new RegExp(`${id}.*taken over.*other resource of this stack.*pulumi state delete.*--target`)),
      ]);
      expect(taken((await stack.up(program)).log)).toEqual([]);
      await stack.destroy();
      sample.prepare(stack);
      expect(taken((await stack.up(program)).log)).toEqual([]);
    },
  );

  test("adopt: true takes an equal auth method over if the program gives no secret, and keeps the server's secret", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "theirs" })));
    stack.forget();
    const before = everything(stack.simulator);
    await stack.up(only("AclAuthMethod", pkce({}, { adopt: true })));
    expect(stack.entry().id).toBe("sso");
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("adopt: true fails if the program gives a secret, which can't be compared", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "canary-theirs" })));
    stack.forget();
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only("AclAuthMethod", oidc({ oidcClientSecret: "canary-ours" }, { adopt: true })));
    expect(errors).toMatch(/config\.oidcClientSecret.*nobody can compare it/);
    expect(errors).not.toContain("canary");
    expect(everything(stack.simulator)).toEqual(before);
  });

  test.each(differing)("adopt: true fails for a different $kind, and names $named", async ({ sample, kind, other, named }) => {
    const stack = await start();
    const id = await madeByOthers(stack, sample, other);
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only(kind, { ...sample.inputs, adopt: true }));
    expect(errors).toContain(id);
    expect(errors).toContain(`differs in ${named}`);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test.each(differing)('adopt: "overwrite" writes the inputs over a different $kind, with one write', async ({ sample, kind, other }) => {
    const stack = await start();
    const id = await madeByOthers(stack, sample, other);
    const program = only(kind, { ...sample.inputs, adopt: "overwrite" });
    await stack.up(program);
    expect(stack.entry().id).toBe(id);
    expect(sample.objects(stack.simulator)).toEqual([{ id }]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    const fresh = await start();
    await fresh.up(only(kind, sample.inputs));
    expect(stack.inputs()).toEqual({ ...fresh.inputs(), adopt: "overwrite" });
  });

  test('adopt: "overwrite" of an auth method writes the program\'s secret', async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "theirs" })));
    stack.forget();
    await stack.up(only("AclAuthMethod", oidc({ oidcClientSecret: "ours" }, { adopt: "overwrite" })));
    expect(stack.simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("ours");
  });

  test('adopt: "overwrite" keeps the workspaces that the program does not manage', async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-theirs"] })));
    stack.forget();
    await stack.up(only("AgentPool", pool({ organizationScoped: true, adopt: "overwrite" })));
    expect(stack.simulator.pools.get(stack.entry().id)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-theirs"] });
  });
});

toEveryServer("two resources of one program with one object", (start) => {
  test.each(adoptable)(
    'the second $kind does not take the first one over, even with adopt: "overwrite"',
    async ({ kind, inputs, prepare, objects, create }) => {
      const stack = await start();
      prepare(stack);
      // The response to the first create is delayed, so the second create finds the object before the provider knows that the first one
      // made it.
      stack.simulator.faults.add({ method: "POST", path: create, fault: { kind: "delay", ms: 50 } });
      const program: Program = (declare) => {
        declare(kind, "one", { ...inputs, adopt: "overwrite" });
        declare(kind, "two", { ...inputs, adopt: "overwrite" });
      };
      await stack.fails("up", program);
      const entries = [...stack.entries("one"), ...stack.entries("two")].map(({ id }) => ({ id }));
      expect(entries).toEqual(objects(stack.simulator));
      expect(entries).toHaveLength(1);
    },
  );

  // Rules are left out, because they have no name: a rule whose values differ from the first rule's new values is another rule.
  const named = adoptable.filter(({ kind }) => kind !== "AclBindingRule");
  test.each(named)("the second $kind does not take the first one over during an update of the first one", async (sample) => {
    const { kind, inputs, change, prepare, objects, create } = sample;
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    const { id } = stack.entry();
    const update =
      kind === "AgentPool" ? { method: "PATCH", path: `/api/v2/agent-pools/${id}` } : { method: "POST", path: `${create}/${id}` };
    stack.simulator.faults.add({ ...update, fault: { kind: "delay", ms: 100 } });
    const { errors } = await stack.fails("up", (declare) => {
      declare(kind, "it", { ...inputs, ...change });
      declare(kind, "second", { ...inputs, adopt: "overwrite" });
    });
    expect(errors).toMatch(/Another resource of this program manages it|can't have two resources\. Change it/);
    expect(stack.inputs()).toMatchObject(change);
    expect(stack.entries("second")).toEqual([]);
    expect(objects(stack.simulator)).toEqual([{ id }]);
    expect((await stack.preview(only(kind, { ...inputs, ...change }), { refresh: true })).changes).toEqual([]);
  });

  // The first resource gives its object up, the second one adopts it: a role by a new name, a rule by a replacement.
  const handedOver = [
    { kind: "AclRole", before: role({ name: "its" }), after: role({ name: "other" }), identity: "Name" },
    { kind: "AclBindingRule", before: rule({ authMethod: "its" }), after: rule({ authMethod: "other" }), identity: "AuthMethod" },
  ] as const;
  const orders = handedOver.flatMap((one) => [
    { ...one, order: ["one", "two"] },
    { ...one, order: ["two", "one"] },
  ]);
  test.each(orders)(
    "a failed update leaves one $kind with two entries: the next one is an error ($order), and its remedy gives each an object",
    async ({ kind, before, after, identity, order }) => {
      const stack = await start();
      const { cluster, pools, organization } = stack.simulator;
      for (const Name of ["its", "other"]) cluster.methods.put({ Name });
      const declareOne = (declare: Declare, dependsOn: ResourceRef[] = []) =>
        declare(kind, "one", after, { deleteBeforeReplace: true, dependsOn });
      const declareTwo = (declare: Declare) => declare(kind, "two", { ...before, adopt: "overwrite" });
      await stack.up((declare) => void declare(kind, "one", before));
      pools.put({ organization, name: "taken" });
      await stack.fails("up", (declare) => {
        const failing = declare("AgentPool", "failing", pool({ name: "taken" }), { dependsOn: [declareTwo(declare)] });
        declareOne(declare, [failing]);
      });
      expect(stack.entry("two").id).toBe(stack.entry("one").id);

      const next: Program = (declare) => {
        for (const name of order) name === "one" ? declareOne(declare) : declareTwo(declare);
      };
      const preview = await stack.fails("preview", next);
      expect(preview.errors).toMatch(/another resource of this program has it, too.*pulumi state delete/);
      expect(preview.writes).toEqual([]);
      const { failures } = await stack.fails("up", next, { parallel: 1 });
      expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining("has it, too")]);
      stack.removeFromState(failures[0]?.urn);
      await stack.up(next, { refresh: true });
      const stored = [...cluster.roles.list(), ...cluster.rules.list()];
      expect(stored).toHaveLength(2);
      expect(stored).toContainEqual(expect.objectContaining({ ID: stack.entry("one").id, [identity]: "other" }));
      expect(stored).toContainEqual(expect.objectContaining({ ID: stack.entry("two").id, [identity]: "its" }));
      expect((await stack.preview(next, { refresh: true })).changes).toEqual([]);
    },
  );
});
