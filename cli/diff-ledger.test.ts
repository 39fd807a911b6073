/** The accounts of `diff`, and the proofs or findings that close them: no decisive change is left out. */
import * as z from "zod";
import { policiesAllow } from "../access";
import { unknownMarker } from "../provider/adapters/markers";
import { pluginToken } from "../provider/configuration/tokens";
import { between, diff, file, method, role, rule, useFolder } from "../test/support/diff";
import { findingsOf } from "./access/changes";
import { plainText } from "./access/markup";
import { comparedSides } from "./diff";
import { parseExport } from "./inventory/export";

useFolder();

type Objects = Readonly<Record<string, readonly object[]>>;
const write = (level: string) => `namespace "default" { policy = "${level}" }`;
const admin = 'operator { policy = "write" }';
const few = 'node { policy = "read" }';
const policy = (name: string, rules: string, more: object = {}) => ({ name, rules, ...more });
const exportOf = (name: string, objects: Objects) => file(name, { format: 1, objects });
const same = ["Logins get what they got before."];

async function lines(before: Objects, after: Objects): Promise<string[]> {
  return (await between(exportOf("before.json", before), exportOf("after.json", after))).lines;
}

type Step = readonly [op: string, kind: string, name: string, state: object, before?: object, id?: string];

/** The report on a preview. A step has the new inputs, and the old ones if they differ. */
async function previewed(...steps: readonly Step[]): Promise<string[]> {
  const written = steps.map(([op, kind, name, state, before = state, id = name]) => {
    const [type, urn] = [pluginToken(kind), `urn:pulumi:dev::p::${pluginToken(kind)}::${name}`];
    const newState = op.startsWith("delete") ? undefined : { urn, type, inputs: state, ...(op === "same" && { id }) };
    return { op, urn, ...(!op.startsWith("create") && { oldState: { urn, type, id, inputs: before } }), newState };
  });
  return (await diff("--preview", file("preview.json", { steps: written }))).out.split("\n").slice(0, -1);
}

describe("a renamed role", () => {
  const of = (name: string, policies: string[], rules: string, more: Objects = {}): Objects => ({
    AclRole: [{ id: "r1", name, policies }],
    AclPolicy: [policy("pa", rules), policy("adm", admin)],
    ...more,
  });
  const bound = (bindName: string): Objects => ({ AclAuthMethod: [method], AclBindingRule: [{ ...rule, id: "1", bindName }] });

  test("is one line without a kind if nothing else changes, also with the rule and the token that name it", async () => {
    const renamed = ["- the role `a` is renamed, same rights: it is `b` from now on"];
    expect(await lines(of("a", ["pa"], few), of("b", ["pa"], few))).toEqual(renamed);
    const token = (name: string) => ({ AclToken: [{ id: "t", name: "ci", type: "client", policies: [], roles: [name] }] });
    const followed = (name: string) => of(name, ["pa"], few, { ...bound(name), ...token(name) });
    expect(await lines(followed("a"), followed("b"))).toEqual(renamed);
    expect(await lines(of("a", ["pa"], few, bound("a")), of("b", ["pa"], few, bound("a")))).toEqual([
      "- the role `a` goes, while the rule `Releases` still binds it, and gives nothing [dangling]",
      expect.stringMatching(/^- logins of `sso` .* lose the role `a` .*\[narrowed\]$/),
    ]);
  });

  test("is compared by its ID, so its holders get the rights of its new policies", async () => {
    const gains = /^- tokens with the role `b` may now do everything, .* \[management, widened\]$/;
    expect(await lines(of("a", ["pa"], few), of("b", ["pa"], admin))).toContainEqual(expect.stringMatching(gains));
    expect(await lines(of("a", ["pa"], few), of("b", ["pa", "adm"], few))).toContainEqual(expect.stringMatching(gains));
    // If the ID is unknown, the URN identifies the role.
    const ops = { name: "ops", policies: ["pa"] };
    const policies: Step[] = [
      ["same", "AclPolicy", "pa", policy("pa", few)],
      ["same", "AclPolicy", "adm", policy("adm", admin)],
    ];
    expect(await previewed(...policies, ["update", "AclRole", "r", { name: "b", policies: ["pa", "adm"] }, ops, "r1"])).toContainEqual(
      expect.stringMatching(gains),
    );
  });

  test("gives logins the rights of the role with the bound name, if two roles exchange their names", async () => {
    const two = (first: string, second: string): Objects => ({
      AclRole: [
        { id: "r1", name: first, policies: ["pa"] },
        { id: "r2", name: second, policies: ["adm"] },
      ],
      AclPolicy: [policy("pa", few), policy("adm", admin)],
      ...bound("a"),
    });
    expect(await lines(two("a", "b"), two("b", "a"))).toContainEqual(expect.stringMatching(/gain the role `a` .*\[management, widened\]$/));
    const computed = { ...rule, id: "1", bindName: "team-$" + "{value.team}" };
    const methods = [{ ...method, config: { ...method.config, claimMappings: { team: "team" } } }];
    const byClaims = (name: string) => of(name, ["adm"], few, { AclAuthMethod: methods, AclBindingRule: [computed] });
    expect(await lines(byClaims("a"), byClaims("team-a"))).toContainEqual(
      expect.stringMatching(/gain .*`team-a`.*\[management, widened\]$/),
    );
  });
});

