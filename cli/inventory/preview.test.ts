/** Reading previews. Some are recordings of the Pulumi CLI, with the results of their updates: `npm run previews` records them again. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unknown } from "../../common/unknown";
import { dynamicType, pluginToken } from "../../provider/configuration/tokens";
import { fixture, fixtures } from "../../test/previews/fixtures";
import { runCommand } from "../../test/support/commands";
import type { InventoryObject } from "./inventory";
import { afterUpdate, parsePreviewedChange } from "./preview";
import { parseState } from "./state";

const urn = (name: string) => `urn:pulumi:dev::platform::type::${name}`;
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A step as the CLI 3.260 writes it. */
function step(op: string, name: string, type: string, inputs: object, old?: { id: string; pendingReplacement?: true }) {
  const newState = { urn: urn(name), custom: true, type, inputs };
  return { op, urn: urn(name), ...(old && { oldState: { ...newState, ...old } }), ...(op !== "delete" && { newState }) };
}

const parsePreview = (text: string) => afterUpdate(parsePreviewedChange(text, "p.json"), "p.json");
const parse = (steps: object[], rest: object = {}) => parsePreview(JSON.stringify({ config: {}, steps, duration: 1, ...rest }));

test("a preview has the objects managed after the update, through both adapters, once each", () => {
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

test("before the update, objects that it deletes first exist, and objects of an earlier, unfinished replacement do not", () => {
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

test("a note names resources that name a new policy of the program by a text, and do not wait for it", () => {
  const waiting = (dependencies?: string[]) => ({
    propertyDependencies: { policies: dependencies ?? [] },
    ...(dependencies && { dependencies }),
  });
  const role = (name: string, more: object) => {
    const { newState, ...one } = step("create", name, pluginToken("AclRole"), { name, policies: ["readers", "others"] });
    return { ...one, newState: { ...newState, urn: `urn:pulumi:dev::platform::${pluginToken("AclRole")}::${name}`, ...more } };
  };
  const roles = [role("by-text", waiting()), role("by-output", waiting([urn("readers")])), role("nobody-knows", {})];
  const steps = (op: string) => [...roles, step(op, "readers", pluginToken("AclPolicy"), { name: "readers" }, { id: "readers" })];
  expect(parse(steps("create")).notes).toEqual([
    'AclRole "by-text": it names the policy "readers" by a text, so it does not wait for this program to make it. Give the policy\'s `name`, as in readers.name',
  ]);
  expect(parse(steps("same")).notes).toEqual([]);
  for (const hidden of ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "[secret]"]) {
    const unnamed = [
      role("hidden", { ...waiting(), inputs: { name: "hidden", policies: [hidden] } }),
      step("create", "un", pluginToken("AclPolicy"), { name: hidden }, { id: "un" }),
    ];
    expect(parse(unnamed).notes).toEqual([]);
  }
});

const leftOut = expect.stringMatching(/^a preview with --target or --exclude .* whose delete is pending since an earlier update$/);

const rule = (group: string) => ({ authMethod: "sso", selector: `${group} in list.groups`, bindType: "management" });

test("a new resource outside of the targets is on neither side, and a note names it", () => {
  const skipped = { urn: urn("later"), type: pluginToken("AclBindingRule") };
  const steps = [
    step("same", "here", pluginToken("AclBindingRule"), rule("here"), { id: "1" }),
    { op: "same", urn: skipped.urn, oldState: skipped, newState: skipped },
  ];
  const { before, after, unchanged } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  for (const { objects } of [before, after]) expect(objects.map(({ id }) => id)).toEqual(["1"]);
  expect(after.notes).toEqual(['type "later" is not part of this update', leftOut]);
  expect([...unchanged]).toEqual([urn("here")]);
});

test("an object with a pending delete does not belong to the unchanged resource of the same URN", () => {
  const steps = [
    step("same", "r", pluginToken("AclBindingRule"), rule("now"), { id: "2" }),
    step("delete-replaced", "r", pluginToken("AclBindingRule"), rule("before"), { id: "1" }),
  ];
  const { before, after, unchanged } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(before.objects.map(({ id }) => id).sort()).toEqual(["1", "2"]);
  expect(after.objects.map(({ id }) => id)).toEqual(["2"]);
  expect([...unchanged]).toEqual([]);
});

test("an object with a pending delete that a resource has adopted stays: the delete removes only the old entry", () => {
  const steps = [
    step("same", "r", pluginToken("AclBindingRule"), rule("now"), { id: "1" }),
    step("delete-replaced", "r", pluginToken("AclBindingRule"), rule("now"), { id: "1" }),
  ];
  const { before, after } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  for (const { objects } of [before, after]) expect(objects.map(({ id }) => id)).toEqual(["1"]);
});

test("a destroy that runs the program deletes unchanged objects", () => {
  const steps = ["same", "delete"].map((op) => step(op, "r", pluginToken("AclBindingRule"), rule("now"), { id: "1" }));
  expect(parse(steps).objects).toEqual([]);
});

test("a resource that is renamed by an alias and replaced loses its old object", () => {
  const old = { urn: urn("a"), type: pluginToken("AclBindingRule"), inputs: rule("before"), id: "1" };
  const now = { urn: urn("b"), type: pluginToken("AclBindingRule"), inputs: rule("now") };
  const steps = [
    { op: "create-replacement", urn: urn("b"), oldState: old, newState: now },
    { op: "replace", urn: urn("b"), oldState: old, newState: now },
    // The delete has the URN of the state.
    { op: "delete-replaced", urn: urn("a"), oldState: old },
  ];
  for (const all of [steps, steps.toReversed()]) {
    const { before, after } = parsePreviewedChange(JSON.stringify({ steps: all }), "p.json");
    expect(before.objects.map(({ outputs }) => outputs.selector)).toEqual(["before in list.groups"]);
    expect(after.objects.map(({ outputs }) => outputs.selector)).toEqual(["now in list.groups"]);
  }
});

/** A step with a provider in its states, and a server in its old state. */
function on(provider: string, server: string | undefined, { oldState, newState, ...rest }: ReturnType<typeof step>) {
  const own = { provider: `urn:pulumi:dev::platform::pulumi:providers:agentpool-acl::${provider}::1` };
  const old = oldState && { oldState: { ...oldState, ...own, outputs: { server } } };
  return { ...rest, ...old, ...(newState && { newState: { ...newState, ...own } }) };
}

const [here, there] = ["https://here.example.com", "https://there.example.com"];
const type = pluginToken("AclBindingRule");

test("an object is on the server that its state names, even if its provider is deleted together with it", () => {
  const steps = [
    on("default_0_3_0", here, step("same", "kept", type, rule("kept"), { id: "1" })),
    on("goes", here, step("delete", "gone", type, rule("gone"), { id: "2" })),
  ];
  const { before } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(before.objects.map(({ server }) => server)).toEqual([here, here]);
});

test("an explicit provider with the name default is not the engine's", () => {
  const steps = [
    on("default_0_3_0", here, step("same", "a", type, rule("a"), { id: "1" })),
    on("default", there, step("same", "b", type, rule("b"), { id: "2" })),
    on("default", undefined, step("create", "c", type, rule("c"))),
  ];
  const { after, unchecked } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(after.objects.map(({ server }) => server).sort()).toEqual([here, there, there]);
  expect(unchecked).toBeUndefined();
});

test("the server of new objects of a second default provider is unknown, and a message says so", () => {
  const steps = [
    on("default_0_3_0", here, step("same", "a", type, rule("a"), { id: "1" })),
    on("default", undefined, step("create", "b", type, rule("b"))),
  ];
  const { unchecked } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(unchecked).toContain("on which server the new objects of the provider default will be");
});

test("an object that moves to another provider is not on the server of its old one", () => {
  const old = on("east", here, step("delete-replaced", "a", type, rule("a"), { id: "1" }));
  const { newState } = on("west", undefined, step("create", "a", type, rule("a")));
  const replacing = ["create-replacement", "replace"].map((op) => ({ ...old, op, newState }));
  const { before, after } = parsePreviewedChange(JSON.stringify({ steps: [...replacing, old] }), "p.json");
  expect(before.objects.map(({ server }) => server)).toEqual([here]);
  expect(after.objects.map(({ server }) => server)).toEqual(["the provider west"]);
});

test("objects of a provider with a changed address may be on either server, and a message says so", () => {
  const provider = { type: "pulumi:providers:agentpool-acl", inputs: { clusterAddress: there } };
  const name = "urn:pulumi:dev::platform::pulumi:providers:agentpool-acl::p";
  const steps = [
    { op: "update", urn: name, oldState: { ...provider, id: "1" }, newState: provider },
    on("p", here, step("same", "a", type, rule("a"), { id: "1" })),
  ];
  const { unchecked } = parsePreviewedChange(JSON.stringify({ steps }), "p.json");
  expect(unchecked).toContain(`what the provider p has on ${there}, to which its address leads: its objects are on ${here}`);
  const lines = parsePreviewedChange(JSON.stringify({ steps }).replaceAll("-acl::p", "-acl::p\\nq"), "p.json").unchecked;
  expect(lines).toMatch(/^what the provider p\\u\{a\}q has on /);
  const spelled = JSON.stringify({ steps }).replaceAll(there, `${here}/`);
  expect(parsePreviewedChange(spelled, "p.json").unchecked).toBeUndefined();
});

test("an existing object may be on another server if it moves to a new provider whose address is not known yet", () => {
  const urn = "urn:pulumi:dev::platform::pulumi:providers:agentpool-acl::p";
  const uncheckedBy = (inputs: object) => {
    const steps = [
      { op: "create", urn, newState: { type: "pulumi:providers:agentpool-acl", inputs } },
      on("p", here, step("update", "a", type, rule("a"), { id: "1" })),
    ];
    return parsePreviewedChange(JSON.stringify({ steps }), "p.json").unchecked;
  };
  expect(uncheckedBy({ clusterAddress: unknownText })).toContain("on which server the provider p has its objects: its clusterAddress");
  expect(uncheckedBy({ clusterAddress: here, clusterRegion: "eu" })).toBeUndefined();
  expect(uncheckedBy({})).toBeUndefined();
});

test("objects of a provider with another region, or an address that is hidden, may be on another server, and a message says so", () => {
  const uncheckedBy = (old: object, now: object, op = "update", server = here) => {
    const provider = { type: "pulumi:providers:agentpool-acl", id: "1" };
    const urn = "urn:pulumi:dev::platform::pulumi:providers:agentpool-acl::p";
    const steps = [
      { op, urn, oldState: { ...provider, inputs: old }, newState: { ...provider, inputs: now } },
      on("p", server, step("same", "a", type, rule("a"), { id: "1" })),
    ];
    return parsePreviewedChange(JSON.stringify({ steps }), "p.json").unchecked;
  };
  const open = (name: string) => `on which server the provider p has its objects: its ${name} changes, or is hidden`;
  const address = { clusterAddress: here };
  expect(uncheckedBy({ ...address, clusterRegion: "eu" }, { ...address, clusterRegion: "us" })).toBe(open("clusterRegion"));
  const hidden = { clusterAddress: "[secret]" };
  for (const now of [hidden, { clusterAddress: unknownText }, {}]) expect(uncheckedBy(address, now)).toBe(open("clusterAddress"));
  expect(uncheckedBy(hidden, hidden)).toBe(open("clusterAddress"));
  expect(uncheckedBy(address, { clusterAddress: there }, "update", "[secret]")).toBe(open("clusterAddress"));
  expect(uncheckedBy(hidden, hidden, "same")).toBeUndefined();
  expect(uncheckedBy({ ...address, clusterToken: "[secret]" }, { ...address, clusterToken: "[secret]" })).toBeUndefined();
});

test("objects of the default provider may be on either server if the configured address differs, and a message says so", () => {
  const steps = [
    on("default_0_3_0", here, step("same", "a", type, rule("a"), { id: "1" })),
    on("default", here, step("update", "b", pluginToken("AclRole"), {}, { id: "2" })),
    on("p", "https://third.example.com", step("same", "c", type, rule("c"), { id: "3" })),
  ];
  const uncheckedBy = (config: object | undefined, all: object[] = steps) =>
    parsePreviewedChange(JSON.stringify({ config, steps: all }), "p.json").unchecked;
  const addressOf = (clusterAddress: string) => ({ "agentpool-acl:clusterAddress": clusterAddress });
  expect(uncheckedBy(addressOf(there))).toBe(
    `what the default provider has on ${there}, to which agentpool-acl:clusterAddress leads: its objects are on ${here}`,
  );
  const gone = [on("default", `${here} region eu`, step("delete", "gone", type, rule("gone"), { id: "1" }))];
  expect(uncheckedBy(addressOf(there), gone)).toContain(`its objects are on ${here} region eu`);
  expect(uncheckedBy(addressOf(`${here}:443/v1/`), gone)).toBeUndefined();
  const pools = [on("default", here, step("same", "pool", pluginToken("AgentPool"), {}, { id: "1" }))];
  expect(uncheckedBy({ "agentpool-acl:poolsAddress": there }, pools)).toContain("agentpool-acl:poolsAddress leads");
  for (const config of [undefined, {}, addressOf(`${here}/v1`), addressOf("[secret]"), { "agentpool-acl:poolsAddress": there }])
    expect(uncheckedBy(config)).toBeUndefined();
});

test("objects of a provider may be in another region than the configured one, and a message says so", () => {
  const uncheckedBy = (clusterRegion: string, server = `${here} region eu`) => {
    const config = { "agentpool-acl:clusterRegion": clusterRegion };
    const steps = [on("default", server, step("same", "a", type, rule("a"), { id: "1" }))];
    return parsePreviewedChange(JSON.stringify({ config, steps }), "p.json").unchecked;
  };
  const open = "what the default provider has in the region us, which is configured: its objects are in eu";
  expect(uncheckedBy("us")).toBe(open);
  for (const unchanged of [uncheckedBy("eu"), uncheckedBy("[secret]"), uncheckedBy("us", here)]) expect(unchanged).toBeUndefined();
  const west = "urn:pulumi:dev::platform::pulumi:providers:agentpool-acl::west";
  const provider = { urn: west, type: "pulumi:providers:agentpool-acl", id: "1", inputs: { clusterRegion: "us" } };
  const token = on("west", `${here} region eu`, step("same", "t", pluginToken("AclToken"), { name: "t" }, { id: "t" }));
  const ofProvider = { op: "same", urn: west, oldState: provider, newState: provider };
  expect(parsePreviewedChange(JSON.stringify({ steps: [ofProvider, token] }), "p.json").unchecked).toBe(
    "what the provider west has in the region us, which is configured: its objects are in eu",
  );
});

test("diff calls objects at a new configured address undecided", async () => {
  const folder = mkdtempSync(join(tmpdir(), "preview-"));
  const path = join(folder, "preview.json");
  const steps = [on("default", here, step("same", "a", type, rule("a"), { id: "1" }))];
  const diff = (clusterAddress: string) => {
    writeFileSync(path, JSON.stringify({ config: { "agentpool-acl:clusterAddress": clusterAddress }, steps }));
    return runCommand("diff", "--preview", path, "--fail-on", "undecided");
  };
  try {
    expect(await diff(here)).toMatchObject({ status: 0, out: expect.stringContaining("Logins get what they got before") });
    const { status, out } = await diff(there);
    expect(status).not.toBe(0);
    expect(out).toMatch(/not checked: what the default provider has on `https:\/\/there.*\[undecided, management\]/);
    expect(out).not.toContain("Logins get what they got before");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("unknown values of a preview are unknown, including parts of texts, and secrets stay markers", () => {
  const inputs = { authMethod: "sso", selector: unknownText, bindType: "role", bindName: `team-${unknownText}`, description: "[secret]" };
  const [rule] = parse([step("create", "r", pluginToken("AclBindingRule"), inputs)]).objects;
  expect(rule?.outputs).toEqual({ authMethod: "sso", selector: unknown, bindType: "role", bindName: unknown, description: "[secret]" });
});

test.each([
  ["is not JSON", "not json", "p.json is not JSON."],
  ["is another file", '{"steps": 7}', "p.json is not the output of `pulumi preview --json --show-sames --show-replacement-steps`"],
  [
    "is a state",
    '{"version": 3, "deployment": {}}',
    "p.json is not the output of `pulumi preview --json --show-sames --show-replacement-steps`: ✖ it has neither steps",
  ],
  [
    "is an export",
    '{"format": 1, "objects": {}}',
    "p.json is not the output of `pulumi preview --json --show-sames --show-replacement-steps`",
  ],
  [
    "lacks what does not change",
    JSON.stringify({ steps: [], changeSummary: { same: 3 } }),
    "p.json lacks the resources that do not change: write it by `pulumi preview --json --show-sames --show-replacement-steps`.",
  ],
  [
    "is that of a program that failed",
    JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message: "boom" }] }),
    "p.json is the preview of a program that failed",
  ],
])("a preview that %s is refused", (_, text, message) => {
  expect(() => parsePreview(text)).toThrow(message);
});

describe("previews of the Pulumi CLI", () => {
  const recorded = readdirSync(fixtures).map(
    (name) => [name, fixture.parse(JSON.parse(readFileSync(join(fixtures, name), "utf8")))] as const,
  );

  /** An object as the recordings write it; ? is an unknown value of the preview. */
  function lineOf({ kind, outputs }: InventoryObject): string {
    const text = (value: unknown): string => (value === unknown ? "?" : String(value ?? ""));
    if (kind === "AclAuthMethod") return `method ${text(outputs.name)}`;
    if (kind === "AclRole") return `role ${text(outputs.name)}: ${[outputs.policies].flat().map(text).sort()}`;
    return `rule ${text(outputs.authMethod)}: ${text(outputs.selector)} -> ${text(outputs.bindType)} ${text(outputs.bindName)}`.trimEnd();
  }

  const lines = (objects: readonly InventoryObject[]) => objects.map(lineOf).sort();

  /** The steps of a complete set of recordings. The CLI shows no `remove-pending-replace`. */
  const ops = [
    ...["create", "delete", "delete-replaced", "create-replacement", "discard-replaced", "import", "import-replacement", "read"],
    ...["read-replacement", "refresh", "replace", "same", "update"],
  ];

  test("the recordings have every kind of step that the CLI shows, through both adapters, except for imports of dynamic resources", () => {
    const written = recorded.flatMap(([name, { preview }]) => preview.steps.map(({ op }) => `${name.split("-")[0]} ${op}`));
    const expected = ops.flatMap((op) => [`plugin ${op}`, ...(op.startsWith("import") ? [] : [`dynamic ${op}`])]);
    expect([...new Set(written)].sort()).toEqual(expected.sort());
  });

  test.each(recorded)("%s: the two sides of the preview equal the servers before and after the update", (_, { preview, before, after }) => {
    const change = parsePreviewedChange(JSON.stringify(preview), "p.json");
    expect(lines(change.before.objects)).toEqual(before);
    expect(lines(change.after.objects)).toEqual(after);
    const isLeft = preview.steps.some(({ op, urn }) => op === "delete" && String(urn).endsWith("::hosted"));
    expect(change.unchecked).toEqual(
      isLeft ? 'whether AclBindingRule "hosted" stays on the server, because of its option deletedWith' : undefined,
    );
  });

  test.each(recorded)("%s: a note says that a preview of a part of the stack does not show all pending deletes", (name, recording) => {
    const { notes = [] } = parsePreviewedChange(JSON.stringify(recording.preview), "p.json").after;
    expect(notes.slice(-1)).toEqual(/-(target|exclude)\.json$/.test(name) ? [leftOut] : []);
  });

  test.each(recorded)("%s: the flag delete of states has no effect", (_, { preview }) => {
    const text = JSON.stringify(preview);
    const never = text.replaceAll('"delete":true,', "");
    // Only states have the type of a resource, so all states get the flag.
    const always = never.replaceAll(/"type":"[^"]*:/g, '"delete":true,$&');
    for (const other of [never, always]) expect(parsePreviewedChange(other, "p.json")).toEqual(parsePreviewedChange(text, "p.json"));
  });

  test.each(recorded)("%s: a preview with replacements is refused without their steps", (_, { brief, before, after }) => {
    const read = () => parsePreviewedChange(JSON.stringify(brief), "p.json");
    if (brief.steps.some(({ op }) => op === "replace")) return expect(read).toThrow("p.json lacks the steps of replacements");
    for (const line of lines(read().before.objects)) expect(before).toContain(line);
    for (const line of lines(read().after.objects)) expect(after).toContain(line);
  });

  test.each(recorded)("%s: a state has the servers' objects, including pending deletes", (name, { state, before }) => {
    // Changes by others are found by the update only.
    if (name.includes("refresh")) return;
    const objects = lines(parseState(JSON.stringify(state), "s.json").objects);
    expect(objects).toEqual(before.filter((line) => !line.includes('"imported')));
  });
});
