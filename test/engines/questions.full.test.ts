// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/**
 * More than thirty questions about a realistic cluster. A real scheduler answers them by logins and requests, and `who` must give the same
 * answers. The scheduler also answers a question before and after each of some changes, and `diff` must report these changes.
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type PolicyQuestion, policiesAllow } from "../../access";
import { runCommand } from "../support/commands";
import { requestFor } from "../support/right-requests";
import { withAgent } from "../support/scheduler";

jest.setTimeout(600_000);

const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-questions-"));
afterAll(() => rmSync(folder, { recursive: true }));
function file(name: string, content: string | object): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return join(folder, name);
}

const policies: Readonly<Record<string, string>> = {
  web: `namespace "staging" {
  policy = "write"
  variables {
    path "web/*" { capabilities = ["read", "write"] }
    path "web/secret" { capabilities = ["deny"] }
  }
}
namespace "prod" { capabilities = ["read-job", "list-jobs"] }`,
  leads: `namespace "prod" {
  capabilities = ["submit-job", "alloc-exec"]
  variables { path "web/secret" { capabilities = ["read"] } }
}`,
  all: 'namespace "*" { policy = "write" }\nnode_pool "*" { policy = "write" }',
  guard: 'namespace "prod*" { policy = "read" }',
  contractor: 'namespace "prod*" { policy = "deny" }\nnamespace "staging" { policy = "scale" }',
  ops: `node { policy = "write" }
agent { policy = "read" }
quota { policy = "read" }
plugin { policy = "list" }
operator {
  policy = "read"
  capabilities = ["snapshot-save"]
}`,
  // Both patterns are equally close to prod-api. Of such patterns, the last one in the order of bytes decides.
  viewer: `namespace "*" { policy = "read" }
namespace "prod-*" { capabilities = ["read-job"] }
namespace "*d-api" { capabilities = ["submit-job"] }
node_pool "gpu" { policy = "read" }
node_pool "gpu-*" { policy = "write" }`,
  anonymous: 'namespace "default" { capabilities = ["list-jobs"] }',
};
const roles: Readonly<Record<string, readonly string[]>> = {
  "team-web": ["web"],
  leads: ["leads"],
  platform: ["all", "guard"],
  viewers: ["viewer"],
};
const rules = [
  { Selector: "value.team is not empty", BindType: "role", BindName: "team-${value.team}" },
  { Selector: "leads in list.groups", BindType: "role", BindName: "leads" },
  { Selector: "platform in list.groups", BindType: "role", BindName: "platform" },
  { Selector: "viewers in list.groups", BindType: "role", BindName: "viewers" },
  { Selector: "contractors in list.groups", BindType: "policy", BindName: "contractor" },
  { Selector: "ops in list.groups", BindType: "policy", BindName: "ops" },
  { Selector: "admins in list.groups", BindType: "management" },
];

const people: Readonly<Record<string, object>> = {
  web: { team: "Web", groups: ["engineering"] },
  lead: { team: "web", groups: ["engineering", "leads"] },
  platform: { groups: ["platform"] },
  contractor: { groups: ["platform", "contractors"] },
  ops: { groups: ["ops"] },
  viewer: { groups: ["viewers"] },
  admin: { groups: ["ops", "admins"] },
  stranger: { team: "unknown", groups: ["friends"] },
};

const at = (namespace: string, ...asks: string[]): PolicyQuestion[] => asks.map((ask) => ({ ask, namespace }));
const variable = (ask: string, namespace: string, path: string): PolicyQuestion => ({ ask: `variables:${ask}`, namespace, path });
const [yes, no] = [true, false];