describe("two decisive secrets outside of unchanged steps never count as equal", () => {
  const token = (more: object) => ({ name: "ci", type: "client", policies: [], roles: [], ...more });

  test.each([
    ["policies", "[secret]"],
    ["policies", ["[secret]"]],
    ["roles", ["[secret]"]],
    ["type", "[secret]"],
  ])("as %s of a token: %j", async (part, value) => {
    const one = token({ [part]: value });
    const line = expect.stringMatching(new RegExp(`the token \`ci\` may change, .*\`${part}\`.* \\[undecided, management\\]$`));
    expect(await previewed(["update", "AclToken", "t", one, one])).toEqual([line]);
    expect(await previewed(["create", "AclToken", "t", one])).toEqual([expect.stringMatching(/is new, .*\[undecided, management\]$/)]);
    expect(await previewed(["same", "AclToken", "t", one])).toEqual(same);
    expect(await lines({ AclToken: [{ id: "t", ...one }] }, { AclToken: [{ id: "t", ...one }] })).toEqual([line]);
  });

  test("as rules or job of a policy, as a whole or in part", async () => {
    for (const jobAcl of ["[secret]", { namespace: "[secret]", jobId: "a" }]) {
      const one = policy("j", admin, { jobAcl });
      const line = '- `policy "j"` can\'t be compared: `jobAcl` is secret, or unknown before an update [undecided, management]';
      expect(await previewed(["update", "AclPolicy", "j", one, one])).toContainEqual(line);
      expect(await lines({ AclPolicy: [one] }, { AclPolicy: [one] })).toContainEqual(line);
      expect(await previewed(["same", "AclPolicy", "j", one])).toEqual(same);
    }
    const one = policy("p", "[secret]");
    expect(await previewed(["update", "AclPolicy", "p", one, one])).toEqual([expect.stringMatching(/`p`.*\[undecided, management\]$/)]);
  });

  test("nor do values that are unknown before an update", async () => {
    const one = token({ policies: unknownMarker });
    expect(await previewed(["update", "AclToken", "t", one, one])).toEqual([expect.stringMatching(/\[undecided, management\]$/)]);
  });

  test("also next to an unchanged secret, which may give a right that a change no longer takes away", async () => {
    const shadowed = `namespace "*" { policy = "write" }\n${write("read")}`;
    const hidden = { name: "hidden", policies: "[secret]" };
    const steps: Step[] = [
      ["same", "AclRole", "hidden", hidden],
      ["update", "AclPolicy", "pa", policy("pa", few), policy("pa", `${few}\n${write("read")}`)],
    ];
    expect(await previewed(...steps)).toContainEqual(
      expect.stringMatching(/^- tokens with the role `hidden` may do everything, or more or less: .*\[undecided, management\]$/),
    );
    expect(policiesAllow([shadowed], { ask: "submit-job" })).toBe(false);
  });
});

