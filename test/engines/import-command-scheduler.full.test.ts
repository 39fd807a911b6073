/** `import` on a real scheduler with several hundred random objects, if the scheduler's executable is on PATH. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CliEngine } from "../../tools/engines/cli-engine";
import type { Engine } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { runCommand, runImport } from "../support/commands";
import { withPluginHere } from "../support/program-languages";
import { withProgram } from "../support/programs";
import { everyClusterKind, makeOnCluster, randomObjects } from "../support/random-objects";
import { type Agent, withAgent } from "../support/scheduler";
import { printedSeed } from "../support/seed";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(600_000);

const counts = { pools: 0, methods: 80, policies: 40, roles: 140, rules: 200, tokens: 40 };

/** Fills the cluster, and imports its objects. After that, nothing that `export` reads may differ, not even a time or an index. */
async function takesOver({ address, token }: Agent, engineName: "cli" | "rehearsal"): Promise<void> {
  await makeOnCluster({ address, token }, randomObjects(printedSeed("the random objects", "OBJECTS_SEED"), counts));
  const configuration = { clusterAddress: address, clusterToken: token };
  const { status, out, files } = await runImport(configuration, ...(engineName === "cli" ? everyClusterKind : ["--dynamic"]));
  const [, written = "", count = ""] = /^(\d+) of (\d+) objects are written/m.exec(out) ?? [];
  // The program for dynamic resources has no tokens, because they can't take one over. The other program lacks the command's own token.
  expect([status, Number(count), Number(written) > Number(count) - 20]).toEqual([0, engineName === "cli" ? 501 : 460, true]);
  await withProgram(withPluginHere(files), async (folder) => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const configured = ["--config-file", file("configuration.json", JSON.stringify(configuration))];
    const exported = () => runCommand("export", "--full", ...configured);
    const before = await exported();
    expect(before.status).toBe(0);
    const project = { folder, config: { "agentpool-acl:clusterAddress": address }, secretConfig: { "agentpool-acl:clusterToken": token } };
    const state = await withEngine(engineName, project, takenBy);
    const drift = await runCommand("drift", "--state", file("state.json", state), ...configured);
    // Dynamic resources leave tokens and equal rules out, so `drift` names those that touch objects of the state.
    const [first = "", ...rest] = drift.out.split("\n").slice(0, -1).reverse();
    // Only objects that random objects name and that the cluster lacks are not looked at.
    expect(first).toMatch(/^Not looked at: ((auth method|role|policy) "(gone|no-)[^"]*"(, |$))+$/);
    const others = rest.reverse();
    const [, equalRules = "0"] = /(\d+) equal to another rule/.exec(out) ?? [];
    const unmanaged = (kind: string) => others.filter((line) => line.startsWith(`${kind} `) && line.includes(": not in the state; gives "));
    const [rules, tokens] = [unmanaged("AclBindingRule").length, engineName === "cli" ? 0 : unmanaged("AclToken").length];
    expect([rules, tokens]).toEqual([Number(equalRules), others.length - rules]);
    const touching = others.length === 1 ? "1 unmanaged object touches them" : `${others.length} unmanaged objects touch them`;
    const summary = `${written} objects in the state, 0 with drift; ${touching}`;
    expect(drift).toEqual({ status: 0, out: [...others, first, summary].join("\n"), err: "" });
    expect(await exported()).toEqual(before);
  });
}

/** @returns the state, in the form of `pulumi stack export` */
async function takenBy(engine: Engine): Promise<string> {
  const isCli = engine instanceof CliEngine;
  if (isCli) await engine.command(["import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false"]);
  else expect(await engine.run("up")).toMatchObject({ errors: [] });
  expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
  expect(await engine.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
  return isCli ? engine.storedState() : JSON.stringify({ deployment: { resources: await engine.resources() } });
}

test("random objects of a real scheduler are adopted by dynamic resources: nothing is written, and nothing has drifted", () =>
  withAgent((agent) => takesOver(agent, "rehearsal")));

test("500 random objects of a real scheduler are imported: nothing is written, and nothing has drifted", async () => {
  const reason = whyWithoutCli();
  if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  await withAgent((agent) => takesOver(agent, "cli"));
});
