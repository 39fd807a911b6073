/**
 * examples/from-nothing, up to a login: with both adapters on both engines, on the simulator and on a real scheduler, if the executables
 * are on PATH.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import { policiesAllow } from "../../access";
import { type AdapterName, adapterNames, engineNames, type Project } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { root } from "../../tools/repository";
import { playOnBothEngines } from "../support/both-engines";
import { withAgent } from "../support/scheduler";
import { whoInTests } from "../support/who";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(600_000);

const example = join(root, "examples/from-nothing");
const text = (path: string) => readFileSync(join(example, path), "utf8");

/** The folder in which the stand-in for an identity provider keeps its key. */
const identity = mkdtempSync(join(tmpdir(), "from-nothing-"));
afterAll(() => rmSync(identity, { recursive: true }));

const standIn = (...args: string[]) =>
  execFileSync(process.execPath, [join(example, "identity.mjs"), ...args], { cwd: identity, encoding: "utf8" });
const publicKey = standIn("key");

/** The people of the README, and the roles and policies that each of them should get. */
const people: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  engineer: { developers: "develop" },
  operator: { developers: "develop", operators: "operate" },
};

/** The configuration of the README. */
function projectFor({ config, secretConfig }: ReturnType<typeof configFor>, adapter: AdapterName): Project {
  return {
    folder: example,
    adapter,
    config: { ...config, issuer: "https://login.example.com", publicKey },
    secretConfig,
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  };
}

const loggedIn = z.object({ SecretID: z.string(), Type: z.string(), Roles: z.array(z.object({ Name: z.string() })) });

/** Logs in as somebody of the README. @returns the token, and the names of its roles */
async function login(address: string, person: string): Promise<{ token: string; roles: string[] }> {
  const LoginToken = standIn("token", join(example, "people", `${person}.json`)).trim();
  const body = JSON.stringify({ AuthMethodName: "company", LoginToken });
  const response = await fetch(`${address}/v1/acl/login`, { method: "POST", body });
  const { SecretID, Type, Roles } = loggedIn.parse(await response.json());
  expect(Type).toBe("client");
  return { token: SecretID, roles: Roles.map(({ Name }) => Name).sort() };
}

