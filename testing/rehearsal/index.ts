/**
 * The rehearsal engine: runs a Pulumi program without the Pulumi CLI, for tests and trials.
 *
 * `rehearse` runs real processes: the program, its SDK and the SDK's dynamic host are real, and only the engine between them is replaced,
 * with the same interfaces (ResourceMonitor, Engine, ResourceProvider). `rehearseInProcess` runs the same engine with the program as a
 * function and the providers as objects: no processes, no SDK, thousands of lifecycles a minute.
 *
 * The rehearsal engine makes the same calls as the real one, in the same order, with the same values, and writes the same state: a test
 * compares both. DIFFERENCES.md lists the differences.
 */
import type { RehearseResult } from "./engine/operate";
import type { RehearseCommand } from "./engine/operation";
import type { RehearseOptions } from "./options";
import type * as Processes from "./processes/run";

export type { DynamicConfig, DynamicHandlers, DynamicProviders } from "./dynamic-handlers";
export type { RehearseResult } from "./engine/operate";
export type { RehearseCommand } from "./engine/operation";
export type { Diagnostic, RehearsalEvent, RehearsedStep, StepOperation } from "./engine/report";
export type { ResourceState, StackState } from "./engine/state";
export type { HostedOptions, InProcessOptions, ProgramContext, ResourceOptions, ResourceRef } from "./in-process";
export { rehearseInProcess } from "./in-process";
export type { RehearseOptions } from "./options";

/**
 * Runs one command on a Pulumi project. Errors of the program or of a provider are in the result. Rejects only if there is nothing to run
 * (no project, no SDK, no such command), or if the state file can't be read or belongs to another stack.
 */
export async function rehearse(command: RehearseCommand, options: RehearseOptions): Promise<RehearseResult> {
  // Loaded here, because gRPC and the engine's messages take a tenth of a second, and tests in one process don't need them.
  const processes: typeof Processes = require("./processes/run");
  return processes.rehearseWithProcesses(command, options);
}
