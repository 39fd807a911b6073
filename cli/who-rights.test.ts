/** Rights in `who`: the permissions of a login's token, and the ways to a right. */
import { rightsOf } from "../access/policy/rights";
import { pluginToken } from "../provider/configuration/tokens";
import { whoInTests } from "../test/support/who";
import { Simulator } from "../testing/simulator";
import { rightsLines } from "./access/rights-words";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.start();
  const { cluster } = simulator;
  const policy = (Name: string, Rules: string, JobACL?: object) => cluster.policies.put({ Name, Rules, ...(JobACL && { JobACL }) });
  policy(
    "web",
    `namespace "prod" {
       policy = "write"
       variables { path "app/*" { capabilities = ["write", "read"] } }
     }
     namespace "*" { policy = "read" }
     namespace "legacy" { policy = "deny" }
     node_pool "gpu" { policy = "read" }`,
  );
  policy("release", 'namespace "prod" { capabilities = ["register-job"] }');
  policy("narrow", 'namespace "prod" { policy = "deny" }');
  const paths = ["a", "b", "c", "d", "*"].map((path) => `path "${path}" { capabilities = ["write"] }`);
  policy(
    "wide",
    `operator { capabilities = ["keyring-rotate", "keyring-delete", "keyring-read", "license-read"] }
     node { policy = "write" }
     namespace "prod" { variables { ${paths.join(" ")} } }`,
  );
  policy("backup", 'operator { capabilities = ["snapshot-save"] }');
  policy("anonymous", 'namespace "default" { capabilities = ["list-jobs"] }');
  policy("db", 'namespace "prod" { variables { path "db/*" { capabilities = ["read"] } } }', { Namespace: "prod", JobID: "api" });
  const role = (name: string, ...policies: string[]) => cluster.roles.put({ Name: name, Policies: policies.map((Name) => ({ Name })) });
  role("web", "web");
  role("release", "release");
  role("limited", "web", "narrow");
  role("ops", "backup");
  role("wide", "wide");
  role("ghost", "gone");
  cluster.methods.put({ Name: "sso", Type: "OIDC", Default: true, Config: { ListClaimMappings: { groups: "groups" } } });
  const rule = (group: string, values: object) =>
    cluster.rules.put({ AuthMethod: "sso", Selector: `${group} in list.groups`, Description: `for ${group}`, ...values });
  for (const name of ["web", "release", "limited", "ops", "wide", "ghost"]) rule(name, { BindType: "role", BindName: name });
  rule("admins", { BindType: "management" });
});
afterAll(() => simulator.stop());
const { file, command, onCluster } = whoInTests(() => simulator);

const rowsOf = (out: string) => out.split("\n").map((line) => line.trim().split(/ {2,}/));
const login = (...groups: string[]) => onCluster("--claims-file", file({ groups }));

test("a line never leaves out rights of the cluster and dangerous ones, and patterns come first", async () => {
  const { out } = await login("wide");
  expect(out).toMatch(/^ +cluster +operator: keyring-.*, operator: license-read, node: write$/m);
  expect(out).toMatch(/^ +namespace prod +write variables \*, (write variables [a-d](, |$)){4}$/m);
});

test("a line never leaves out that a word is unknown", async () => {
  const rules = 'namespace "prod" { policy = "read" capabilities = ["run-anything"] }';
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: {} };
  const rule = { authMethod: "sso", selector: "", bindType: "policy", bindName: "p" };
  const objects = { AclAuthMethod: [method], AclBindingRule: [rule], AclPolicy: [{ name: "p", rules }] };
  const { out } = await command("--method", "sso", "--claims-file", file({}), "--export", file({ format: 1, objects }, "export.json"));
  expect(out).toMatch(/^ +namespace prod +not decided: a word that this version does not know, read jobs, .* and \d more$/m);
});

test("a permission that only an unnamed one implies is named", async () => {
  const rules = 'namespace "prod" { capabilities = ["read-job", "csi-read-volume"] }';
  expect(rightsLines(rightsOf([rules]))).toMatchObject([{ where: "namespace prod", rights: ["read jobs", "csi-read-volume"] }]);
  const inCircle = 'namespace "prod" { capabilities = ["read-job", "csi-list-volume", "csi-read-volume"] }';
  expect(rightsLines(rightsOf([inCircle])).flatMap(({ rights }) => rights)).toContain("csi-list-volume");
});