/** The questions: the person, the right, and the expected answer. */
const questions: readonly (readonly [person: string, question: PolicyQuestion | undefined, answer: boolean])[] = [
  // A role's name that is computed from claims is in lower case.
  ["web", at("staging", "register-job")[0], yes],
  ["web", at("prod", "register-job")[0], no],
  ["web", at("staging", "dispatch-job")[0], yes],
  ["web", at("prod", "read-job")[0], yes],
  ["web", at("prod-api", "read-job")[0], no],
  ["web", variable("read", "staging", "web/db"), yes],
  ["web", variable("read", "staging", "web/secret"), no],
  ["web", variable("destroy", "staging", "web/db"), no],
  // Two roles each have a block for the same namespace: their rights add up.
  ["lead", at("prod", "register-job")[0], yes],
  ["lead", at("prod", "list-jobs")[0], yes],
  ["lead", variable("read", "prod", "web/secret"), yes],
  ["lead", variable("write", "prod", "web/secret"), no],
  // The more exact pattern of one policy takes away what the other one gives.
  ["platform", at("sandbox", "register-job")[0], yes],
  ["platform", at("prod", "register-job")[0], no],
  ["platform", at("prod-api", "read-job")[0], yes],
  ["platform", { ask: "node_pool:write", name: "gpu" }, yes],
  ["platform", at("sandbox", "csi-write-volume")[0], no],
  // A deny takes away all rights in its pattern. A block with the namespace's own name decides before all patterns.
  ["contractor", at("prod", "read-job")[0], no],
  ["contractor", at("staging", "scale-job")[0], yes],
  ["contractor", at("staging", "register-job")[0], no],
  ["ops", { ask: "node:write" }, yes],
  ["ops", { ask: "agent:write" }, no],
  ["ops", { ask: "operator:snapshot-save" }, yes],
  ["ops", { ask: "operator:write" }, no],
  ["ops", { ask: "plugin:list-csi" }, yes],
  ["viewer", at("prod-api", "read-job")[0], yes],
  ["viewer", at("prod-api", "register-job")[0], no],
  ["viewer", { ask: "node_pool:write", name: "gpu" }, no],
  ["admin", { ask: "management" }, yes],
  ["stranger", at("default", "list-jobs")[0], no],
  ["nobody", at("default", "list-jobs")[0], yes],
  ["nobody", at("default", "read-job")[0], no],
];

