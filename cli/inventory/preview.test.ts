import { dynamicType, pluginToken } from "../../provider/context/tokens";
import { unknown } from "../../provider/model/unknown";
import { parsePreview, parsePreviewedChange } from "./preview";

const urn = (name: string) => `urn:pulumi:dev::platform::type::${name}`;
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A step as the CLI 3.260 writes it. */
function step(op: string, name: string, type: string, inputs: object, old?: { id: string; pendingReplacement?: true }) {
  const newState = { urn: urn(name), custom: true, type, inputs };
  return { op, urn: urn(name), ...(old && { oldState: { ...newState, ...old } }), ...(op !== "delete" && { newState }) };
}

const parse = (steps: object[], rest: object = {}) => parsePreview(JSON.stringify({ config: {}, steps, duration: 1, ...rest }), "p.json");

test("a preview holds what is managed afterwards, through both adapters, once each", () => {
  const role = (name: string) => ({ name, policies: ["read"], __provider: "exports.handler = ..." });
  const { objects } = parse([
    { op: "same", urn: urn("platform-dev"), newState: { urn: urn("platform-dev"), type: "pulumi:pulumi:Stack" } },
    step("same", "kept", dynamicType("AclRole"), role("kept"), { id: "1" }),
    step("update", "changed", pluginToken("AclRole"), role("changed"), { id: "2" }),
    step("create", "made", pluginToken("AclRole"), role("made")),
    step("create-replacement", "replaced", pluginToken("AclRole"), role("replaced"), { id: "3" }),
    step("replace", "replaced", pluginToken("AclRole"), role("replaced"), { id: "3" }),
    step("delete-replaced", "replaced", pluginToken("AclRole"), role("old"), { id: "3" }),
    step("delete", "gone", pluginToken("AclRole"), role("gone"), { id: "4" }),
    step("read", "looked-up", pluginToken("AclRole"), role("looked-up"), { id: "5" }),
    step("create", "bucket", "aws:s3/bucket:Bucket", { name: "b" }),
  ]);
  expect(objects.map(({ id, name, outputs }) => [id, name, outputs])).toEqual([
    ["2", "changed", { name: "changed", policies: ["read"] }],
    ["1", "kept", { name: "kept", policies: ["read"] }],
    [undefined, "made", { name: "made", policies: ["read"] }],
    [undefined, "replaced", { name: "replaced", policies: ["read"] }],
  ]);
});

test("before it, what the update itself deletes first is there, and what an earlier one has deleted and not made anew is not", () => {
  const pending = (op: string, name: string) =>
    step(op, name, pluginToken("AclRole"), { name, policies: ["read"] }, { id: name, pendingReplacement: true });
  const steps = [
    ...["delete-replaced", "replace", "create-replacement"].map((op) => pending(op, "deleted-first")),
    ...["replace", "create-replacement"].map((op) => pending(op, "gone")),
    pending("remove-pending-replace", "given-up"),
  ];
  const { before, after } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(before.objects.map(({ name }) => name)).toEqual(["deleted-first"]);
  expect(after.objects.map(({ name }) => name)).toEqual(["deleted-first", "gone"]);
});

test("what a preview does not know is unknown, also as a part of a text, and a secret stays its marker", () => {
  const inputs = { authMethod: "sso", selector: unknownText, bindType: "role", bindName: `team-${unknownText}`, description: "[secret]" };
  const [rule] = parse([step("create", "r", pluginToken("AclBindingRule"), inputs)]).objects;
  expect(rule?.outputs).toEqual({ authMethod: "sso", selector: unknown, bindType: "role", bindName: unknown, description: "[secret]" });
});

test.each([
  ["is not JSON", "not json", "p.json is not JSON."],
  ["is another file", '{"steps": 7}', "p.json is not what `pulumi preview --json --show-sames` writes"],
  [
    "is a state",
    '{"version": 3, "deployment": {}}',
    "p.json is not what `pulumi preview --json --show-sames` writes: ✖ it has neither steps",
  ],
  ["is an export", '{"format": 1, "objects": {}}', "p.json is not what `pulumi preview --json --show-sames` writes"],
  [
    "lacks what does not change",
    JSON.stringify({ steps: [], changeSummary: { same: 3 } }),
    "p.json lacks the resources that do not change: write it by `pulumi preview --json --show-sames`.",
  ],
  [
    "is that of a program that failed",
    JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message: "boom" }] }),
    "p.json is the preview of a program that failed",
  ],
])("a preview that %s is refused", (_, text, message) => {
  expect(() => parsePreview(text, "p.json")).toThrow(message);
});