test("the permissions of the token are listed by place, dangerous ones first, with shorthands expanded", async () => {
  const { status, out } = await login("web");
  expect(status).toBe(0);
  const may = out.slice(out.indexOf("The token may:"), out.indexOf("Does not match:"));
  expect(rowsOf(may)).toEqual([
    ["The token may:"],
    ["namespace prod", expect.stringMatching(/^submit jobs, run commands in tasks, write\/read variables app\/\*, .*, and \d+ more$/)],
    ["namespace *", expect.stringMatching(/^read jobs, list jobs/)],
    ["namespace legacy", "nothing (denied)"],
    ["node pool gpu", "read"],
    ["For a namespace, the most exact name or pattern decides alone."],
    [""],
    ["It may submit the job api of the namespace prod, whose tasks have the policy db (jobAcl):"],
    ["namespace prod", "read variables db/*"],
    [""],
    ["Everybody may, without a token, by the policy anonymous:"],
    ["namespace default", "list jobs"],
    [""],
    [""],
  ]);
  const all = await onCluster("--all", "--claims-file", file({ groups: ["web"] }));
  expect(all.out).not.toMatch(/and \d+ more/);
  // They need the right to read plugins, which the policy does not give.
  expect(all.out).not.toMatch(/(write|mount) CSI volumes/);
});

test("rights that equal management come first, and jobs that the token may not submit are left out", async () => {
  const { out } = await login("ops");
  expect(rowsOf(out)).toContainEqual(["cluster", "everything, because operator:snapshot-save equals management, operator: snapshot-save"]);
  expect(out).not.toContain("jobAcl");
});

test("several rules give the rights of all their policies, and a deny of one removes rights of the others", async () => {
  const { out } = await login("web", "limited");
  expect(rowsOf(out)).toContainEqual(["namespace prod", "write/read variables app/*, nothing else (denied)"]);
});

test("missing policies allow nothing, and a management token has no list of rights", async () => {
  expect((await login("ghost")).out).toContain("The token may do nothing: its policies have no rules.");
  expect((await login("admins")).out).not.toContain("The token may");
  const { out } = await onCluster("--json", "--claims-file", file({ groups: ["admins"] }));
  expect(JSON.parse(out).rights).toMatchObject({ management: true });
});

test("for scripts, JSON has the rights as rightsOf lists them", async () => {
  const { out } = await onCluster("--json", "--claims-file", file({ groups: ["ops", "release"] }));
  expect(JSON.parse(out).rights).toMatchObject({
    management: false,
    likeManagement: ["operator:snapshot-save"],
    rights: { namespaces: [{ name: "prod", capabilities: ["register-job"] }], operator: ["snapshot-save"] },
    unknown: [],
    byJobs: [{ policies: ["db"], job: { namespace: "prod", jobId: "api" }, maySubmit: true }],
    anonymous: { namespaces: [{ name: "default", capabilities: ["list-jobs"] }] },
  });
});

test("who --can submit-job finds rules, roles and policies, including register-job, but no role whose policies deny it", async () => {
  const { status, out } = await onCluster("--can", "submit-job", "--namespace", "prod");
  expect([
    status,
    rowsOf(out.replace(/\n\nNot looked at: AclToken .*/, ""))
      .slice(1)
      .sort(),
  ]).toEqual([
    0,
    [
      ["METHOD", "SELECTOR", "GIVES", "POLICIES", "RULE"],
      ["sso", "admins in list.groups", "management", "everything", "for admins"],
      ["sso", "release in list.groups", "role release", "release", "for release", "by register-job"],
      ["sso", "web in list.groups", "role web", "web", "for web"],
    ].sort(),
  ]);
  const elsewhere = await onCluster("--can", "submit-job");
  expect(elsewhere.out).toContain("logins get submit-job in the namespace default by");
  expect(elsewhere.out).not.toContain("role");
  const any = await onCluster("--can", "submit-job", "--namespace", "*", "--json");
  expect(JSON.parse(any.out)).toMatchObject({
    target: { kind: "right", questions: [{ ask: "submit-job", namespace: "*" }, { ask: "register-job" }] },
    ways: expect.arrayContaining([expect.objectContaining({ gives: "role web", right: expect.objectContaining({ allows: true }) })]),
    unknown: [],
  });
});

