/** Values of a newer version of this package: `diff` accepts none as a proof. */
import { pluginToken } from "../provider/configuration/tokens";
import { between, diff, file, method, rule, useFolder } from "../test/support/diff";

useFolder();

const few = 'node { policy = "read" }';
const urn = "urn:pulumi:dev::p::x";

async function lines(before: object, after: object): Promise<string[]> {
  const of = (name: string, objects: object) => file(name, { format: 1, objects });
  return (await between(of("before.json", before), of("after.json", after))).lines;
}

/** The report on a preview of one step. The old inputs are the new ones unless they are given. */
async function previewed(op: "create" | "update" | "same", kind: string, inputs: object, before = inputs): Promise<string[]> {
  const [id, type] = ["x", pluginToken(kind)];
  const oldState = { urn, type, id, inputs: before };
  const one = { op, urn, ...(op !== "create" && { oldState }), newState: { urn, type, inputs, ...(op === "same" && { id }) } };
  return (await diff("--preview", file("preview.json", { steps: [one] }))).out.split("\n").slice(0, -1);
}

test("an unknown kind is open, in a preview and in states", async () => {
  const open = [expect.stringMatching(/^- objects of the kind `AclQuota` could not be read, .* \[undecided, management\]$/)];
  expect(await previewed("create", "AclQuota", { name: "q" })).toEqual(open);
  const state = (name: string, limit: number) =>
    file(name, { deployment: { resources: [{ urn, type: pluginToken("AclQuota"), id: "q", outputs: { name: "q", limit } }] } });
  const { lines: said, status } = await between(state("a.json", 1), state("b.json", 2));
  expect([said, status]).toEqual([open, 4]);
});

test.each([
  ["AclAuthMethod", method, { config: { ...method.config, acceptAny: true } }, "config.acceptAny"],
  ["AclBindingRule", rule, { always: true }, "always"],
  ["AclPolicy", { name: "x", rules: few, jobAcl: { namespace: "a" } }, { jobAcl: { namespace: "a", region: "b" } }, "jobAcl.region"],
])("an unknown property of %s is open, in exports and in a preview that changes it", async (kind, object, more, part) => {
  const open = expect.stringMatching(new RegExp(`can't be compared: .${part}. may decide .* \\[undecided, management\\]$`));
  const changed = { ...object, ...more };
  expect(await lines({ [kind]: [{ id: "x", ...object }] }, { [kind]: [{ id: "x", ...changed }] })).toContainEqual(open);
  expect(await previewed("update", kind, changed, object)).toContainEqual(open);
  expect(await previewed("same", kind, changed)).toEqual(["Logins get what they got before."]);
});

test("an unknown type of a token is open", async () => {
  const of = (type: string) => ({ AclToken: [{ name: "ci", type, policies: [], roles: [] }] });
  const open = [expect.stringMatching(/^- the token `ci` may change, .*`type`.* \[undecided, management\]$/)];
  expect(await lines(of("client"), of("operator"))).toEqual(open);
});

test("a selector of another grammar is open if it is new or changes, or if its grant changes", async () => {
  const newer = (one: object) => ({ ...rule, selector: 'list.groups overlaps ["a"]', bindType: "management", bindName: "", ...one });
  const of = (...rules: object[]) => ({ AclAuthMethod: [method], AclBindingRule: rules });
  const open = expect.stringMatching(/can't be decided\) get management, .* \[management, undecided\]$/);
  expect(await lines(of(), of(newer({})))).toEqual([open]);
  expect(await lines(of(newer({ selector: "a in list.groups" })), of(newer({})))).toEqual([open]);
  expect(await lines(of(newer({ bindType: "role", bindName: "x" })), of(newer({})))).toContainEqual(open);
  expect(await lines(of(newer({})), of(newer({ description: "other" })))).toEqual(["Logins get what they got before."]);
});

test.each([
  ["namespace", 'namespace "a" { policy = "read"', 'secrets { path "*" { policy = "write" } }'],
  ["variables", 'namespace "a" { variables { path "x" { capabilities = ["read"] }', 'all = "write" }'],
  ["node", 'node { policy = "read"', 'capabilities = ["drain"]'],
])("an unknown name in a block %s is open", async (_, block, more) => {
  const end = block.includes("variables") ? "} }" : "}";
  const of = (rules: string) => ({ AclPolicy: [{ name: "deploy", rules }], AclRole: [{ name: "x", policies: ["deploy"] }] });
  const last = block.includes("variables") ? "}" : end;
  expect(await lines(of(block + end), of(`${block}\n${more}\n${last}`))).toEqual([
    expect.stringMatching(/the rules of `deploy` have parts that this version does not know \[undecided, management\]$/),
  ]);
});

test("a changed policy with an unknown name is said, also of a role with a policy outside of the sources", async () => {
  const of = (more: string) => ({
    AclPolicy: [{ name: "mine", rules: `namespace "a" { policy = "read" note = "ours" } ${more}` }],
    AclRole: [{ name: "ops", policies: ["mine", "others"] }],
  });
  expect(await lines(of(""), of('operator { policy = "write" }'))).toEqual([
    expect.stringMatching(
      /`others` are not known .*; the rules of `mine` have parts that this version does not know \[undecided, management\]$/,
    ),
  ]);
});

test.each([
  ["", ""],
  ["a narrower selector", "x in list.groups"],
])("a rule that goes, or gets %j, may have given a deny with an unknown name in its block", async (_, selector) => {
  const policies = [
    { name: "work", rules: 'operator { policy = "write" }' },
    { name: "guard", rules: 'operator { policy = "deny" note = "ours" }' },
  ];
  const binds = (id: string, bindName: string, more = {}) => ({ id, ...rule, bindType: "policy", bindName, selector: "", ...more });
  const of = (...rules: object[]) => ({ AclAuthMethod: [method], AclPolicy: policies, AclBindingRule: [binds("1", "work"), ...rules] });
  const kept = selector === "" ? [] : [binds("2", "guard", { selector })];
  const open = expect.stringMatching(/^- logins of .* that get the policy `guard` together with others .*\[undecided, management\]$/);
  expect(await lines(of(binds("2", "guard")), of(...kept))).toContainEqual(open);
});

test("an unknown step of a preview is a gap", async () => {
  const state = { urn, type: pluginToken("AclRole"), id: "x", inputs: { name: "r", policies: [] } };
  const { out, status } = await diff(
    "--preview",
    file("preview.json", { steps: [{ op: "merge", urn, oldState: state, newState: state }] }),
  );
  expect([out.split("\n")[0], status]).toEqual([expect.stringMatching(/`AclRole` could not be read, .* \[undecided, management\]$/), 4]);
});