describe("a policy with an unknown name", () => {
  test.each(["[secret]", unknownMarker])("may be any policy, also the one of everybody: %s", async (name) => {
    const open = /^- `policy "p"` can't be compared: `name` is secret, or unknown before an update \[undecided, management\]$/;
    expect(await previewed(["create", "AclPolicy", "p", policy(name, admin)])).toEqual([expect.stringMatching(open)]);
    expect(await previewed(["update", "AclPolicy", "p", policy(name, admin), policy(name, few)])).toEqual([expect.stringMatching(open)]);
    expect(await previewed(["same", "AclPolicy", "p", policy(name, admin)])).toEqual(same);
    // Rules without a dangerous right give nobody everything.
    expect(await previewed(["create", "AclPolicy", "p", policy(name, few)])).toEqual([expect.stringMatching(/\[undecided\]$/)]);
  });

  test("may be new, and give management to its holders", async () => {
    const secretly = policy("[secret]", few);
    const after = { AclPolicy: [policy("team-a", admin)] };
    const undecided = expect.stringMatching(/can't be compared: `name` is secret.* \[undecided, management\]$/);
    expect(await lines({ AclPolicy: [secretly] }, after)).toContainEqual(undecided);
    // The server's ID of a policy is its name.
    const withId = (one: object) => ({ AclPolicy: [{ id: "team-a", ...one }] });
    expect(await lines(withId(secretly), withId(policy("team-a", admin)))).toContainEqual(undecided);
  });

  test("may be the policy that a token names, if no other policy has that name", async () => {
    const token = { name: "ci", type: "client", policies: ["p1"] };
    const hidden: Step = ["same", "AclPolicy", "p", policy("[secret]", admin)];
    expect(await previewed(hidden, ["create", "AclToken", "t", token])).toContainEqual(expect.stringMatching(/\[undecided, management\]$/));
  });
});

describe("the rights of a login with several roles", () => {
  const sso = { ...method, config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } } };
  const two = (rules: string, other: string, selectors: readonly [string, string] = ["", ""]): Objects => ({
    AclAuthMethod: [sso],
    AclPolicy: [policy("pa", rules), policy("pb", other)],
    AclRole: [
      { name: "a", policies: ["pa"] },
      { name: "b", policies: ["pb"] },
    ],
    AclBindingRule: ["a", "b"].map((bindName, index) => ({ ...rule, id: bindName, bindName, selector: selectors[index] ?? "" })),
  });

  test("include the denies that the other role has against the changed one", async () => {
    const [all, exact, glob] = ['namespace "*" { policy = "write" }', write("write"), 'namespace "def*" { policy = "deny" }'];
    const undecided =
      /^- logins of `sso` that get the role `.` together with `.` may (also|no longer) submit jobs, .* in the namespace `default` \[(.*)\]$/;
    const found = async (before: string, after: string) =>
      (await lines(two(before, glob), two(after, glob))).flatMap((one) => undecided.exec(one)?.[2] ?? []);
    expect(await found(all, `${all}\n${exact}`)).toEqual(["widened"]);
    expect(await found(`${all}\n${exact}`, all)).toEqual(["narrowed"]);
  });

  test("include the rights that only both roles together give", async () => {
    const plugin = 'plugin { policy = "read" }';
    const volumes = 'namespace "default" { capabilities = ["list-jobs", "csi-write-volume"] }';
    const before = two('namespace "default" { capabilities = ["list-jobs"] }', plugin);
    expect(await lines(before, two(volumes, plugin))).toContainEqual(
      "- logins of `sso` that get the role `a` together with `b` may also write CSI volumes in the namespace `default` [widened]",
    );
    // No login is of both teams.
    const teams = ["value.team == x", "value.team == y"] as const;
    const apart = await lines(two('namespace "default" { capabilities = ["list-jobs"] }', plugin, teams), two(volumes, plugin, teams));
    expect(apart.filter((line) => line.includes("CSI"))).toEqual([expect.stringMatching(/^- tokens with the role `a` may also write CSI/)]);
  });

  test("become management if a removed deny no longer prevents a job with management", async () => {
    const job = policy("pj", admin, { jobAcl: { namespace: "default", jobId: "j" } });
    const withJob = (objects: Objects): Objects => ({ ...objects, AclPolicy: [...(objects.AclPolicy ?? []), job] });
    const all = 'namespace "*" { policy = "write" }';
    const found = await lines(withJob(two(`${write("read")}\n${few}`, all)), withJob(two(few, all)));
    expect(found).toContainEqual(expect.stringMatching(/^- logins of `sso` .* may also submit jobs.*\[management, widened\]$/));
  });
});

describe("a policy with holders", () => {
  test("is compared by itself as well, because an unmanaged token may have it alone", async () => {
    const all = (rules: string, roles: string[]): Objects => ({
      AclPolicy: [policy("c", rules), policy("a", admin)],
      AclRole: roles.map((name) => ({ name, policies: ["a"] })),
      AclToken: [{ id: "t", name: "ci", type: "client", policies: ["c"], roles }],
    });
    expect(await lines(all(few, ["dev"]), all(admin, ["dev"]))).toContainEqual(
      expect.stringMatching(/^- tokens with the policy `c` may now do everything, .*\[management, widened\]$/),
    );
    const gone = (rules: string, roles: object[]): Objects => ({ AclPolicy: [policy("c", rules)], AclRole: roles });
    expect(await lines(gone(few, [{ name: "ops", policies: ["c"] }]), gone(admin, []))).toContainEqual(
      expect.stringMatching(/^- tokens with the policy `c` may now do everything, .*\[management, widened\]$/),
    );
    const job = { namespace: "default", jobId: "j" };
    const ofJob = (rules: string): Objects => ({ AclPolicy: [policy("c", rules, { jobAcl: job }), policy("a", admin, { jobAcl: job })] });
    expect(await lines(ofJob(few), ofJob(admin))).toContainEqual(
      expect.stringMatching(/^- tokens with the policy `c` .*\[management, widened\]$/),
    );
  });
});