test.each(adapterNames)("from an empty cluster to logins at the simulator: the %s adapter", async (adapter) => {
  await playOnBothEngines(
    (simulator) => projectFor(configFor(simulator), adapter),
    async ({ engine, simulator: { cluster, clusterAddress, pools, poolsAddress } }) => {
      const before = cluster.policies.list().map(({ Name }) => Name);
      expect((await engine.run("preview")).errors).toEqual([]);
      expect((await engine.run("up")).errors).toEqual([]);
      for (const name of ["develop", "operate"]) expect(cluster.policies.get(name)).toMatchObject({ Rules: text(`policies/${name}.hcl`) });
      const [token, ...others] = pools.list().flatMap(({ id }) => pools.agentTokens(id));
      expect(others).toEqual([]);
      expect((await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs).toEqual({
        loginMethod: "company",
        agentAddress: poolsAddress,
        agentToken: { secret: token?.token },
      });
      expect(await engine.storedState()).not.toContain(token?.token);
      for (const [person, roles] of Object.entries(people))
        expect(await login(clusterAddress, person)).toMatchObject({ roles: Object.keys(roles) });
      expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
      expect((await engine.run("destroy")).errors).toEqual([]);
      expect(cluster.policies.list().map(({ Name }) => Name)).toEqual(before);
      expect([cluster.roles, cluster.methods, cluster.rules, pools].flatMap((all): unknown[] => all.list())).toEqual([]);
    },
  );
});

const cases = engineNames.flatMap((engineName) => adapterNames.map((adapter) => [adapter, engineName] as const));

test.each(cases)(
  "at a real scheduler, logins may do what their policies allow: the %s adapter on the %s engine",
  async (adapter, engineName) => {
    const reason = engineName === "cli" ? whyWithoutCli() : undefined;
    if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
    await withAgent(async ({ address, token: management }) => {
      const simulator = await startSimulator();
      const call = (token: string, path: string, body: object) =>
        fetch(`${address}/v1/${path}`, { method: "POST", headers: { "X-Nomad-Token": token }, body: JSON.stringify(body) });
      const { config, secretConfig } = configFor(simulator);
      const settings = {
        config: { ...config, "agentpool-acl:clusterAddress": address },
        secretConfig: { ...secretConfig, "agentpool-acl:clusterToken": management },
      };
      try {
        await withEngine(engineName, projectFor(settings, adapter), async (engine) => {
          expect(await engine.run("up")).toMatchObject({ ok: true, errors: [] });
          expect(await call(management, "namespace/other", { Name: "other" })).toMatchObject({ status: 200 });
          const answers = [];
          for (const [person, given] of Object.entries(people)) {
            const { token, roles } = await login(address, person);
            expect(roles).toEqual(Object.keys(given));
            const rules = Object.values(given).map((name) => text(`policies/${name}.hcl`));
            for (const namespace of ["default", "other"]) {
              const { status } = await call(token, `jobs?namespace=${namespace}`, { Job: job(namespace) });
              expect(status).toBe(policiesAllow(rules, { ask: "submit-job", namespace }) === true ? 200 : 403);
              answers.push(`${person} in ${namespace}: ${status}`);
            }
          }
          expect(answers).toEqual([
            "engineer in default: 200",
            "engineer in other: 403",
            "operator in default: 200",
            "operator in other: 200",
          ]);
          expect(await engine.run("up")).toMatchObject({ ok: true, errors: [], changes: [] });
          expect(await engine.run("destroy")).toMatchObject({ ok: true, errors: [] });
        });
      } finally {
        await simulator.stop();
      }
    });
  },
);

test("at a real scheduler, the stand-in logs somebody in by OIDC, as docs/access.md says", async () => {
  await withAgent(async ({ address, token: management }) => {
    const call = async (path: string, body: object, token = management) => {
      const response = await fetch(`${address}/v1/${path}`, {
        method: "POST",
        headers: { "X-Nomad-Token": token },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const server = spawn(process.execPath, [join(example, "identity.mjs"), "serve", join(example, "people/engineer.json")], {
      cwd: identity,
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = z.tuple([z.string()]).parse(await once(createInterface(server.stdout), "line"));
      const issuer = line.split(": everybody")[0];
      const [RedirectURI, ClientNonce] = ["http://localhost:4649/oidc/callback", "a-nonce"];
      await call("acl/policy/develop", { Name: "develop", Rules: text("policies/develop.hcl") });
      const Config = {
        ...{ OIDCDiscoveryURL: issuer, OIDCClientID: "cluster", OIDCClientSecret: "a-secret", AllowedRedirectURIs: [RedirectURI] },
        ListClaimMappings: { groups: "groups" },
      };
      await call("acl/auth-method", { Name: "sso", Type: "OIDC", TokenLocality: "local", MaxTokenTTL: "1h", Config });
      await call("acl/binding-rule", {
        AuthMethod: "sso",
        Selector: "engineering in list.groups",
        BindType: "policy",
        BindName: "develop",
      });
      const asked = await call("acl/oidc/auth-url", { AuthMethodName: "sso", RedirectURI, ClientNonce });
      const { AuthURL } = z.object({ AuthURL: z.string() }).parse(JSON.parse(asked.text));
      // As a browser does.
      const { headers } = await fetch(AuthURL, { redirect: "manual" });
      const callback = new URL(headers.get("location") ?? "").searchParams;
      const answer = { AuthMethodName: "sso", RedirectURI, ClientNonce, Code: callback.get("code"), State: callback.get("state") };
      const login = await call("acl/oidc/complete-auth", answer, "");
      expect(JSON.parse(login.text)).toMatchObject({ Name: "OIDC-sso", Type: "client", Policies: ["develop"] });
    } finally {
      server.kill();
    }
  });
});

/** A job that no node runs: the server has none. */
function job(namespace: string): object {
  const Tasks = [{ Name: "hello", Driver: "raw_exec", Config: { command: "true" } }];
  return { ID: "hello", Name: "hello", Namespace: namespace, Type: "batch", Datacenters: ["*"], TaskGroups: [{ Name: "hello", Tasks }] };
}

describe("the README", () => {
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  const who = whoInTests(() => simulator);
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.stop());

  it("shows the output of the command who for the example", async () => {
    await withEngine("rehearsal", projectFor(configFor(simulator), "dynamic"), async (engine) => {
      expect(await engine.run("up")).toMatchObject({ ok: true, errors: [] });
      for (const person of Object.keys(people)) {
        const { out } = await who.onCluster("--method", "company", "--claims-file", join(example, "people", `${person}.json`));
        // A preview shows the lifetime in the program's spelling, and a server in its own spelling.
        const printed = out.replace(simulator.clusterAddress, "preview.json").replace("8h0m0s", "8h").trim();
        expect(printed).toContain("role developers");
        const [, shown = ""] = text("README.md").split(`who --method company --claims-file people/${person}.json --preview preview.json\n`);
        // Rules are tried in the order of their IDs, which the server draws.
        const sorted = (lines: string) => lines.trim().split("\n").sort();
        expect(sorted(shown.split(/^(?:\$|```)/m)[0] ?? "")).toEqual(sorted(printed));
      }
    });
  });
});
