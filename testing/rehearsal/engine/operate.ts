import { availableParallelism } from "node:os";
import { Deployment } from "./deployment";
import type { Operation } from "./operation";
import { EngineError, messageOf, Stopped } from "./operation";
import type { ProviderHost } from "./provider";
import type { Diagnostic, RehearsedStep, Report } from "./report";
import type { ConfigValue, StackState } from "./state";
import { mapValues, Snapshot } from "./state";
import { STACK_TYPE } from "./urn";
import type { PropertyMap } from "./values";
import { redact, reveal, secret } from "./values";

const commands = ["preview", "up", "refresh", "destroy"] as const;
export type RehearseCommand = (typeof commands)[number];

export interface RehearseResult {
  /** Everything was done, and nothing was an error. */
  ok: boolean;
  /** In the order in which they ended, also a failed one. */
  steps: RehearsedStep[];
  /** How many resources were created, updated, ...; for a refresh, how many were found changed or deleted. */
  summary: Record<string, number>;
  /** The stack's outputs; secrets as "[secret]", values that a preview does not know as "[unknown]". */
  outputs: Record<string, unknown>;
  diagnostics: Diagnostic[];
}

export interface OperateOptions {
  command: RehearseCommand;
  state: StackState;
  /** The configuration of the provider. An update stores it. */
  config: Record<string, ConfigValue>;
  provider: ProviderHost;
  /** Registers everything with the deployment. Throws when the program failed. Not called by refresh and destroy. */
  program: (deployment: Deployment) => Promise<void>;
  /** Called with the state after every change of it; never in a preview. */
  save: (state: StackState) => void;
  refresh?: boolean | undefined;
  replace?: string[] | undefined;
  /** Default: 4 x processors. */
  parallel?: number | undefined;
  showSecrets?: boolean | undefined;
  report: Report;
  now?: (() => Date) | undefined;
  /** Ends the operation: the provider's running calls are cancelled and awaited. */
  signal?: AbortSignal | undefined;
}

/** Runs one command on the state and returns the new one. Errors are in the result and not thrown. */
export async function operate(options: OperateOptions): Promise<RehearseResult> {
  // A test in JavaScript may name another one, which would delete all that no program declares.
  if (!commands.includes(options.command)) throw new TypeError(`the command must be one of ${commands.join(", ")}`);
  const operation = begin(options);
  const { report, provider } = operation;
  const deployment = new Deployment(operation);
  const cancel = (): void => {
    report.log("error", "cancelled: running calls are finished, and nothing new begins");
    deployment.stop();
    provider.cancel().catch((error: unknown) => report.log("warning", `the provider could not be cancelled: ${messageOf(error)}`));
  };
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted) cancel();
  try {
    await carryOut(options, operation, deployment);
  } catch (error) {
    if (error instanceof Stopped) deployment.stop();
    else deployment.fail(error);
  } finally {
    await deployment.drain();
    deployment.keepStackOutputs();
    options.signal?.removeEventListener("abort", cancel);
  }
  const stack = operation.snapshot.resources().find((resource) => resource.type === STACK_TYPE);
  const outputs = stack?.outputs ?? {};
  return {
    ok: !report.hasErrors && !deployment.isStopped,
    steps: report.steps,
    summary: summarize(options.command, report.steps),
    outputs: options.showSecrets ? reveal(outputs) : redact(outputs),
    diagnostics: report.diagnostics,
  };
}

function begin(options: OperateOptions): Operation {
  const { command, state } = options;
  const preview = command === "preview";
  const keepsConfig = command === "up";
  // A copy, because the engine marks resources in place, also in a preview.
  const snapshot = new Snapshot(structuredClone(state.resources));
  const config = keepsConfig ? options.config : state.config;
  return {
    stack: state.stack,
    project: state.project,
    preview,
    parallel: options.parallel ?? 4 * availableParallelism(),
    replace: new Set(options.replace),
    snapshot,
    provider: options.provider,
    report: options.report,
    now: options.now ?? (() => new Date()),
    save: () => {
      if (!preview) options.save({ project: state.project, stack: state.stack, config, resources: snapshot.resources() });
    },
  };
}

async function carryOut(
  options: OperateOptions,
  { provider, report, replace, snapshot }: Operation,
  deployment: Deployment,
): Promise<void> {
  const unknown = [...replace].filter((urn) => snapshot.old(urn) === undefined);
  if (unknown.length > 0)
    throw new EngineError(undefined, ...unknown.map((urn) => `there is no resource ${urn} to replace: check the URN`));
  if (deployment.isStopped) throw new Stopped();
  await provider.configure(configProperties(options.config));
  const { command } = options;
  if (command === "refresh" || options.refresh) {
    await deployment.refresh();
    if (report.hasErrors) throw new Stopped();
  }
  if (command === "preview" || command === "up") {
    await options.program(deployment);
  }
  if (command !== "refresh" && !deployment.isStopped) await deployment.finish();
}

function configProperties(config: Record<string, ConfigValue>): PropertyMap {
  return mapValues(config, (item) => (item.secret ? secret(item.value) : item.value));
}

/** A replacement counts once; its creation and its deletion don't count. */
function summarize(command: RehearseCommand, steps: RehearsedStep[]): Record<string, number> {
  const parts = new Set(["create-replacement", "delete-replaced", "read-replacement", "discard-replaced"]);
  const summary: Record<string, number> = {};
  for (const step of steps) {
    const counted = step.op === "refresh" ? (command === "refresh" ? step.outcome : undefined) : step.op;
    if (step.failed || counted === undefined || parts.has(counted)) continue;
    summary[counted] = (summary[counted] ?? 0) + 1;
  }
  return summary;
}