describe("the expiration and the region of a token", () => {
  const token = (more: object) => ({
    AclPolicy: [policy("pw", write("write"))],
    AclToken: [{ id: "t", name: "ci", type: "client", policies: ["pw"], ...more }],
  });

  test("are reported as more or less than before", async () => {
    for (const [before, after, more, less] of [
      [{ global: false }, { global: true }, "is valid in all regions", "is valid in the region alone that makes it"],
      [
        { expirationTtl: "10m" },
        {},
        "never ends, instead of ending `10m` after it is made",
        "ends `10m` after it is made instead of never",
      ],
      [
        { expirationTtl: "10m" },
        { expirationTtl: "1h" },
        "ends `1h` after it is made instead of `10m` after it is made",
        "ends `10m` after it is made instead of `1h` after it is made",
      ],
    ] as const) {
      expect(await lines(token(before), token(after))).toEqual([`- the token \`ci\` ${more} [widened]`]);
      expect(await lines(token(after), token(before))).toEqual([`- the token \`ci\` ${less} [narrowed]`]);
    }
    expect(await lines(token({ expirationTtl: "60m" }), token({ expirationTtl: "1h0m" }))).toEqual(same);
    const [early, late] = ["2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"].map((expirationTime) => token({ expirationTime }));
    expect(await lines(early ?? {}, late ?? {})).toEqual([expect.stringMatching(/\[widened\]$/)]);
  });

  test("begin again if an expired token is replaced", async () => {
    const one = { name: "ci", type: "client", policies: ["pw"], expirationTtl: "1m" };
    const made = (rules: string): Step[] => [
      ["same", "AclPolicy", "pw", policy("pw", rules)],
      ["delete-replaced", "AclToken", "t", one],
      ["create-replacement", "AclToken", "t", one],
    ];
    const line = "- the token `ci` is replaced, and ends `1m` after it is made";
    expect(await previewed(...made(write("write")))).toEqual([`${line} [widened]`]);
    expect(await previewed(...made(admin))).toEqual([`${line} [management, widened]`]);
  });
});

describe("with an unknown part, the report warns of possible management", () => {
  const sso: Step = ["same", "AclAuthMethod", "sso", method];
  const grant: Step = ["create", "AclBindingRule", "r", rule];

  test("for a new rule of a role with secret policies, or with a policy of secret rules", async () => {
    const gains = expect.stringMatching(/^- logins of `sso` .* gain the role `deployers`.*\[management, widened, undecided\]$/);
    expect(await previewed(sso, ["same", "AclRole", "deployers", { ...role, policies: "[secret]" }], grant)).toEqual([gains]);
    const secretly: Step = ["same", "AclPolicy", "deploy", policy("deploy", "[secret]")];
    expect(await previewed(sso, secretly, ["same", "AclRole", "deployers", role], grant)).toEqual([gains]);
    const known: Step = ["same", "AclPolicy", "deploy", policy("deploy", admin)];
    for (const op of ["create", "update"]) {
      const half: Step = [op, "AclRole", "deployers", { ...role, policies: ["deploy", unknownMarker] }, role];
      expect(await previewed(sso, known, half, grant)).toContainEqual(expect.stringMatching(/\[.*management.*\]$/));
    }
  });

  test.each([
    ["a secret job", admin, "[secret]"],
    ["a job of a secret namespace", admin, { namespace: "[secret]", jobId: "j" }],
    ["a secret job of the namespace", admin, { namespace: "default", jobId: "[secret]" }],
    ["a job whose policy has secret rules", "[secret]", { namespace: "default", jobId: "j" }],
  ])("for new rights to submit %s", async (_, rules, jobAcl) => {
    const steps: Step[] = [
      ["same", "AclPolicy", "pj", policy("pj", rules, { jobAcl })],
      ["update", "AclPolicy", "deploy", policy("deploy", write("write")), policy("deploy", write("read"))],
      ["same", "AclRole", "deployers", role],
    ];
    expect(await previewed(...steps)).toContainEqual(
      expect.stringMatching(
        /^- tokens with the role `deployers` may also submit jobs, .*, and perhaps everything \[management, widened\]$/,
      ),
    );
  });

  test("for new rights to submit jobs in namespaces, if the namespace of a job with management is a secret", async () => {
    const more = `${write("write")}\nnamespace "*" { policy = "write" }`;
    const steps: Step[] = [
      ["same", "AclPolicy", "pj", policy("pj", admin, { jobAcl: { namespace: "[secret]" } })],
      ["update", "AclPolicy", "deploy", policy("deploy", more), policy("deploy", write("write"))],
    ];
    expect(await previewed(...steps)).toEqual([
      expect.stringMatching(
        /^- tokens with the policy `deploy` may also submit jobs, .* in the namespace `\*`, and perhaps everything \[management, widened\]$/,
      ),
    ]);
  });
});

