/** The lines of `diff` for many changes and for any texts: the most dangerous ones come first, and no name forges a line. */
import { rule as binding, diff, file, method, role, useFolder } from "../test/support/diff";

useFolder();

const policy = (rules: string, more: object = {}) => ({ name: "deploy", rules, ...more });
const sideOf = (name: string, objects: Record<string, object[]>) => file(name, { format: 1, objects });
const reportOf = async (before: Record<string, object[]>, after: Record<string, object[]>, ...args: string[]) =>
  (await diff("--before", sideOf("before.json", before), "--after", sideOf("after.json", after), ...args)).out;
const gained = (rules: string) =>
  reportOf({ AclPolicy: [policy("")], AclRole: [role] }, { AclPolicy: [policy(rules)], AclRole: [role] }).then((out) => out.split("\n")[0]);
const namespaces = (names: readonly string[], body: string) => names.map((name) => `namespace "${name}" { ${body} }`).join("\n");

describe("of many changes, the most dangerous ones are shown", () => {
  test("patterns of namespaces come before names, the widest ones first", async () => {
    const names = [..."abcdefghijkl", "team-*", "*"];
    expect(await gained(namespaces(names, 'capabilities = ["submit-job"]'))).toMatch(
      /submit jobs in the namespaces `\*`, `team-\*`, `a`, .*, `h` and 4 more \(policy/,
    );
  });

  test("no dangerous permission is left out, nor one for all objects of a kind", async () => {
    const levels = ["agent", "node", "quota"].map((kind) => `${kind} { policy = "write" }`).join("\n");
    const operator = 'operator { capabilities = ["keyring-rotate", "keyring-delete", "keyring-read", "license-read"] }';
    const line = await gained(
      `${namespaces(["dev"], 'policy = "read"')}\n${levels}\n${operator}\n${namespaces(["*"], 'policy = "write"')}`,
    );
    expect(line).toMatch(/use agent:write; use node:write; use quota:write; .*keyring-delete; submit jobs, run commands in tasks, .* `\*`/);
    const paths = ["a0", "a1", "a2", "a3", "a4", "a*", "*"].map((path) => `path "${path}" { capabilities = ["read"] }`);
    expect(await gained(namespaces(["prod"], `variables { ${paths.join(" ")} }`))).toMatch(
      /may also read the variables `\*` in .*; read the variables `a\*` in .*; read the variables `a0` .* and 3 more \(policy/,
    );
    const written = [..."abcdef"].map((path) => `path "${path}" { capabilities = ["write"] }`);
    expect(await gained(namespaces(["prod"], `variables { ${written.join(" ")} }`))).toContain("write the variables `f` in");
  });

  test("for several roles, one per login, the permissions of any of them are shown", async () => {
    const teams = { ...binding, bindName: "team-$" + "{value.team}" };
    const objects = {
      AclAuthMethod: [{ ...method, config: { ...method.config, claimMappings: { team: "team" } } }],
      AclPolicy: [policy('namespace "*" { capabilities = ["submit-job"] }'), { name: "none", rules: "" }],
      AclRole: [
        { name: "team-a", policies: ["none"] },
        { name: "team-b", policies: ["deploy"] },
      ],
    };
    expect(await reportOf(objects, { ...objects, AclBindingRule: [teams] })).toMatch(
      /, some of which may submit jobs in the namespace `\*`/,
    );
  });

  test("changes are in the order of their kinds, so Markdown leaves out the least dangerous ones", async () => {
    const roles = (policies: string[]) => Array.from({ length: 101 }, (_, index) => ({ name: `r${index}`, policies }));
    const token = (type: string) => [{ id: "1", name: "root", type, policies: type === "client" ? ["a"] : [] }];
    const out = await reportOf(
      { AclRole: roles(["a"]), AclToken: token("client") },
      { AclRole: roles(["b"]), AclToken: token("management") },
      "--markdown",
    );
    const kinds = [...out.matchAll(/^- \*\*(.*?)\*\*/gm)].map(([, kind]) => kind);
    expect(kinds).toEqual(["management, widened", ...Array.from({ length: 99 }, () => "widened")]);
    expect(out).toContain("And 103 more changes.");
  });
});

describe("texts of others", () => {
  const forged = 'web\n- nothing changes []\n\n</details><img src="x">[click](https://evil.example)`code';
  const code = (text: string) => text.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");

  test.each([[], ["--markdown"]])("the job of a policy is one line of code %s", async (...args) => {
    const job = { name: "tasks", jobAcl: { namespace: "dev", jobId: forged } };
    const submitting = policy('namespace "dev" { capabilities = ["submit-job"] }');
    const out = await reportOf(
      { AclPolicy: [policy(""), { ...job, rules: "" }], AclRole: [role] },
      { AclPolicy: [submitting, { ...job, rules: 'operator { policy = "write" }' }], AclRole: [role] },
      ...args,
    );
    expect(out.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      expect.stringMatching(/because `+it may submit the job web\\u\{a\}- nothing/),
      expect.stringMatching(/tasks of `+the job web\\u\{a\}- nothing/),
    ]);
    expect(code(out)).not.toMatch(/<img|evil|nothing changes/);
  });

  test("a quote in a description does not end its code", async () => {
    const named = { ...binding, description: "Engineers` gain nothing [] `x" };
    const sides = { AclAuthMethod: [method], AclBindingRule: [named] };
    expect(await reportOf({ ...sides, AclRole: [role] }, sides)).toContain(
      "while the rule `Engineers\\u{60} gain nothing [] \\u{60}x` still binds it",
    );
  });

  test("the name of a skipped resource is code in Markdown", async () => {
    const urn = `urn:pulumi:dev::app::agentpool-acl:index:AclRole::<img src="x"> **fine**\u2028[ok](https://evil.example)`;
    const state = { urn, type: "agentpool-acl:index:AclRole", custom: true, inputs: role };
    const preview = file("preview.json", { steps: [{ op: "same", urn, oldState: state, newState: state }], changeSummary: {} });
    const out = (await diff("--preview", preview, "--markdown")).out;
    expect(out).toContain("is not part of this update");
    expect(code(out)).not.toMatch(/<img|\*\*fine|evil|\u2028/);
    expect((await diff("--preview", preview)).out).not.toContain("\u2028");
  });
});

test("the secret name of a policy is not shown as its ID", async () => {
  const step = (op: string, rules: string) => {
    const state = { urn: "urn:pulumi:dev::p::agentpool-acl:index:AclPolicy::p", type: "agentpool-acl:index:AclPolicy", id: "theirs" };
    return {
      op,
      urn: state.urn,
      oldState: { ...state, inputs: { name: "[secret]", rules: "" } },
      newState: { ...state, inputs: { name: "[secret]", rules } },
    };
  };
  const { out } = await diff("--preview", file("p.json", { steps: [step("update", 'node { policy = "read" }')] }), "--json");
  expect(JSON.parse(out).accounts).toEqual([expect.objectContaining({ name: "[secret]", change: "changed" })]);
  expect(out).not.toContain("theirs");
});
