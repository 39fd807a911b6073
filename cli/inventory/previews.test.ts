/** Previews that the Pulumi CLI wrote, with what its update then did on simulated servers. `npm run previews` writes them anew. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unknown } from "../../provider/model/unknown";
import { fixture, fixtures } from "../../tools/previews/fixtures";
import type { InventoryObject } from "./inventory";
import { parsePreviewedChange } from "./preview";
import { parseState } from "./state";

const recorded = readdirSync(fixtures).map(
  (name) => [name, fixture.parse(JSON.parse(readFileSync(join(fixtures, name), "utf8")))] as const,
);

/** An object as the recordings write it; ? is a value that the preview does not know. */
function lineOf({ kind, outputs }: InventoryObject): string {
  const text = (value: unknown): string => (value === unknown ? "?" : String(value ?? ""));
  if (kind === "AclAuthMethod") return `method ${text(outputs.name)}`;
  if (kind === "AclRole") return `role ${text(outputs.name)}: ${[outputs.policies].flat().map(text).sort()}`;
  return `rule ${text(outputs.authMethod)}: ${text(outputs.selector)} -> ${text(outputs.bindType)} ${text(outputs.bindName)}`.trimEnd();
}

const lines = (objects: readonly InventoryObject[]) => objects.map(lineOf).sort();

/** The steps that a complete set of recordings has. The CLI shows no `remove-pending-replace`. */
const ops = [
  ...["create", "delete", "delete-replaced", "create-replacement", "discard-replaced", "import", "import-replacement", "read"],
  ...["read-replacement", "refresh", "replace", "same", "update"],
];

test("the recordings have every kind of step, through both adapters", () => {
  const written = recorded.flatMap(([name, { preview }]) => preview.steps.map(({ op }) => `${name.split("-")[0]} ${op}`));
  const expected = ops.flatMap((op) => [`plugin ${op}`, ...(op.startsWith("import") ? [] : [`dynamic ${op}`])]);
  expect([...new Set(written)].sort()).toEqual(expected.sort());
});

test.each(recorded)(
  "%s: both sides of the preview are what the servers have before the update and after it",
  (_, { preview, before, after }) => {
    const change = parsePreviewedChange(JSON.stringify(preview), "p.json");
    expect(lines(change.before.objects)).toEqual(before);
    expect(lines(change.after.objects)).toEqual(after);
    expect(change.unchecked).toBeUndefined();
  },
);

test.each(recorded)("%s: the flag delete of states decides nothing: the CLI writes it or not", (_, { preview }) => {
  const text = JSON.stringify(preview);
  const never = text.replaceAll('"delete":true,', "");
  const always = never.replaceAll('"type":', '"delete":true,"type":');
  for (const other of [never, always]) expect(parsePreviewedChange(other, "p.json")).toEqual(parsePreviewedChange(text, "p.json"));
});

test.each(recorded)(
  "%s: without the steps of replacements, what it says is true, and what it can't know is not checked",
  (_, recording) => {
    const { brief, before, after } = recording;
    const change = parsePreviewedChange(JSON.stringify(brief), "p.json");
    const isReplacing = brief.steps.some(({ op }) => op === "replace");
    expect(change.unchecked !== undefined).toBe(isReplacing);
    // Whether this update deletes an object first, or an earlier one did, these steps do not say.
    const pending = 'rule sso: "pending" in list.groups -> management';
    for (const line of lines(change.before.objects)) expect([...before, pending]).toContain(line);
    for (const line of lines(change.after.objects)) expect(after).toContain(line);
  },
);

test.each(recorded)("%s: a state has what is on the servers, also what waits for its delete", (name, { state, before }) => {
  // What others have changed or made is found out by the update.
  if (name.includes("refresh")) return;
  const objects = lines(parseState(JSON.stringify(state), "s.json").objects);
  expect(objects).toEqual(before.filter((line) => !line.includes('"imported')));
});
