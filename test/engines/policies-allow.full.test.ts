/** `policiesAllow` and `checkPolicy`, compared with a real scheduler, if its executable is on PATH. */
import fc from "fast-check";
import * as z from "zod";
import { checkPolicy, type PolicyQuestion, policiesAllow } from "../../access";
import { rulesSets } from "../support/random-rules";
import { asksAlone, asksInNamespace, requestFor } from "../support/right-requests";
import { withAgent } from "../support/scheduler";
import { chosenSeed } from "../support/seed";

jest.setTimeout(600_000);

const namespaces = ["default", "prod", "prod-api", "prod-x-api", "dev", "other"];

function asked(): PolicyQuestion[] {
  const paths = ["app/db", "app/x", "other", "a/b/db"];
  return [
    ...namespaces.flatMap((namespace) => asksInNamespace.map((ask) => ({ ask, namespace }))),
    ...namespaces.flatMap((namespace) =>
      paths.flatMap((path) => ["read", "write", "destroy"].map((action) => ({ ask: `variables:${action}`, namespace, path }))),
    ),
    ...["gpu", "gpu-a", "cpu"].flatMap((name) => ["read", "write", "delete"].map((action) => ({ ask: `node_pool:${action}`, name }))),
    ...namespaces.map((namespace) => ({ ask: "namespace:read", namespace })),
    { ask: "list-jobs", namespace: "*" },
    ...asksAlone.map((ask) => ({ ask })),
  ];
}

const made = z.object({ SecretID: z.string() });

/** Random sets of policies, and texts of policies that lack a part, so most of them are invalid. */
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
      const [isTaken, problems] = [await upsert("text", text), checkPolicy(text)];
      // Servers accept some mistakes of syntax, and ignore the text at that place.
      const isForgiven = isTaken && problems.some(({ kind }) => kind === "malformed");
      if (isTaken !== (problems.length === 0) && !isForgiven) otherwise.push(text);
    }
    expect(otherwise).toEqual([]);

    let count = 0;
    const wrong: object[] = [];
    for (const set of sets) {
      const names = set.map((_, i) => `p${i}`);
      for (const [i, rules] of set.entries()) expect([rules, await upsert(`p${i}`, rules)]).toEqual([rules, true]);
      const created = await call(token, "POST", "/acl/token", { Type: "client", Policies: names });
      const secret = made.parse(await created.json()).SecretID;
      for (const question of asked()) {
        const { method, path, body } = requestFor(question);
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