test("who --can variables:read finds tasks of a job, logins that may submit it, and the policy anonymous", async () => {
  const variable = await onCluster("--can", "variables:read", "--namespace", "prod", "--path", "db/main");
  expect(variable.out).toContain(
    "Tasks of the job api of the namespace prod, by the policy db (jobAcl), and so anyone who may submit it: who --can submit-job --namespace prod.",
  );
  expect(variable.out).not.toContain("role web");
  expect((await onCluster("--can", "list-jobs")).out).toContain("Everybody, without a token, by the policy anonymous.");
  const pool = await onCluster("--can", "node_pool:read", "--name", "gpu");
  expect(rowsOf(pool.out)).toContainEqual(["sso", "web in list.groups", "role web", "web", "for web"]);
});

test("a right that no rule gives may come from a job", async () => {
  const policy = { name: "release", rules: 'operator { policy = "write" }', jobAcl: { namespace: "prod", jobId: "web" } };
  const { out } = await command("--can", "management", "--export", file({ format: 1, objects: { AclPolicy: [policy] } }));
  expect(out).toMatch(
    /no rule leads to management directly\. Anyone who may submit one of these jobs may get there, too:\n\nTasks of the job web /,
  );
});

test("tasks of a job also have the policies of its namespace, and one policy may deny rights of another", async () => {
  const power = { name: "release", rules: 'operator { policy = "write" }', jobAcl: { namespace: "prod", jobId: "web" } };
  const guard = { name: "guard", rules: 'operator { policy = "deny" }', jobAcl: { namespace: "prod" } };
  const both = file({ format: 1, objects: { AclPolicy: [power, guard] } });
  expect((await command("--can", "management", "--export", both)).out).toMatch(
    /: no rule leads to management\.\n\nNot looked at: AclAuthMethod, AclBindingRule, AclRole, AclToken \(\S+ has none\)\.$/,
  );
});

test("a right that needs two policies may come from two rules, and the output has a hint that each is examined alone", async () => {
  expect((await onCluster("--can", "csi-write-volume", "--namespace", "prod")).out).toContain("this right needs two");
});

test("who --can management includes rights that equal management", async () => {
  const { out } = await onCluster("--can", "management");
  expect(rowsOf(out)).toContainEqual([
    "sso",
    "ops in list.groups",
    "role ops",
    "for ops",
    "operator:snapshot-save of backup equals management",
  ]);
});

test("policies with unreadable rules are named, without any permissions", async () => {
  simulator.faults.add({ path: "/v1/acl/policy/web", times: 9, fault: { kind: "status", status: 403, body: "Permission denied" } });
  const { status, out, errors } = await login("web");
  simulator.faults.clear();
  expect([status, errors]).toEqual([4, expect.stringMatching(/^incomplete: AclPolicy: 1 of 7 could not be read/)]);
  expect(out).toContain("The permissions of these are unknown: policy web.");
  expect(out).not.toContain("submit jobs");
});

