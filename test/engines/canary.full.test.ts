/** Looks for recognizable secrets in everything that leaves the processes. lifecycle/secrets.test.ts has the other places. */
import { generateKeyPairSync } from "node:crypto";
import type { JournalEntry } from "../../testing/simulator";
import { onBothEngines } from "../support/both-engines";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
// A line from the middle of the key, because all keys begin almost the same.
const keyLine = privateKey.split("\n")[8] ?? privateKey;

const program = (module: string, ttl: string) => ({
  "index.js": `
const { AgentPool, AclAuthMethod, AclRole, AclBindingRule, AclToken } = require("${module}");
const token = new AclToken("ci", { name: "ci ${ttl}", type: "client", policies: ["read-only"] });
const sso = new AclAuthMethod("sso", {
  name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "${ttl}",
  config: {
    oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster", allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    oidcClientSecret: "canary-client-secret",
    oidcClientAssertion: { keySource: "private_key", privateKey: { pemKey: ${JSON.stringify(privateKey)}, keyId: "key-1" } },
  },
// The method depends on the token, so the token is updated before the method's update is refused.
}, { dependsOn: token });
new AgentPool("build", {});
const role = new AclRole("developers", { name: "developers", policies: ["read-only"] });
new AclBindingRule("engineering", { authMethod: sso.name, selector: "", bindType: "role", bindName: role.name });
exports.token = token.secretId;
exports.config = sso.config;
exports.clientSecret = sso.config.oidcClientSecret;
`,
});

/** A request as JSON, without the secrets that it must contain: the fields of an auth method's secrets, and of a new token's secret. */
function withoutItsSecrets(entry: JournalEntry): string {
  const isMethodWrite = entry.method === "POST" && entry.path.startsWith("/v1/acl/auth-method");
  const isTokenCreate = entry.method === "POST" && entry.path === "/v1/acl/token";
  const hidden = [...(isMethodWrite ? ["OIDCClientSecret", "PemKey"] : []), ...(isTokenCreate ? ["SecretID"] : [])];
  return JSON.stringify(entry, (key, value: unknown) => (hidden.includes(key) ? "" : value));
}

const modules = [
  ["dynamic", "pulumi-agentpool-acl"],
  ["plugin", "pulumi-agentpool-acl/plugin"],
];

it.each(modules)(
  "no secret leaves the processes through the %s adapter, in successful and failed runs, except in the requests that need it",
  async (_, module) => {
    await onBothEngines(program(module, "1h"), async ({ engine, simulator, rewrite }) => {
      const runs = [await engine.run("preview"), await engine.run("up")];
      expect(runs.map(({ errors }) => errors)).toEqual([[], []]);
      expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("canary-client-secret");
      const states = [await engine.storedState()];
      const tokens = simulator.cluster.tokens.list().map(({ SecretID }) => SecretID);
      expect(tokens).toHaveLength(1);

      simulator.cluster.rotateClientSecret("sso", "canary-of-others");
      // The log mentions the retry. The response that causes the retry repeats secrets of the request.
      const echo = `try again: canary-client-secret ${privateKey} ${simulator.clusterToken} ${simulator.poolsToken}`;
      simulator.faults.add({ method: "POST", fault: { kind: "status", status: 503, body: echo } });
      runs.push(await engine.run("up", { refresh: true }));
      expect(simulator.faults.pending()).toBe(0);
      expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("canary-client-secret");
      states.push(await engine.storedState());

      rewrite(program(module, "9000h"));
      const refused = await engine.run("up");
      expect(refused.errors.join("\n")).toContain("maxTokenTtl: ");
      simulator.faults.add({
        times: Number.POSITIVE_INFINITY,
        fault: { kind: "status", status: 403, body: `no ${simulator.clusterToken} ${simulator.poolsToken}` },
      });
      const denied = await engine.run("refresh");
      expect(denied.errors).not.toEqual([]);
      simulator.faults.clear();
      states.push(await engine.storedState());
      const destroyed = await engine.run("destroy");
      expect(destroyed.errors).toEqual([]);
      states.push(await engine.storedState());

      const places = {
        printed: [...runs, refused, denied, destroyed].map(({ text }) => text).join("\n"),
        stored: states.join("\n"),
        sent: simulator.journal.entries.map(withoutItsSecrets).join("\n"),
      };
      const secrets = ["canary-client-secret", keyLine, "canary-of-others", simulator.clusterToken, simulator.poolsToken, ...tokens];
      expect(places.stored).toContain("sso");
      for (const [place, text] of Object.entries(places)) {
        expect({ place, found: secrets.filter((secret) => text.includes(secret)) }).toEqual({ place, found: [] });
      }
    });
  },
);
