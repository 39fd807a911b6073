import type { Fault } from "../../testing/simulator";
import { adoptable } from "../kinds";
import { everything, unseenMethods } from "./contents";
import { only, toEveryServer } from "./harness";
import { oidc, pool, role } from "./samples";

toEveryServer("an object of the very content that others made while a create's response was lost", (start) => {
  // Theirs can't be distinguished from the one that the create may have made. Without a warning, two programs would manage one object.
  test.each(adoptable.flatMap(({ twin, ...sample }) => (twin ? [{ ...sample, twin }] : [])))(
    "$kind: is taken, and a warning says what else it may be",
    async (sample) => {
      const stack = await start();
      sample.prepare(stack);
      stack.simulator.faults.add({ method: "POST", path: sample.create, fault: { kind: "refuse" } });
      let theirs: string | undefined;
      stack.clock.duringSleep = () => {
        theirs ??= sample.twin(stack.simulator);
      };
      const { warnings, writes } = await stack.up(only(sample.kind, sample.inputs));
      expect(writes).toEqual([`POST ${sample.create}`]);
      expect(stack.entry().id).toBe(theirs);
      expect(warnings.join()).toMatch(/response to its create was lost\. .*another program.*both manage it now.*pulumi state delete/);
    },
  );

  test("is not taken when it has another content, and nobody is blamed for what is not known", async () => {
    const stack = await start();
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: { kind: "refuse" } });
    stack.clock.duringSleep = () => {
      if (stack.simulator.cluster.roles.list().length === 0)
        stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "admin" }] });
    };
    const { errors } = await stack.fails("up", only("AclRole", role()));
    expect(errors).toContain("Others made it, or an earlier update that was interrupted");
    expect(stack.entries()).toEqual([]);
  });
});

toEveryServer("a create that is overtaken by others between the look and the write", (start, dialect) => {
  test("an auth method that it has overwritten, or that the server kept it from overwriting, is reported with the time of theirs", async () => {
    const stack = await start();
    const theirs = stack.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCDiscoveryURL: "https://theirs.test" } });
    stack.simulator.faults.add(unseenMethods);
    const { errors } = await stack.fails("up", only("AclAuthMethod", oidc()));
    const [says, now] = {
      measured: ["has replaced another of that name that someone else made", stack.simulator.cluster.methods.get("sso")],
      documented: ["exists already: sso, made", theirs],
    }[dialect];
    expect(errors).toContain(says);
    expect(errors).toContain(theirs.CreateTime);
    expect(stack.simulator.cluster.methods.list()).toEqual([now]);
    expect(stack.entries()).toEqual([]);
  });

  test("an agent pool of the same name that others made meanwhile is left alone and named", async () => {
    const stack = await start();
    const theirs = stack.simulator.pools.put({ organization: "example-org", name: "build" });
    const before = everything(stack.simulator);
    const meta = { pagination: { "current-page": 1, "next-page": null, "total-pages": 1 } };
    const unseen: Fault = {
      kind: "status",
      status: 200,
      body: JSON.stringify({ data: [], meta }),
      contentType: "application/vnd.api+json",
    };
    stack.simulator.faults.add({ method: "GET", path: "/api/v2/organizations/example-org/agent-pools", fault: unseen });
    const { errors } = await stack.fails("up", only("AgentPool", pool()));
    expect(errors).toContain(theirs.id);
    expect(everything(stack.simulator)).toEqual(before);
  });
});
