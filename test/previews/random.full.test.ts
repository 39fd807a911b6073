/**
 * `who` and `diff` read random previews of the Pulumi CLI, and must predict the effect of its updates. The simulated servers show the
 * effect: they answer the same logins before and after each update. The environment variable PREVIEWS sets the number of stacks for each
 * adapter, and PREVIEWS_SEED repeats a run with the same number.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as z from "zod";
import { methodAccess } from "../../access/graph";
import { evaluateLogin } from "../../access/login";
import type { AccessModel } from "../../cli/access/model";
import { toAccessModel } from "../../cli/access/read-model";
import type { Inventory, InventoryObject } from "../../cli/inventory/inventory";
import { parsePreviewedChange } from "../../cli/inventory/preview";
import { parseState } from "../../cli/inventory/state";
import { run } from "../../cli/main";
import { accessOf } from "../../testing/access";
import type { Simulator } from "../../testing/simulator";
import { adapterNames } from "../../tools/engines/engine";
import { printedSeed } from "../support/seed";
import { whyWithoutCli } from "../support/without-cli";
import { play, policies } from "./play";
import { groupsOf, methods, plan, scenarioOf } from "./random";

jest.setTimeout(1_200_000);

/** The names of the rights that each login gets. A key is the name of the method and a group. */
type Gains = Readonly<Record<string, readonly string[]>>;

const keysOf = (groups: readonly string[]) => methods.flatMap((name) => groups.map((group) => [name, group] as const));

function asked({ cluster }: Simulator, groups: readonly string[]): Gains {
  const known = new Set(cluster.methods.list().map(({ Name }) => Name));
  const entries = keysOf(groups).map(([name, group]) => {
    const login = known.has(name) ? accessOf({ cluster }).login(name, { groups: [group] }) : undefined;
    return [`${name} ${group}`, login ? [...(login.management ? ["management"] : []), ...login.roles, ...login.policies] : []] as const;
  });
  return Object.fromEntries(entries);
}

function said(model: AccessModel, groups: readonly string[]): Gains {
  const entries = keysOf(groups).map(([name, group]) => {
    const access = methodAccess({ ...model, policies }, name);
    const login = access && evaluateLogin(access, { groups: [group] });
    if (!login?.ok) return [`${name} ${group}`, []] as const;
    const { type, roles, policies: own } = login.token;
    const held = [...own, ...roles.flatMap((role) => model.roles[role] ?? [])];
    return [`${name} ${group}`, [...(type === "management" ? ["management"] : []), ...roles, ...[...new Set(held)].sort()]] as const;
  });
  return Object.fromEntries(entries);
}

async function diff(preview: string): Promise<{ kinds: string[]; findings: unknown[] }> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-preview-"));
  try {
    const file = join(folder, "preview.json");
    writeFileSync(file, preview);
    const printed: string[] = [];
    const io = { print: (text: string) => void printed.push(text), complain: () => undefined };
    await run(["diff", "--preview", file, "--json"], io, new AbortController().signal);
    return z.object({ kinds: z.array(z.string()), findings: z.array(z.unknown()) }).parse(JSON.parse(printed.join("")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(adapterNames)("who and diff predict the effect of random updates from their previews: %s", async (adapter) => {
  const reason = whyWithoutCli();
  if (reason) return console.log(`Left out, because ${reason}.`);
  const seed = printedSeed(`the previews of the ${adapter} resources`, "PREVIEWS_SEED");
  const count = Number(process.env.PREVIEWS ?? 4);
  for (const given of fc.sample(plan, { seed, numRuns: count })) {
    const { scenario, plan: own } = scenarioOf(given, adapter);
    const groups = groupsOf(own);
    const { preview, brief, state, answers } = await play(scenario, adapter, (simulator) => asked(simulator, groups));
    const change = parsePreviewedChange(preview, "preview.json");
    // A note must say that there may be unseen objects. With these objects added, the predictions must be right.
    const unseen = unseenOf(state, preview);
    if (unseen.length > 0) expect(change.after.notes).toContainEqual(expect.stringContaining("wait for their delete"));
    const sayOf = (side: Inventory) => said(toAccessModel({ ...side, objects: [...side.objects, ...unseen] }), groups);
    const sides = { before: sayOf(change.before), after: sayOf(change.after) };
    expect({ ...sides, plan: own }).toEqual({ ...answers, plan: own });
    const { gained, lost } = differences(answers);
    const { kinds, findings } = await diff(preview);
    if (gained) expect(kinds).toEqual(expect.arrayContaining([expect.stringMatching(/^(widened|undecided)$/)]));
    if (lost) expect(kinds).toEqual(expect.arrayContaining([expect.stringMatching(/^(narrowed|undecided)$/)]));
    if (!gained && !lost) expect(findings.filter((one) => JSON.stringify(one).includes(" lose "))).toEqual([]);
    if (brief.includes('"op": "replace"')) expect(() => parsePreviewedChange(brief, "p.json")).toThrow("lacks the steps of replacements");
  }
});

const waiting = z.object({
  deployment: z.object({ resources: z.array(z.object({ id: z.string().optional(), delete: z.boolean().optional() })) }),
});

/**
 * The objects that wait for their delete and that no step of the preview names. The update leaves out their resources, by `--target` or
 * `--exclude`, and keeps the objects.
 */
function unseenOf(state: string, preview: string): InventoryObject[] {
  const { resources } = waiting.parse(JSON.parse(state)).deployment;
  const ids = new Set(resources.flatMap(({ id, delete: waits }) => (id && waits && !preview.includes(id) ? [id] : [])));
  return parseState(state, "state.json").objects.filter(({ id }) => id !== undefined && ids.has(id));
}

function differences({ before, after }: { before: Gains; after: Gains }): { gained: boolean; lost: boolean } {
  const lacks = (one: Gains, other: Gains) => Object.entries(one).some(([key, all]) => all.some((item) => !other[key]?.includes(item)));
  return { gained: lacks(after, before), lost: lacks(before, after) };
}
