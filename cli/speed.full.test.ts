/**
 * The work of `who`, `diff` and `graph` for a large cluster, including the start of their process. Runs the code in `dist`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pluginToken } from "../provider/configuration/tokens";
import { largeExport } from "../test/support/access-example";
import { measuredRun } from "../test/support/executions";

const script = `
process.argv.splice(1, 0, "pulumi-agentpool-acl");
require(${JSON.stringify(join(__dirname, "../dist/cli/main.js"))}).runProcess();
`;
const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-large-"));
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** 1,000 roles, 100 methods, 1,000 rules and 500 policies. @param wider lets every tenth rule match more */
function objects(wider: boolean): Record<string, Record<string, unknown>[]> {
  const method = (i: number) => ({
    name: `sso-${i}`,
    type: "OIDC",
    tokenLocality: "global",
    maxTokenTtl: "8h",
    config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } },
  });
  const rule = (i: number) => ({
    id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    authMethod: `sso-${i % 100}`,
    selector: `"group-${i}" in list.groups${wider && i % 10 === 0 ? ` or value.team == "team-${i}"` : ""}`,
    bindType: "role",
    bindName: `role-${i}`,
  });
  return {
    AclAuthMethod: numbers(100).map(method),
    AclPolicy: numbers(500).map((i) => ({ name: `policy-${i}`, rules: policyRules(i) })),
    AclRole: numbers(1_000).map((i) => ({
      id: `1${rule(i).id.slice(1)}`,
      name: `role-${i}`,
      policies: [`policy-${i % 500}`, `policy-${(i * 7 + 1) % 500}`, "read-only"],
    })),
    AclBindingRule: numbers(1_000).map(rule),
  };
}

/** Every fiftieth policy allows submit-job in prod. */
const policyRules = (i: number) => `
namespace "${i % 50 === 0 ? "prod" : `team-${i}`}" {
  policy = "write"
  variables { path "nomad/jobs/app-${i}/*" { capabilities = ["read", "write"] } }
}
namespace "team-${i}-*" { policy = "read" }
namespace "shared-${i % 20}-*" { capabilities = ["list-jobs", "read-job"] }
node { policy = "read" }
agent { policy = "read" }
`;

function write(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const exported = (wider: boolean) => write(`export-${wider}.json`, { format: 1, objects: objects(wider) });

/** A state as `pulumi stack export` writes it. */
function state(wider: boolean): string {
  const resources = Object.entries(objects(wider)).flatMap(([kind, all]) =>
    all.map(({ id, ...outputs }, i) => {
      const type = pluginToken(kind);
      return { urn: `urn:pulumi:dev::large::${type}::${kind}-${i}`, type, custom: true, id: id ?? outputs.name, outputs, inputs: {} };
    }),
  );
  return write(`state-${wider}.json`, { version: 3, deployment: { resources } });
}

/** 300 roles of three kinds. A permission needs one of each, and no login gets one of each. */
function apart(deny: string): string {
  const policies = {
    volumes: 'namespace "prod" { capabilities = ["csi-write-volume"] }',
    plugins: 'plugin { policy = "read" }',
    deny: `namespace "prod" { policy = "${deny}" }`,
  };
  const roles = Object.keys(policies).flatMap((name) => numbers(100).map((i) => ({ name: `${name}-${i}`, policies: [name] })));
  const selectorOf = (name: string) => `value.team == "${name.startsWith("deny") ? "others" : "many"}"`;
  const { AclAuthMethod } = objects(false);
  const all = {
    AclAuthMethod: (AclAuthMethod ?? []).slice(0, 1),
    AclPolicy: Object.entries(policies).map(([name, rules]) => ({ name, rules })),
    AclRole: roles,
    AclBindingRule: roles.map(({ name }) => ({
      id: name,
      authMethod: "sso-0",
      selector: selectorOf(name),
      bindType: "role",
      bindName: name,
    })),
  };
  return write(`apart-${deny}.json`, { format: 1, objects: all });
}

const claims = () => write("claims.json", { team: "team-0", groups: ["group-7", "group-107", "group-10"] });

type Case = [what: string, args: () => string[], millions: number, part: string];
const cases: Case[] = [
  [
    "who by claims, on an export",
    () => ["who", "--method", "sso-7", "--claims-file", claims(), "--export", exported(false)],
    1.2,
    "namespace team-107",
  ],
  [
    "who by claims, on a state",
    () => ["who", "--method", "sso-7", "--claims-file", claims(), "--state", state(false)],
    1.2,
    "namespace team-107",
  ],
  ["who by a role, on an export", () => ["who", "--role", "role-500", "--export", exported(false)], 1, '"group-500" in list.groups'],
  ["who by management, on a state", () => ["who", "--can", "management", "--state", state(false)], 4, "no rule leads to management"],
  [
    "who may submit jobs, on an export",
    () => ["who", "--can", "submit-job", "--namespace", "prod", "--export", exported(false)],
    4,
    "role role-550  policy-50",
  ],
  [
    "who may read a variable, on a state",
    () => ["who", "--can", "variables:read", "--namespace", "team-7", "--path", "nomad/jobs/app-7/x", "--state", state(false)],
    4,
    "role role-507",
  ],
  ["diff of two exports", () => ["diff", "--before", exported(false), "--after", exported(true)], 8, "(more logins than before)"],
  ["diff of two states", () => ["diff", "--before", state(false), "--after", state(true)], 8, "(more logins than before)"],
  [
    "diff as Markdown",
    () => ["diff", "--markdown", "--before", exported(false), "--after", exported(true)],
    8,
    "### What this change grants: widened",
  ],
  ...(
    [
      ["mermaid", 2],
      ["dot", 2],
      ["svg", 3.5],
      ["html", 1.2],
    ] as const
  ).map(([format, millions]): Case => {
    const args = () => ["graph", "--format", format, "--export", write("graph.json", largeExport())];
    return [`graph as ${format}`, args, millions, "Rule 999"];
  }),
];

function expectFewExecutions(...[what, args, millions, part]: Case): void {
  const { executions, seconds, out, status } = measuredRun(script, args());
  expect(out.includes(part)).toBe(true);
  expect(status).toBe(0);
  console.log(`${what}: ${executions.toLocaleString("en")} executions, ${seconds.toFixed(1)} s`);
  // On a machine where Node alone takes 0.12 s to start, six million took 1.3 s to 2.5 s, depending on its load.
  expect(executions).toBeLessThan(millions * 1_000_000);
}

test.each(cases)("%s of 1,000 roles, 100 methods and 1,000 rules runs at most a fixed number of functions and blocks", expectFewExecutions);

test("diff of 300 roles of three kinds, with no login that gets one of each, runs at most a fixed number of functions and blocks", () => {
  expectFewExecutions("diff of 300 roles", () => ["diff", "--before", apart("deny"), "--after", apart("read")], 7.5, "no longer denies");
});