describe("the ledger", () => {
  const account = z.object({
    kind: z.string(),
    name: z.string(),
    change: z.string(),
    parts: z.array(z.string()),
    closedBy: z.union([z.object({ proof: z.string() }), z.object({ findings: z.array(z.string()).min(1) })]),
  });
  const accountsOf = async (before: Objects, after: Objects) => {
    const { out } = await diff("--before", exportOf("before.json", before), "--after", exportOf("after.json", after), "--json");
    return z.object({ accounts: z.array(account) }).parse(JSON.parse(out)).accounts;
  };

  test("has an account of each changed object, with the proof or the findings that close it", async () => {
    const before = {
      AclPolicy: [policy("text", few, { description: "a" }), policy("wide", few), policy("kept", few)],
      AclRole: [{ id: "1", name: "old", policies: ["kept"] }],
    };
    const after = {
      AclPolicy: [policy("text", few, { description: "b" }), policy("wide", admin), policy("kept", few), policy("spare", admin)],
      AclRole: [{ id: "1", name: "new", policies: ["kept"] }],
    };
    expect(await accountsOf(before, after)).toEqual([
      {
        kind: "AclPolicy",
        name: "text",
        change: "changed",
        parts: ["description"],
        closedBy: { proof: "nobody gets anything by its description" },
      },
      { kind: "AclPolicy", name: "wide", change: "changed", parts: ["rules"], closedBy: { findings: expect.any(Array) } },
      { kind: "AclPolicy", name: "spare", change: "new", parts: [], closedBy: { proof: "nobody here has it" } },
      {
        kind: "AclRole",
        name: "new",
        change: "renamed",
        parts: ["name"],
        closedBy: { findings: [expect.stringContaining("renamed, same rights")] },
      },
    ]);
    expect(await accountsOf(before, before)).toEqual([]);
    expect(await lines({ AclPolicy: before.AclPolicy.slice(0, 1) }, { AclPolicy: after.AclPolicy.slice(0, 1) })).toEqual(same);
  });

  test.each([
    ['operator { policy = "super" }', 'operator { policy = "hyper" }'],
    ["garbage {", "garbage {{"],
    ['namespace "a" { policy = "foo" }', 'namespace "a" { policy = "bar" }'],
  ])("does not accept unreadable rules as a proof: %s", async (old, now) => {
    const of = (rules: string) => ({ AclPolicy: [policy("x", rules)], AclToken: [{ name: "ci", type: "client", policies: ["x"] }] });
    expect(await lines(of(old), of(now))).toContainEqual(expect.stringMatching(/^- the token `ci` may do .*\[undecided.*\]$/));
  });

  test("leaves the account of an unknown kind open", () => {
    const side = (limit: number | undefined) => {
      const inventory = parseExport(JSON.stringify({ format: 1, objects: { AclQuota: [] } }), "some.json");
      const object = { kind: "AclQuota", id: "q", name: "q", inputs: {}, outputs: { name: "q", limit } };
      return { ...inventory, objects: limit === undefined ? [] : [object] };
    };
    const found = (before: number | undefined, after: number | undefined) => {
      const compared = comparedSides({ before: side(before), after: side(after), unchanged: new Set() });
      return findingsOf(compared).map(({ kinds, sentence }) => `${plainText(sentence)} [${kinds.join(", ")}]`);
    };
    expect(found(1, 1)).toEqual([]);
    for (const [before, after, part] of [
      [1, 2, "`limit`"],
      [undefined, 1, "it is new"],
      [1, undefined, "it goes"],
    ] as const) {
      const [line, ...others] = found(before, after);
      expect(others).toEqual([]);
      expect(line).toContain('AclQuota "q"');
      expect(line).toContain(part);
      expect(line).toMatch(/\[undecided, management\]$/);
    }
  });
});