describe("on a preview", () => {
  const step = (kind: string, name: string, inputs: object) => {
    const urn = `urn:pulumi:dev::platform::${pluginToken(kind)}::${name}`;
    return { op: "create", urn, newState: { urn, type: pluginToken(kind), inputs } };
  };
  const rule = (selector: string, bindName: string) =>
    step("AclBindingRule", bindName, { authMethod: "ci", selector, bindType: "role", bindName });
  const preview = () =>
    file(
      {
        steps: [
          step("AclAuthMethod", "ci", { name: "ci", type: "JWT", tokenLocality: "local", config: { listClaimMappings: { g: "groups" } } }),
          step("AclPolicy", "deploy", { name: "deploy", rules: 'namespace "prod" { capabilities = ["submit-job"] }' }),
          step("AclPolicy", "later", { name: "later", rules: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }),
          step("AclPolicy", "odd", { name: "odd", rules: 'namespace "prod" { capabilities = ["teleport-job"] }' }),
          step("AclRole", "deployers", { name: "deployers", policies: ["deploy"] }),
          step("AclRole", "mixed", { name: "mixed", policies: ["deploy", "elsewhere"] }),
          step("AclRole", "later", { name: "later", policies: ["later"] }),
          step("AclRole", "odd", { name: "odd", policies: ["odd"] }),
          rule("a in list.groups", "deployers"),
          rule("b in list.groups", "mixed"),
          rule("c in list.groups", "later"),
          rule("d in list.groups", "made-elsewhere"),
          rule("e in list.groups", "odd"),
        ],
      },
      "preview.json",
    );

  test("unknown policies are named, and may deny rights as well as give them", async () => {
    const { out } = await command("--can", "submit-job", "--namespace", "prod", "--preview", preview());
    const rows = rowsOf(out);
    expect(rows).toContainEqual(["ci", "a in list.groups", "role deployers", "deploy", "deployers"]);
    expect(rows).toContainEqual([
      ...["ci", "b in list.groups", "role mixed", "deploy", "mixed"],
      "unless policy elsewhere takes it away, with unknown rules",
    ]);
    expect(rows).toContainEqual([
      ...["ci", "e in list.groups", "role odd", "odd", "odd"],
      "not decided: a policy has parts that this version does not know",
    ]);
    expect(out).toContain("The permissions of these are unknown, and 2 rules lead to them: policy later, role made-elsewhere.");
  });

  test("a rule with a hidden part may give a role that equals management, unless the role is known to give less", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const asked = async (rules: string, ...of: [selector: string, bindName: string]) => {
      const steps = [
        step("AclPolicy", "adm", { name: "adm", rules }),
        step("AclRole", "adm", { name: "adm", policies: ["adm"] }),
        rule(...of),
      ];
      return (await command("--can", "management", "--preview", file({ steps }, "hidden.json"))).out;
    };
    const [write, read] = ['operator { policy = "write" }', 'operator { policy = "read" }'];
    // A hidden name may be that of a role outside of the preview.
    for (const rules of [write, read]) expect(await asked(rules, "a in list.groups", unknown)).toContain("Perhaps also by these");
    for (const bindName of ["adm", "elsewhere"]) expect(await asked(write, unknown, bindName)).toContain("Perhaps also by these");
    expect(await asked(read, unknown, "elsewhere")).toContain("Perhaps also by these");
    expect(await asked(read, unknown, "adm")).not.toContain("Perhaps also by these");
  });

  test("a login has the rights of the policies after the update", async () => {
    const claims = file({ g: ["a", "b", "d"] }, "claims.json");
    const { out } = await command("--method", "ci", "--claims-file", claims, "--preview", preview());
    expect(rowsOf(out)).toContainEqual(["namespace prod", "submit jobs"]);
    expect(out).toContain("The permissions of these are unknown: role made-elsewhere, policy elsewhere.");
  });
});

test("with two objects of one name, the rules of a policy and the policies of a role are unknown", async () => {
  const named = (name: string, values: object) => ({ name, ...values });
  const rule = (bindName: string) => ({ authMethod: "sso", selector: "", bindType: "role", bindName });
  const twice = file({
    format: 1,
    objects: {
      AclAuthMethod: [{ name: "sso", type: "OIDC", tokenLocality: "local", config: {} }],
      AclPolicy: [named("p", { rules: 'namespace "prod" { policy = "write" }' }), named("p", { rules: "" }), named("q", { rules: "" })],
      AclRole: [named("web", { policies: ["p"] }), named("ops", { policies: ["p", "q"] }), named("ops", { policies: ["q"] })],
      AclBindingRule: [rule("web"), rule("ops")],
    },
  });
  const { out } = await command("--method", "sso", "--claims-file", file({}, "claims.json"), "--export", twice);
  expect(out).toContain("The permissions of these are unknown: role ops, policy p.");
  expect(rowsOf(out)).toContainEqual(['role "ops"', "name: another one has it, too"]);
  expect((await command("--can", "submit-job", "--namespace", "prod", "--export", twice)).out).toContain(
    "The permissions of these are unknown, and 2 rules lead to them: policy p, role ops.",
  );
});

