/** What policies allow, asked of a real scheduler, where its executable is on PATH. */
import fc from "fast-check";
import * as z from "zod";
import { checkPolicy, type PolicyQuestion, policiesAllow } from "../../access";
import { rulesSets } from "../support/random-rules";
import { withAgent } from "../support/scheduler";
import { chosenSeed } from "../support/seed";

jest.setTimeout(600_000);

/** A question, and a request that is refused exactly if the answer is no. What it does else does not matter on this server. */
interface Asked {
  readonly question: PolicyQuestion;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const missing = "11111111-1111-1111-1111-111111111111";
const task = { Name: "t", Driver: "exec", Config: { command: "/bin/true" } };
const job = { ID: "cap", Name: "cap", Type: "batch", Datacenters: ["*"], TaskGroups: [{ Name: "g", Count: 0, Tasks: [task] }] };

/** By capability of namespaces. The endpoint of a plan takes a part of submit-job, as that of registration does. */
const inNamespace: { readonly [ask: string]: readonly [method: string, path: string, body?: (namespace: string) => object] } = {
  "list-jobs": ["GET", "/jobs"],
  "read-job": ["GET", "/job/none"],
  "plan-job": ["POST", "/job/cap/plan", (Namespace) => ({ Job: { ...job, Namespace } })],
  "register-job": ["POST", "/jobs", (Namespace) => ({ Job: { ...job, Namespace } })],
  "parse-job": ["POST", "/jobs/parse", () => ({ JobHCL: 'job "x" {}' })],
  "dispatch-job": ["POST", "/job/none/dispatch", () => ({})],
  "scale-job": ["POST", "/job/none/scale", () => ({ Count: 1, Target: { Group: "g" } })],
  "revert-job": ["POST", "/job/none/revert", () => ({ JobID: "none", JobVersion: 0 })],
  "stable-job": ["POST", "/job/none/stable", () => ({ JobID: "none", JobVersion: 0, Stable: true })],
  "evaluate-job": ["POST", "/job/none/evaluate", () => ({ JobID: "none" })],
  "tag-job-version": ["POST", "/job/none/versions/t/tag", () => ({ Version: 0 })],
  "force-periodic-job": ["POST", "/job/none/periodic/force", () => ({})],
  "purge-job": ["DELETE", "/job/none?purge=true"],
  "deregister-job": ["DELETE", "/job/none"],
  "delete-service-registration": ["DELETE", "/service/none/none"],
  "list-scaling-policies": ["GET", "/scaling/policies"],
  "read-scaling-policy": ["GET", `/scaling/policy/${missing}`],
  "read-job-scaling": ["GET", "/job/none/scale"],
  "csi-list-volume": ["GET", "/volumes?type=csi"],
  "csi-read-volume": ["GET", "/volume/csi/none"],
  "csi-write-volume": ["PUT", "/volume/csi/none", (Namespace) => ({ Volumes: [{ ID: "none", Namespace }] })],
  "host-volume-read": ["GET", `/volume/host/${missing}`],
  "host-volume-create": ["PUT", "/volume/host/create", (Namespace) => ({ Volume: { Name: "x", Namespace } })],
  "host-volume-register": ["PUT", "/volume/host/register", (Namespace) => ({ Volume: { Name: "x", Namespace } })],
  "host-volume-delete": ["DELETE", `/volume/host/${missing}/delete`],
};
const alone: { readonly [ask: string]: readonly [method: string, path: string, body?: object] } = {
  "node:read": ["GET", "/nodes"],
  "node:write": ["POST", `/node/${missing}/eligibility`, { Eligibility: "eligible" }],
  "agent:read": ["GET", "/agent/self"],
  "agent:write": ["POST", "/agent/force-leave?node=nobody"],
  "operator:read": ["GET", "/operator/autopilot/configuration"],
  "operator:write": ["PUT", "/operator/autopilot/configuration?cas=1", {}],
  "operator:snapshot-save": ["GET", "/operator/snapshot"],
  "operator:keyring-read": ["GET", "/operator/keyring/keys"],
  "operator:keyring-delete": ["DELETE", `/operator/keyring/key/${missing}`],
  "plugin:list": ["GET", "/plugins"],
  "plugin:list-csi": ["GET", "/plugins?type=csi"],
  "plugin:read": ["GET", "/plugin/csi/none"],
  management: ["GET", "/acl/auth-method/none"],
};
const namespaces = ["default", "prod", "prod-api", "prod-x-api", "dev", "other"];

function asked(): Asked[] {
  const capabilities = namespaces.flatMap((namespace) =>
    Object.entries(inNamespace).map(([ask, [method, path, body]]) => ({
      question: { ask, namespace },
      method,
      path: `${path}${path.includes("?") ? "&" : "?"}namespace=${namespace}`,
      body: body?.(namespace),
    })),
  );
  const variables = namespaces.flatMap((namespace) =>
    ["app/db", "app/x", "other", "a/b/db"].flatMap((path) => {
      const address = `/var/${path}?namespace=${namespace}`;
      const body = { Namespace: namespace, Path: path, Items: { a: "b" } };
      return [
        { question: { ask: "variables:read", namespace, path }, method: "GET", path: address },
        { question: { ask: "variables:write", namespace, path }, method: "PUT", path: address, body },
        { question: { ask: "variables:destroy", namespace, path }, method: "DELETE", path: address },
      ];
    }),
  );
  const pools = ["gpu", "gpu-a", "cpu"].flatMap((name) => [
    { question: { ask: "node_pool:read", name }, method: "GET", path: `/node/pool/${name}` },
    { question: { ask: "node_pool:write", name }, method: "PUT", path: `/node/pool/${name}`, body: { Name: name } },
    { question: { ask: "node_pool:delete", name }, method: "DELETE", path: `/node/pool/${name}` },
  ]);
  return [
    ...capabilities,
    ...variables,
    ...pools,
    ...namespaces.map((namespace) => ({ question: { ask: "namespace:read", namespace }, method: "GET", path: `/namespace/${namespace}` })),
    { question: { ask: "list-jobs", namespace: "*" }, method: "GET", path: "/jobs?namespace=*" },
    ...Object.entries(alone).map(([ask, [method, path, body]]) => ({ question: { ask }, method, path, body })),
  ];
}

const made = z.object({ SecretID: z.string() });

/** Random sets of policies, and texts that are rules no more because a part is missing. */
function samples(): { sets: string[][]; texts: string[] } {
  const seed = chosenSeed("POLICIES_SEED");
  const numRuns = Number(process.env.POLICIES ?? 40);
  console.log(`${numRuns} sets of policies, from the seed ${seed}. POLICIES and POLICIES_SEED set others.`);
  const sets = fc.sample(rulesSets, { seed, numRuns }).filter((set) => set.length > 0);
  const cut = fc
    .tuple(rulesSets, fc.nat(), fc.nat({ max: 6 }))
    .map(([set, at, length]) => [set.join("\n"), at, length] as const)
    .filter(([text]) => text !== "")
    .map(([text, at, length]) => text.slice(0, at % text.length) + text.slice((at % text.length) + length));
  return { sets, texts: fc.sample(cut, { seed, numRuns }) };
}

test("a real scheduler allows what policiesAllow says, and takes the rules that checkPolicy takes", async () => {
  await withAgent(async ({ address, token }) => {
    const call = async (as: string, method: string, path: string, body?: object) => {
      const headers = { "X-Nomad-Token": as };
      return await fetch(`${address}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    };
    const upsert = async (Name: string, Rules: string) =>
      (await call(token, "POST", `/acl/policy/${Name}`, { Name, Rules })).status === 200;
    for (const Name of namespaces) expect((await call(token, "POST", `/namespace/${Name}`, { Name })).status).toBe(200);
    const { sets, texts } = samples();

    const otherwise: string[] = [];
    for (const text of texts) {
      if ((await upsert("text", text)) !== (checkPolicy(text).length === 0)) otherwise.push(text);
    }
    expect(otherwise).toEqual([]);

    let count = 0;
    const wrong: object[] = [];
    for (const set of sets) {
      const names = set.map((_, i) => `p${i}`);
      for (const [i, rules] of set.entries()) expect([rules, await upsert(`p${i}`, rules)]).toEqual([rules, true]);
      const created = await call(token, "POST", "/acl/token", { Type: "client", Policies: names });
      const secret = made.parse(await created.json()).SecretID;
      for (const { question, method, path, body } of asked()) {
        const response = await call(secret, method, path, body);
        await response.body?.cancel();
        count++;
        const isAllowed = response.status !== 403;
        if (policiesAllow(set, question) !== isAllowed) wrong.push({ question, isAllowed, set });
      }
    }
    console.log(`${count} decisions compared.`);
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
