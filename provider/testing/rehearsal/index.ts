/**
 * The rehearsal engine: runs a Pulumi program without the Pulumi CLI, for tests and for trying things out.
 *
 * `rehearse` runs real processes: the program, its own SDK and the SDK's dynamic host are the real ones, and only the engine between them is a
 * stand-in, which speaks the engine's interfaces (ResourceMonitor, Engine, ResourceProvider). `rehearseInProcess` runs the same engine with the
 * program as a function and the providers as objects: no processes, no SDK, thousands of lifecycles a minute.
 *
 * It follows the real engine in what it calls, in which order, with what, and in the state that results; a test runs both side by side. What it leaves
 * out is listed in DIFFERENCES.md.
 */
import type { RehearseCommand, RehearseResult } from "./engine/operate";
import type { RehearseOptions } from "./options";
import type * as Processes from "./processes/run";

export type { DynamicConfig, DynamicHandlers, DynamicProviders } from "./dynamic-handlers";
export type { RehearseCommand, RehearseResult } from "./engine/operate";
export type { Diagnostic, RehearsalEvent, RehearsedStep, StepOperation } from "./engine/report";
export type { ResourceState, StackState } from "./engine/state";
export type { HostedOptions, InProcessOptions, ProgramContext, ResourceOptions, ResourceRef } from "./in-process";
export { rehearseInProcess } from "./in-process";
export type { RehearseOptions } from "./options";

/**
 * Runs one command on a Pulumi project. What goes wrong in the program or in a provider is in the result; rejects only when there is nothing to
 * run (no project, no SDK) or when the state file cannot be read.
 */
export async function rehearse(command: RehearseCommand, options: RehearseOptions): Promise<RehearseResult> {
  // Loaded here: gRPC and the engine's messages take a tenth of a second that tests in one process do not need.
  const processes: typeof Processes = require("./processes/run");
  return processes.rehearseWithProcesses(command, options);
}
