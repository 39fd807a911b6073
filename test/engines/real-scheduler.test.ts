/** Tests with one server of the real scheduler on this machine, where its executable is on PATH. */
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { getRole } from "../../provider/functions";
import { aclToken } from "../../provider/resources/acl-token";
import { withAgent } from "../support/scheduler";
import { operationWith } from "../support/session";

jest.setTimeout(120_000);

const client = { type: "client", policies: ["read"] };

test("a real scheduler accepts the token with the README's two lines of configuration, and the error for an unknown header names that header", async () => {
  await withAgent(async ({ address, token }) => {
    const ask = async (more: Record<string, string>) => {
      const { context, close } = operationWith({ clusterAddress: address, clusterToken: token, maxRetries: 0, ...more });
      try {
        return await getRole.run(context, { name: "nobody" });
      } finally {
        await close();
      }
    };
    await expect(ask({})).rejects.toThrow("404 ACL role not found");
    await expect(ask({ clusterAuthHeader: "X-Nomad-Token" })).rejects.toThrow("404 ACL role not found");
    await expect(ask({ clusterAuthHeader: "X-Cluster-Token" })).rejects.toThrow(
      /403 .*It goes in the header X-Cluster-Token: if the server wants another one, set clusterAuthHeader\./,
    );
  });
});

test("a real scheduler refuses the updates that check whether an object exists, writes nothing, and distinguishes existing from missing objects", async () => {
  await withAgent(async ({ address, token }) => {
    const call = async (method: string, path: string, body?: object): Promise<unknown> => {
      const headers = { "X-Nomad-Token": token };
      const response = await fetch(`${address}/v1/acl/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    };
    const made = async (path: string, body: object) => z.object({ ID: z.string() }).parse(await call("POST", path, body)).ID;
    await call("POST", "policy/read", { Name: "read", Rules: 'node { policy = "read" }' });
    const method = { TokenLocality: "local", MaxTokenTTL: "1h" };
    await call("POST", "auth-method", { ...method, Name: "ci", Type: "JWT", Default: true, Config: { JWKSURL: "https://ci.test/keys" } });
    const oidc = { OIDCDiscoveryURL: "https://idp.test", OIDCClientID: "x", AllowedRedirectURIs: ["http://localhost/callback"] };
    await call("POST", "auth-method", { ...method, Name: "sso", Type: "OIDC", Config: oidc });
    const role = await made("role", { Name: "dev", Policies: [{ Name: "read" }] });
    const rule = await made("binding-rule", { AuthMethod: "sso", BindType: "role", BindName: "dev" });
    const own = randomUUID();
    await call("POST", "token", { AccessorID: own, SecretID: randomUUID(), Name: "ci", Type: "client", Policies: ["read"] });
    const paths = ["auth-method/ci", "auth-method/sso", `role/${role}`, `binding-rule/${rule}`, `token/${own}`];
    const contents = () => Promise.all(paths.map((path) => call("GET", path)));
    const before = await contents();
    const { context, close } = operationWith({ clusterAddress: address, clusterToken: token, maxRetries: 0 });
    try {
      const cluster = context.cluster();
      const probeRole = (id: string) => cluster.roles.probe(id, { id, name: "dev", description: "", policies: ["read"] });
      const there = [() => cluster.methods.probe("ci", "ci"), () => cluster.methods.probe("sso", "sso"), () => probeRole(role)];
      const probeToken = (id: string) => cluster.tokens.probe(id, { id, global: false });
      for (const probe of [...there, () => cluster.rules.probe(rule, rule), () => probeToken(own)])
        await expect(probe()).rejects.toMatchObject({ kind: "rejected", status: 400 });
      const missing = "6e4dfb0c-0000-4000-8000-000000000001";
      for (const probe of [
        () => cluster.methods.probe(missing, missing),
        () => probeRole(missing),
        () => cluster.rules.probe(missing, missing),
        () => probeToken(missing),
      ])
        await expect(probe()).rejects.toMatchObject({ kind: "not-found", status: 400 });
    } finally {
      await close();
    }
    expect(await contents()).toEqual(before);
    expect(before).toMatchObject([{ Name: "ci" }, { Name: "sso" }, { ID: role }, { ID: rule }, { AccessorID: own }]);
  });
});

test("a real scheduler takes the identifiers of a client token, keeps its secret and its end in updates, and refuses what it can't find", async () => {
  await withAgent(async ({ address, token }) => {
    const { context, close } = operationWith({ clusterAddress: address, clusterToken: token, maxRetries: 0 });
    const news = aclToken.check({ context, olds: {}, resourceName: "it" }, { ...client, expirationTtl: "1h" }).inputs;
    try {
      const { tokens } = context.cluster();
      const { id, outputs } = await aclToken.create(context, news);
      expect((await tokens.read(id)).secretId).toBe(outputs.secretId);
      const again = tokens.createChosen({
        ...client,
        name: "",
        roles: [],
        global: false,
        expirationTtl: "1h",
        chosen: { id, secretId: id },
      });
      await expect(again).rejects.toMatchObject({ kind: "rejected", detail: expect.stringContaining("cannot update expiration time") });
      const changed = await aclToken.update(context, id, { olds: outputs, news: { ...news, type: "management", policies: [] } });
      expect(changed).toMatchObject({ secretId: outputs.secretId, expirationTime: outputs.expirationTime });
      expect((await aclToken.read(context, id, changed))?.outputs).toEqual(changed);
      await tokens.delete(id);
      await expect(tokens.delete(id)).rejects.toMatchObject({ kind: "not-found", status: 400 });
      await expect(tokens.read(id)).rejects.toMatchObject({ kind: "not-found", status: 404 });
    } finally {
      await close();
    }
  });
});