/** Changes on the cluster: the request that makes each change, a question whose answer the change turns around, and the words of `diff`. */
const changes = [
  {
    what: "the rules of a policy allow more",
    write: ["/acl/policy/web", { Name: "web", Rules: `${policies.web}\nnamespace "sandbox" { policy = "write" }` }],
    asked: ["web", at("sandbox", "register-job")[0], yes],
    said: /^- tokens with the role `team-web` may also submit jobs, .* in the namespace `sandbox` \(policy `web`\) \[widened\]$/m,
  },
  {
    what: "the rules of a policy allow less",
    write: ["/acl/policy/viewer", { Name: "viewer", Rules: `${policies.viewer}\nnamespace "staging" { policy = "deny" }` }],
    asked: ["viewer", at("staging", "read-job")[0], no],
    said: /^- tokens with the role `viewers` may no longer read jobs, .* in the namespace `staging` \(policy `viewer`\) \[narrowed\]$/m,
  },
  {
    what: "a policy allows everything",
    write: ["/acl/policy/leads", { Name: "leads", Rules: `${policies.leads}\noperator { policy = "write" }` }],
    asked: ["lead", { ask: "operator:write" }, yes],
    said: /^- tokens with the role `leads` may now do everything, because .* \[management, widened\]$/m,
  },
  {
    what: "a rule gives a role to more",
    write: ["/acl/binding-rule", { AuthMethod: "ci", Selector: "friends in list.groups", BindType: "role", BindName: "viewers" }],
    asked: ["stranger", at("sandbox", "read-job")[0], yes],
    said: /^- logins of `ci` with `friends in list.groups` gain the role `viewers` \(`viewer`\), which may .*read jobs.* \[widened\]$/m,
  },
  {
    what: "everybody may do more",
    write: ["/acl/policy/anonymous", { Name: "anonymous", Rules: 'namespace "default" { policy = "read" }' }],
    asked: ["nobody", at("default", "read-job")[0], yes],
    said: /^- everybody, without a token, may also read jobs, .* in the namespace `default` \(policy `anonymous`\) \[widened\]$/m,
  },
] as const;

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
function tokenOf(claims: object): string {
  const now = Math.floor(Date.now() / 1_000);
  const times = { aud: "nomad", iat: now, exp: now + 600 };
  const [header, payload] = [
    { alg: "ES256", typ: "JWT" },
    { ...times, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(`${header}.${payload}`), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${header}.${payload}.${signature.toString("base64url")}`;
}

const loggedIn = z.object({ SecretID: z.string() });
const explained = z.object({
  ok: z.boolean(),
  token: z.object({ type: z.string(), policies: z.array(z.string()) }).optional(),
  rolePolicies: z.record(z.string(), z.array(z.string())),
  rules: z.array(z.object({ id: z.string(), matches: z.boolean() })),
});
const ways = z.object({
  ways: z.array(z.object({ id: z.string() })),
  others: z.array(z.object({ policy: z.string() })),
});

test("who and diff answer more than thirty questions as a real scheduler does", async () => {
  await withAgent(async ({ address, token }) => {
    const call = async (as: string | undefined, method: string, path: string, body?: object) => {
      const headers: Record<string, string> = as === undefined ? {} : { "X-Nomad-Token": as };
      const response = await fetch(`${address}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: response.status, text: await response.text() };
    };
    const write = async (path: string, body: object) => expect(await call(token, "POST", path, body)).toMatchObject({ status: 200 });
    for (const Name of ["prod", "prod-api", "staging", "sandbox"]) await write(`/namespace/${Name}`, { Name });
    for (const [Name, Rules] of Object.entries(policies)) await write(`/acl/policy/${Name}`, { Name, Rules });
    for (const [Name, held] of Object.entries(roles)) await write("/acl/role", { Name, Policies: held.map((one) => ({ Name: one })) });
    const Config = {
      JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" })],
      SigningAlgs: ["ES256"],
      BoundAudiences: ["nomad"],
      ClaimMappings: { team: "team" },
      ListClaimMappings: { groups: "groups" },
    };
    await write("/acl/auth-method", { Name: "ci", Type: "JWT", TokenLocality: "local", MaxTokenTTL: "1h", Config });
    for (const rule of rules) await write("/acl/binding-rule", { AuthMethod: "ci", ...rule });

    const configured = ["--config-file", file("config.json", { clusterAddress: address, clusterToken: token })];
    const texts = { ...policies };
    const command = async (...args: string[]) => (await runCommand(...args)).out;

    /** The server's own answer, by a login and a request. */
    const ofServer = async (person: string, question: PolicyQuestion): Promise<boolean> => {
      const claims = people[person];
      const login = claims && (await call(undefined, "POST", "/acl/login", { AuthMethodName: "ci", LoginToken: tokenOf(claims) }));
      // A login to which no rule gives anything gets no token.
      if (login?.status === 400) return false;
      if (login) expect(login).toMatchObject({ status: 200 });
      const { method, path, body } = requestFor(question);
      const secret = login && loggedIn.parse(JSON.parse(login.text)).SecretID;
      return (await call(secret, method, path, body)).status !== 403;
    };
    const explain = async (person: string) => {
      const claims = file("claims.json", people[person] ?? {});
      return explained.parse(JSON.parse(await command("who", "--method", "ci", "--claims-file", claims, "--json", ...configured)));
    };
    /** The answer by the policies that, according to `who`, the login gets. */
    const ofWho = async (person: string, question: PolicyQuestion) => {
      if (!people[person]) return policiesAllow([texts.anonymous ?? ""], question);
      const { ok, token: given, rolePolicies } = await explain(person);
      if (!ok || given?.type === "management") return ok;
      return policiesAllow(
        [...(given?.policies ?? []), ...Object.values(rolePolicies).flat()].flatMap((name) => texts[name] ?? []),
        question,
      );
    };
    /** The answer by `who --can`: whether one of the listed rules matches the login. */
    const ofCan = async (person: string, { ask, ...place }: PolicyQuestion) => {
      const options = Object.entries(place).flatMap(([name, value]) => [`--${name}`, String(value)]);
      const found = ways.parse(JSON.parse(await command("who", "--can", ask, ...options, "--json", ...configured)));
      if (!people[person]) return found.others.some(({ policy }) => policy === "anonymous");
      const login = await explain(person);
      return login.ok && login.rules.some(({ id, matches }) => matches && found.ways.some((way) => way.id === id));
    };

    const wrong: object[] = [];
    for (const [person, question = { ask: "" }, answer] of questions) {
      const said = {
        server: await ofServer(person, question),
        who: await ofWho(person, question),
        // `who --can` looks at each rule alone, so it does not see a right that the policies of another rule take away.
        can: person === "contractor" ? answer : await ofCan(person, question),
      };
      console.log(`${person}: ${JSON.stringify(question)} ${JSON.stringify(said)}`);
      if (Object.values(said).some((one) => one !== answer)) wrong.push({ person, question, answer, ...said });
    }
    expect(wrong).toEqual([]);

    for (const { what, write: request, asked, said } of changes) {
      const [path, body] = request;
      const [person, question = { ask: "" }, answer] = asked;
      expect([what, await ofServer(person, question)]).toEqual([what, !answer]);
      const before = file("before.json", await command("export", "--full", ...configured));
      await write(path, body);
      const after = file("after.json", await command("export", "--full", ...configured));
      expect([what, await ofServer(person, question)]).toEqual([what, answer]);
      expect(await command("diff", "--before", before, "--after", after)).toMatch(said);
    }
  });
});
