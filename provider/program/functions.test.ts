/** Calls of functions in the program's own process. test/engines/mocks.test.ts has calls with mocks. */
import { createServer } from "node:http";
import * as pulumi from "@pulumi/pulumi";
import { listen, type Open } from "../../test/support/http/listen";
import { argumentsOf, fill } from "../../test/support/look-ups";
import { configurationOf } from "../../test/support/session";
import { Simulator } from "../../testing/simulator";
import * as program from "..";
import { functions } from "../functions";

/** Gives the program this configuration, as the SDK does before it runs a stack. */
function configure(values: Record<string, string>): void {
  pulumi.runtime.setAllConfig(Object.fromEntries(Object.entries(values).map(([key, value]) => [`agentpool-acl:${key}`, value])));
}

const resultOf = <T>(output: pulumi.Output<T>) => new Promise<unknown>((resolve) => output.apply(resolve));

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
});
afterAll(() => simulator.stop());
beforeEach(() => {
  configure(configurationOf(simulator));
  simulator.journal.clear();
});

describe("a look-up", () => {
  test("uses the server of the program's configuration", async () => {
    const role = simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    expect(await program.getRole({ name: "dev" })).toMatchObject({ id: role.ID, policies: ["read"] });
    expect(await program.getRole({ id: role.ID })).toMatchObject({ name: "dev" });
    expect(simulator.journal.lines()).toEqual(["GET /v1/regions", "GET /v1/acl/role/name/dev", `GET /v1/acl/role/${role.ID}`]);
  });

  test.each(functions.map((one) => [one.name, one] as const))("by %s returns the same in both forms", async (name, one) => {
    const server = await Simulator.start();
    const names = fill(server);
    configure(configurationOf(server));
    const args = argumentsOf(one, server);
    const outputs = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, pulumi.output(value)]));
    const plain: unknown = await Reflect.get(program, name)(args);
    expect(await resultOf(Reflect.get(program, `${name}Output`)(outputs))).toEqual(plain);
    expect(names.filter((text) => JSON.stringify(plain).includes(text))).not.toEqual([]);
    await server.stop();
  });

  test("as an output is a secret if a part of its result is one", async () => {
    simulator.cluster.methods.put({ Name: "sso", Config: { OIDCDiscoveryURL: "https://idp" } });
    const explained = program.explainLoginOutput({ authMethod: "sso", claims: { groups: pulumi.output(["dev"]) } });
    const secrecy = [pulumi.isSecret(explained), pulumi.isSecret(explained.ok), pulumi.isSecret(program.getAccessGraphOutput())];
    expect(await Promise.all(secrecy)).toEqual([true, true, false]);
  });

  test("with invalid arguments fails before any request, with all errors", async () => {
    await expect(program.getRole({ id: "", name: "" })).rejects.toThrow("getRole: id must not be empty; name must not be empty.");
    expect(simulator.journal.entries).toEqual([]);
  });

  test("without an object of arguments, or with outputs in it, is an error with the right form", async () => {
    const wrong = [
      ["nobody", 'getRole takes its arguments as one object, like getRole({ name: "..." }).'],
      [pulumi.output({ name: "nobody" }), 'getRole takes its arguments as one object, like getRole({ name: "..." }).'],
      [{ name: pulumi.output("nobody") }, "getRole: name is an output or a promise. Call getRoleOutput, which waits for it."],
      [{ name: Promise.resolve("nobody") }, "getRole: name is an output or a promise. Call getRoleOutput, which waits for it."],
    ] as const;
    for (const [args, message] of wrong) {
      // As a program in JavaScript may call it.
      await expect(Reflect.apply(program.getRole, undefined, [args])).rejects.toThrow(message);
    }
    expect(simulator.journal.entries).toEqual([]);
  });

  test("that fails is an error without a stack", async () => {
    const failed = await program.getRole({ name: "nobody" }).catch((error: unknown) => error);
    expect(pulumi.RunError.isInstance(failed)).toBe(true);
    expect(String(failed)).toContain("404 ACL role not found");
    // The SDK shows the message alone, but formats a stack and a cause, too. The formatting takes a minute on Node 20.
    expect([Reflect.get(Object(failed), "stack"), "cause" in Object(failed)]).toEqual(["", false]);
  });
});

