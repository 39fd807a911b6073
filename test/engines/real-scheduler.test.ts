/** Tests with one server of the real scheduler on this machine, if its executable is on PATH. */

import { createChosen } from "../../provider/apis/cluster/token";
import { getRole } from "../../provider/resources/acl-role";
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

test("a real scheduler lists its regions without a token", async () => {
  await withAgent(async ({ address }) => {
    const response = await fetch(`${address}/v1/regions`);
    expect([response.status, await response.json()]).toEqual([200, ["global"]]);
  });
});

test("a real scheduler takes the identifiers of a client token, keeps its secret and its end in updates, and finds no deleted token", async () => {
  await withAgent(async ({ address, token }) => {
    const { context, close } = operationWith({ clusterAddress: address, clusterToken: token, maxRetries: 0 });
    const news = aclToken.check({ context, olds: {}, resourceName: "it" }, { ...client, expirationTtl: "1h" }).inputs;
    try {
      const { tokens } = context.cluster();
      const { id, outputs } = await aclToken.create(context, news);
      expect((await tokens.read(id)).secretId).toBe(outputs.secretId);
      const again = createChosen(tokens, {
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
