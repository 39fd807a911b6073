import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rehearse } from "../../testing/rehearsal";
import { isSecret, type PropertyMap, rewriteMap } from "../../testing/rehearsal/engine/values";
import { readProject } from "../../testing/rehearsal/processes/project";
import { StateFile } from "../../testing/rehearsal/state-file";
import { changesOf } from "./changes";
import type { Command, Engine, EngineSettings, RunOptions, RunResult, StoredResource } from "./engine";

/** A stack on the rehearsal engine. */
export class RehearsalEngine implements Engine {
  readonly name = "rehearsal";
  readonly folder: string;
  private readonly stateFile: string;

  constructor(private readonly settings: EngineSettings) {
    this.folder = settings.folder;
    this.stateFile = join(settings.scratch, "state.json");
    // The key is the same in every run, so a recorded state can be restored.
    writeFileSync(`${this.stateFile}.key`, Buffer.alloc(32, "demo").toString("base64"));
  }

  async run(command: Command, { refresh = false, replace = [] }: RunOptions = {}): Promise<RunResult> {
    const { config, secretConfig, env, stack, signal } = this.settings;
    const result = await rehearse(command, {
      program: this.folder,
      state: this.stateFile,
      stack,
      // As with the CLI, a refresh and a destroy use the configuration of the last update.
      ...(command === "preview" || command === "up" ? { config: { ...config }, secretConfig: { ...secretConfig } } : {}),
      refresh,
      replace: [...replace],
      env,
      ...(signal && { signal }),
    });
    const errors = result.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    return {
      ok: result.ok,
      // The CLI reports the results of a refresh, unless an update follows.
      changes: changesOf(command === "refresh" ? result.steps.map((step) => ({ ...step, op: step.outcome ?? step.op })) : result.steps),
      errors,
      text: JSON.stringify(result),
    };
  }

  async resources(): Promise<StoredResource[]> {
    const { state } = new StateFile(this.stateFile, readProject(this.folder).name, this.settings.stack);
    const managed = state.resources.filter(({ type }) => !type.startsWith("pulumi:providers:"));
    return managed.map(({ urn, type, id, inputs, outputs }) => ({
      urn,
      type,
      id,
      inputs: readable(inputs),
      outputs: readable(outputs),
    }));
  }

  async storedState(): Promise<string> {
    return existsSync(this.stateFile) ? readFileSync(this.stateFile, "utf8") : "";
  }

  async restore(state: string): Promise<void> {
    writeFileSync(this.stateFile, state);
  }
}

function readable(properties: PropertyMap): PropertyMap {
  return rewriteMap(properties, (part) => (isSecret(part) ? { secret: part.value ?? null } : part));
}