describe("a process that runs several stacks", () => {
  const role = (server: Simulator, description: string) => {
    server.cluster.policies.put("read");
    return server.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }], Description: description });
  };

  test("uses for each of two stacks its own configuration, at the same time", async () => {
    const [dev, prod] = [await Simulator.start(), await Simulator.start()];
    try {
      const descriptions = [];
      for (const [server, description] of [
        [dev, "of dev"],
        [prod, "of prod"],
      ] as const) {
        const { ID } = role(server, description);
        configure(configurationOf(server));
        descriptions.push(program.getRole({ name: "ops" }), program.getRole({ id: ID }), program.getRole({ name: "ops" }));
      }
      const found = await Promise.all(descriptions);
      expect(found.map(({ description }) => description)).toEqual([...Array(3).fill("of dev"), ...Array(3).fill("of prod")]);
    } finally {
      await Promise.all([dev.stop(), prod.stop()]);
    }
  });

  test("uses a rotated token, from the configuration or the environment", async () => {
    const { ID } = simulator.cluster.roles.put({ Name: "rotated", Policies: [{ Name: "read" }] });
    const asked = () => program.getRole({ id: ID }).then(({ name }) => name);
    simulator.clusterTokens.add({ token: "second", type: "management" });
    configure({ ...configurationOf(simulator), clusterToken: "stale" });
    await expect(asked()).rejects.toThrow("403");
    configure({ ...configurationOf(simulator), clusterToken: "second" });
    expect(await asked()).toBe("rotated");
    configure({ ...configurationOf(simulator), clusterToken: "stale" });
    process.env.AGENTPOOL_ACL_CLUSTER_TOKEN = "second";
    try {
      expect(await asked()).toBe("rotated");
    } finally {
      delete process.env.AGENTPOOL_ACL_CLUSTER_TOKEN;
    }
  });

  test("reads objects again in the next run of the same stack", async () => {
    const roles = ["a", "b", "c"].map((name) => simulator.cluster.roles.put({ Name: name, Policies: [{ Name: "read" }] }));
    const descriptions = async () => {
      // As the SDK does before an inline program: the engine has another address each time.
      pulumi.runtime.resetOptions("project", "stack", -1, "", `127.0.0.1:${++port}`, false, "");
      return Promise.all(roles.map(({ ID }) => program.getRole({ id: ID }).then(({ description }) => description)));
    };
    let port = 1;
    try {
      expect(await descriptions()).toEqual(["", "", ""]);
      for (const { ID, Name } of roles) simulator.cluster.roles.put({ ID, Name, Policies: [{ Name: "read" }], Description: "changed" });
      expect(await descriptions()).toEqual(["changed", "changed", "changed"]);
    } finally {
      pulumi.runtime.resetOptions("", "", -1, "", "", false, "");
    }
  });

  test("closes the connections of the first stack with the first request of the second one", async () => {
    const open: Open = [];
    let connections = 0;
    const server = createServer((_, response) => response.setHeader("content-type", "application/json").end("[]"));
    server.on("connection", (socket) => {
      connections++;
      socket.on("close", () => connections--);
    });
    try {
      configure({ clusterAddress: `http://127.0.0.1:${await listen(server, open)}`, clusterToken: "t" });
      await program.listRoles();
      expect(connections).toBeGreaterThan(0);
      configure(configurationOf(simulator));
      await program.listRoles();
      while (connections > 0) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      for (const one of open) await one.close();
    }
  });
});

describe("options for functions of the plugin are refused with the alternative:", () => {
  const way = 'Import getRole from "pulumi-agentpool-acl/plugin" to call it through a provider, or leave the option out.';
  const provider = new (class extends pulumi.ProviderResource {})("agentpool-acl", "west");
  const parent = new (class extends pulumi.ComponentResource {})("test:index:Parent", "parent", {}, { providers: [provider] });

  test.each([
    ["provider", { provider }, "the option provider is for functions of the plugin"],
    ["version", { version: "1.0.0" }, "the option version is for functions of the plugin"],
    ["a parent's provider", { parent }, "its parent has a provider of this package, which is for functions of the plugin"],
  ])("%s", async (_, options, message) => {
    await expect(program.getRole({ name: "dev" }, options)).rejects.toThrow(message);
    await expect(program.getRole({ name: "dev" }, options)).rejects.toThrow(way);
    expect(() => program.getRoleOutput({ name: "dev" }, options)).toThrow(message);
    expect(simulator.journal.entries).toEqual([]);
  });

  test("a parent without such a provider is accepted", async () => {
    simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const bare = new (class extends pulumi.ComponentResource {})("test:index:Bare", "bare");
    expect(await program.getRole({ name: "dev" }, { parent: bare })).toMatchObject({ name: "dev" });
  });
});
