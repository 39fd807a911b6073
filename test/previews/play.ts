import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Simulator } from "../../testing/simulator";
import { CliEngine } from "../../tools/engines/cli-engine";
import type { AdapterName } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { configFor } from "../../tools/engines/project";
import { type Program, textOf } from "./program";

/** The names of resources that are replaced. */
interface Replaced {
  /** Replaced by `--replace`. */
  readonly replace?: readonly string[];
  /** Replaced by this option in the program. The option has no effect on dynamic resources, so they get `--replace` instead. */
  readonly replaceOnChanges?: readonly string[];
}

/** The history of a stack before a preview, and the preview. */
export interface Scenario extends Replaced {
  /** The updates before the preview, in turn. An update with faults has to fail. */
  readonly earlier: readonly Stage[];
  /** The program of the preview. */
  readonly program: (simulator: Simulator) => Program;
  /** Changes by others on the servers, between the last update and the preview. */
  readonly meanwhile?: (simulator: Simulator) => void;
  /** Options of the preview, and of the update after it. */
  readonly options?: readonly string[];
  readonly command?: "up" | "destroy";
  /** Selectors of rules that the stack never manages. */
  readonly others?: readonly string[];
}

export interface Stage extends Replaced {
  readonly program: (simulator: Simulator) => Program;
  /** Makes the update fail. */
  readonly faults?: (simulator: Simulator) => void;
}

/** The output of a preview, and the objects of the servers before and after the update. */
export interface Played {
  readonly preview: string;
  /** The same without `--show-replacement-steps`. */
  readonly brief: string;
  /** The output of `pulumi stack export` before the update. */
  readonly state: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A question to the simulator, asked before and after the update. */
export type Ask<T> = (simulator: Simulator) => T;

/** The policies that roles refer to. */
export const policies = ["read-only", "admin"];

/**
 * Plays a scenario on the Pulumi CLI, with simulated servers. @param ask a further question to the servers, asked before and after the
 * update
 */
export async function play<T>(
  scenario: Scenario,
  adapter: AdapterName,
  ask: Ask<T>,
): Promise<Played & { readonly answers: { readonly before: T; readonly after: T } }> {
  const { earlier, program, meanwhile, command = "up" } = scenario;
  const simulator = await Simulator.start();
  for (const policy of policies) simulator.cluster.policies.put(policy);
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-previews-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"name":"previews","main":"index.js"}');
    writeFileSync(join(folder, "Pulumi.yaml"), pulumiYaml);
    return await withEngine("cli", { folder, ...configFor(simulator) }, async (cli) => {
      if (!(cli instanceof CliEngine)) throw new TypeError("the CLI's engine was asked for");
      const module = adapter === "plugin" ? "pulumi-agentpool-acl/plugin" : "pulumi-agentpool-acl";
      const write = (make: Stage["program"]) => writeFileSync(join(cli.folder, "index.js"), textOf(make(simulator), module));
      for (const stage of earlier) {
        write(stage.program);
        stage.faults?.(simulator);
        await apply(cli, replacing(stage, adapter), stage.faults !== undefined);
        simulator.faults.clear();
      }
      meanwhile?.(simulator);
      write(program);
      const [previewed, applied] = command === "up" ? [["preview"], ["up"]] : [["destroy", "--preview-only"], ["destroy"]];
      const lines = () => linesOf(simulator, scenario.others);
      const options = [...(scenario.options ?? []), ...replacing(scenario, adapter)];
      const look = (...more: string[]) => cli.command([...(previewed ?? []), "--json", "--show-sames", ...more, ...options]);
      const [preview, brief, state] = [await look("--show-replacement-steps"), await look(), await cli.storedState()];
      const [before, first] = [lines(), ask(simulator)];
      await cli.command([...(applied ?? []), "--yes", "--skip-preview", ...options]);
      return { preview, brief, state, before, after: lines(), answers: { before: first, after: ask(simulator) } };
    });
  } finally {
    rmSync(folder, { recursive: true });
    await simulator.stop();
  }
}

async function apply(cli: CliEngine, options: readonly string[], mustFail: boolean): Promise<void> {
  const failure = await cli.command(["up", "--yes", "--skip-preview", ...options]).then(
    () => undefined,
    (error: Error) => error,
  );
  if ((failure !== undefined) !== mustFail) throw failure ?? new Error("the update did not fail");
}

function replacing({ replace = [], replaceOnChanges = [] }: Replaced, adapter: AdapterName): string[] {
  return [...replace, ...(adapter === "dynamic" ? replaceOnChanges : [])].flatMap((name) => ["--replace", `**::${name}`]);
}

/** The objects of the servers, a line for each, without the rules of others. */
function linesOf({ cluster }: Simulator, others: readonly string[] = []): string[] {
  const rules = cluster.rules.list().filter(({ Selector }) => !others.includes(Selector));
  return [
    ...cluster.methods.list().map(({ Name }) => `method ${Name}`),
    ...cluster.roles.list().map(({ Name, Policies }) => `role ${Name}: ${Policies.map((policy) => policy.Name).sort()}`),
    ...rules.map((rule) => `rule ${rule.AuthMethod}: ${rule.Selector} -> ${rule.BindType} ${rule.BindName}`.trimEnd()),
  ].sort();
}

/** The CLI finds the plugin by Pulumi.yaml. */
const pulumiYaml = `name: previews
runtime: nodejs
plugins:
  providers:
    - name: agentpool-acl
      path: node_modules/pulumi-agentpool-acl/bin
`;
