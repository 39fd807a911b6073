import { Deployment } from "./deployment";
import type { OperationOptions, RehearseCommand } from "./operation";
import { EngineError, messageOf, Operation, Stopped } from "./operation";
import { refresh } from "./refresh";
import type { Diagnostic, RehearsedStep } from "./report";
import type { ConfigValue } from "./state";
import { mapValues } from "./state";
import { STACK_TYPE } from "./urn";
import type { PropertyMap } from "./values";
import { redact, reveal, secret } from "./values";

export interface RehearseResult {
  /** Whether everything was done, without an error. */
  ok: boolean;
  /** The steps in the order in which they ended, including a failed one. */
  steps: RehearsedStep[];
  /** The numbers of created, updated, ... resources; for a refresh, of resources that were found unchanged, changed or deleted. */
  summary: Record<string, number>;
  /** The stack's outputs; secrets as "[secret]", unknown values of a preview as "[unknown]". */
  outputs: Record<string, unknown>;
  diagnostics: Diagnostic[];
}

export interface OperateOptions extends OperationOptions {
  /**
   * Runs the program, which registers its resources with the deployment. Throws when the program failed. Not called by refresh and destroy.
   */
  program: (deployment: Deployment) => Promise<void>;
  refresh?: boolean | undefined;
  showSecrets?: boolean | undefined;
  /** Ends the operation: the provider's running calls are cancelled and awaited. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs one command on the state, and passes each new state to `save`. Errors of the command are in the result and not thrown. Only an
 * unknown command throws.
 */
export async function operate(options: OperateOptions): Promise<RehearseResult> {
  const operation = new Operation(options);
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

async function carryOut(options: OperateOptions, operation: Operation, deployment: Deployment): Promise<void> {
  const { provider, report, replace, snapshot } = operation;
  const unknown = [...replace].filter((urn) => snapshot.old(urn) === undefined);
  if (unknown.length > 0)
    throw new EngineError(undefined, ...unknown.map((urn) => `there is no resource ${urn} to replace: check the URN`));
  if (deployment.isStopped) throw new Stopped();
  await provider.configure(configProperties(options.config));
  const { command } = options;
  if (command === "refresh" || options.refresh) {
    await refresh(operation, deployment);
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
