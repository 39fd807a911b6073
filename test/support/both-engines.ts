import type { Simulator } from "../../testing/simulator";
import { described } from "../../tools/engines/changes";
import type { Command, Engine, EngineName, Project, RunOptions, RunResult } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { configFor, startSimulator } from "../../tools/engines/project";
import { type Files, withProgram, writeFiles } from "./programs";
import { whyWithoutCli } from "./without-cli";

/** A scenario's engine and servers, and a function that changes its program between two operations. */
export interface Scene {
  readonly engine: Engine;
  readonly simulator: Simulator;
  rewrite(files: Files): void;
}

/** The part of an operation's result that must be the same on every engine. */
interface Recorded {
  readonly command: Command;
  readonly ok: boolean;
  readonly changes: readonly string[];
  readonly requests: readonly string[];
  readonly resources: unknown;
}

interface Settings extends Partial<Project> {
  /** Whether the operation's result depends on a race, so the two runs may differ. */
  readonly isRace?: boolean;
}

/** Runs a scenario with its own program. See {@link playOnBothEngines}. */
export function onBothEngines(files: Files, scenario: (scene: Scene) => Promise<void>, settings: Settings = {}): Promise<void> {
  return withProgram(files, (folder) => {
    const project = (simulator: Simulator) => {
      const { config, secretConfig } = configFor(simulator);
      return {
        folder,
        config: { ...config, ...settings.config },
        secretConfig: { ...secretConfig, ...settings.secretConfig },
        env: { ...settings.env },
      };
    };
    return playOnBothEngines(project, scenario, settings.isRace);
  });
}

/**
 * Runs a scenario on the rehearsal engine and, if it is on PATH, on the Pulumi CLI, each with its own servers. After every operation both
 * must have made the same changes by the same requests, and have the same state.
 */
export async function playOnBothEngines(
  project: (simulator: Simulator) => Project,
  scenario: (scene: Scene) => Promise<void>,
  isRace = false,
): Promise<void> {
  const rehearsed = await record("rehearsal", project, scenario);
  const reason = whyWithoutCli();
  if (reason) {
    console.log(`Not run on the Pulumi CLI, because ${reason}: ${expect.getState().currentTestName}`);
    return;
  }
  const onCli = await record("cli", project, scenario);
  if (!isRace) expect(onCli).toEqual(rehearsed);
}

async function record(
  name: EngineName,
  project: (simulator: Simulator) => Project,
  scenario: (scene: Scene) => Promise<void>,
): Promise<Recorded[]> {
  const simulator = await startSimulator();
  try {
    const given = project(simulator);
    // With shared reads, timing would decide which objects a list serves.
    const config = { ...given.config, "agentpool-acl:readSnapshotSeconds": "0" };
    return await withEngine(name, { ...given, config }, async (engine) => {
      const recorder = new Recorder(engine, simulator);
      await scenario({ engine: recorder, simulator, rewrite: (files) => writeFiles(engine.folder, files) });
      return recorder.recorded;
    });
  } finally {
    await simulator.stop();
  }
}

/** An engine that records the result of every operation. */
class Recorder implements Engine {
  readonly recorded: Recorded[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly simulator: Simulator,
  ) {}

  get name(): EngineName {
    return this.engine.name;
  }

  get folder(): string {
    return this.engine.folder;
  }

  async run(command: Command, options: RunOptions = {}): Promise<RunResult> {
    const { journal } = this.simulator;
    const before = journal.entries.length;
    const result = await this.engine.run(command, options);
    const requests = journal.lines().slice(before);
    this.recorded.push({
      command,
      ok: result.ok,
      changes: result.changes.map((change) => `${change.failed ? "failed: " : ""}${described(change)}`).sort(),
      requests: withoutSharing(requests.map(withoutVolatile)).sort(),
      resources: await this.settled(),
    });
    return result;
  }

  resources(): ReturnType<Engine["resources"]> {
    return this.engine.resources();
  }

  storedState(): Promise<string> {
    return this.engine.storedState();
  }

  restore(state: string): Promise<void> {
    return this.engine.restore(state);
  }

  /** The resources, in the order of their URNs, without values that differ from run to run. */
  private async settled(): Promise<unknown> {
    const resources = [...(await this.engine.resources())].sort((a, b) => (a.urn < b.urn ? -1 : 1));
    const text = JSON.stringify(resources, (key, value: unknown) => (volatile.has(key) ? `<${key}>` : value));
    return JSON.parse(withoutVolatile(text));
  }
}

/**
 * Leaves out requests whose number depends on timing. Creates at the same time share a list. The delete of a role reads the remaining rules
 * for its warning, including rules of the stack whose own deletes are still under way.
 */
function withoutSharing(requests: readonly string[]): string[] {
  const isList = (request: string) => /^GET .*\/(roles|auth-methods|binding-rules)$/.test(request);
  const hasDeletes = requests.some((request) => /^DELETE .*\/binding-rule\//.test(request));
  const isOfWarning = (request: string) => hasDeletes && /^GET .*\/binding-rule\//.test(request);
  return requests.filter((request, index) => !isOfWarning(request) && (!isList(request) || requests.indexOf(request) === index));
}

/** Properties whose values depend on the order of the requests. */
const volatile = new Set(["createIndex", "modifyIndex", "hash"]);

/** Ids keep their shape: `apool-` and a suffix, or a UUID. */
function withoutVolatile(text: string): string {
  return text
    .replace(/\b(apool|agent|at)-[A-Za-z0-9]{16}\b/g, "<$1 id>")
    .replace(/\b[0-9a-f]{20}\.atlasv1\.[0-9a-f]{64}\b/g, "<agent token>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replace(/\bhttp:\/\/127\.0\.0\.1:\d+/g, "<address>")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, "<time>");
}