describe("two auth methods of one name", () => {
  const method = (name: string, claim: string) => ({
    name,
    type: "OIDC",
    tokenLocality: "local",
    default: true,
    config: { claimMappings: { [claim]: claim } },
  });
  const source = (methods: object[]) => {
    const rule = { authMethod: "sso", selector: "value.team == ops", bindType: "management", bindName: "" };
    return file({ format: 1, objects: { AclAuthMethod: methods, AclBindingRule: [rule] } });
  };

  test("decide nothing, whichever comes last", async () => {
    const [maps, lacks] = [method("sso", "team"), method("sso", "other")];
    for (const order of [
      [maps, lacks],
      [lacks, maps],
    ]) {
      const twice = source(order);
      const login = await command("--claims-file", file({ team: "ops" }, "claims.json"), "--export", twice);
      expect([login.status, login.errors]).toEqual([1, `${twice} does not say what logins of "sso" get: another one has its name, too.`]);
      const { out } = await command("--can", "management", "--export", twice);
      expect(out).toContain(`${twice} has two methods of this name`);
      expect(out).not.toContain("no login");
    }
  });

  test("leave no default either if two of different names claim to be it", async () => {
    const two = source([method("sso", "team"), method("ci", "team")]);
    const { status, errors } = await command("--claims-file", file({ team: "ops" }, "claims.json"), "--export", two);
    expect([status, errors.split("\n")[0]]).toEqual([2, `give --method NAME: ${two} does not have one default auth method`]);
  });
});

test("each mistake is one error that names it", async () => {
  const wrong: [string[], RegExp][] = [
    [["--can", "submitjob"], /^--can submitjob: did you mean submit-job\? It can be management, .*operator:write, /],
    [["--role", "web", "--namespace", "prod"], /^--namespace goes with --can\n/],
    [["--claims-file", "x", "--path", "p"], /^--path goes with --can\n/],
    [["--can", "variables:read", "--namespace", "prod"], /^--can variables:read: give --path\n/],
    [["--can", "variables:read", "--namespace", "*", "--path", "p"], /^--can variables:read: variables are asked about in one namespace\n/],
    [["--can", "node_pool:read"], /^--can node_pool:read: give --name\n/],
    [["--can", "submit-job", "--namespace", "prod-*"], /^--namespace prod-\*: must be a name, because servers have no names with "\*"\n/],
    [["--role", "team-*"], /^--role team-\*: must be a name, because servers have no names with "\*"\n/],
    [["--can", "operator:write", "--namespace", "prod"], /^--namespace does not go with --can operator:write\n/],
    [["--can", "management", "--namespace", "prod"], /^--namespace does not go with --can management\n/],
  ];
  for (const [args, message] of wrong) {
    expect(await command(...args)).toEqual({ status: 2, out: "", errors: expect.stringMatching(message) });
  }
});

describe("an incomplete answer", () => {
  const exportOf = (objects: object) => file({ format: 1, objects }, "export.json");

  test("a policy with an unknown name may be anonymous, if its rules allow the right", async () => {
    const hidden = (rules: string) => exportOf({ AclPolicy: [{ name: "[secret]", rules, id: "p" }] });
    const by = async (can: string, rules: string) => (await command("--can", can, "--export", hidden(rules))).out;
    for (const can of ["management", "operator:write"]) {
      expect(await by(can, 'operator { policy = "write" }')).toContain('policy "p"  name');
      expect(await by(can, "[secret]")).toContain('policy "p"  name');
      expect(await by(can, 'node { policy = "read" }')).not.toContain('policy "p"');
    }
  });

  test("the hint that a right may need two rules is in JSON, too", async () => {
    const hintOf = async (can: string) => JSON.parse((await command("--can", can, "--json", "--export", exportOf({}))).out).hint;
    expect(await hintOf("csi-write-volume")).toMatch(/this right needs two/);
    expect(await hintOf("submit-job")).toBeUndefined();
  });
});
