import { type RehearsalEvent, rehearse } from "../testing/rehearsal";
import { messageOf } from "../testing/rehearsal/engine/operation";
import { renderResult, renderStep } from "../testing/rehearsal/print";
import { configuresServices } from "../testing/rehearsal/services";
import { type Command, type CommandIo, flag, keyValues, readArguments, text, texts, UsageError, wholeNumber } from "./command-line";
import { exitStatus } from "./exit-status";
import { statusAfter } from "./failures";

const usage = `usage: npx --no-install pulumi-agentpool-acl rehearse preview|up|refresh|destroy --program DIR --state FILE
Runs a Node program as the Pulumi CLI does, without the CLI.
  --program DIR              the folder of the project (Pulumi.yaml)
  --state FILE               the file of the stack's state
  --config KEY=VALUE         configuration, any number of times
  --secret-config KEY=VALUE  the same, encrypted in the state
  --stack NAME               the stack's name; "rehearsal" when left out
  --refresh                  reads all resources before preview, up and destroy
  --replace URN              replaces this resource, any number of times
  --parallel N               how many resources to process at a time; 4 x processors when left out
  --inherit-env              passes NOMAD_*, TFE_* and AGENTPOOL_ACL_* of the environment on; otherwise the program gets no service of your shell
  --json                     prints the result as JSON
  --help                     prints this`;

function readInvocation(args: string[]) {
  const lists = { config: texts, "secret-config": texts, replace: texts };
  const options = { program: text, state: text, stack: text, parallel: text, ...lists, refresh: flag, "inherit-env": flag, json: flag };
  const { values, positionals } = readArguments({ args, allowPositionals: true, options });
  const command = (["preview", "up", "refresh", "destroy"] as const).find((name) => name === positionals[0]);
  if (command === undefined || positionals.length !== 1) throw new UsageError("give one of preview, up, refresh and destroy");
  const { program, state, json } = values;
  if (program === undefined || state === undefined) throw new UsageError("--program and --state are needed");
  const services = servicesOf(process.env);
  const isInheriting = values["inherit-env"] === true;
  const parallel = wholeNumber("parallel", values.parallel, 1);
  const chosen = {
    program,
    state,
    config: Object.fromEntries(keyValues("config", values.config)),
    secretConfig: Object.fromEntries(keyValues("secret-config", values["secret-config"])),
    replace: values.replace ?? [],
    refresh: values.refresh === true,
    env: isInheriting ? services : {},
    ...(values.stack !== undefined && { stack: values.stack }),
    ...(parallel !== undefined && { parallel }),
  };
  // The service variables that were not passed on.
  const kept = isInheriting ? [] : Object.keys(services);
  return { command, options: chosen, json: json === true, kept };
}

/** The variables with addresses and tokens of services: a rehearsal must not change real services by accident. */
function servicesOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const services = Object.entries(env).flatMap(([name, value]) => (value !== undefined && configuresServices(name) ? [[name, value]] : []));
  return Object.fromEntries(services);
}

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const { command, options, json, kept } = readInvocation(args);
  const onEvent = (event: RehearsalEvent): void => {
    const line = event.kind === "finished" && !json ? renderStep(event.step) : undefined;
    if (line !== undefined) io.print(line);
  };
  try {
    const result = await rehearse(command, { ...options, onEvent, signal });
    io.print(json ? JSON.stringify(result, undefined, 2) : `\n${renderResult(command, result)}`);
    if (!result.ok && kept.length > 0) io.complain(`not used without --inherit-env: ${kept.sort().join(", ")}`);
    if (signal.aborted) return statusAfter(signal);
    return result.ok ? exitStatus.done : exitStatus.failed;
  } catch (error) {
    // There is nothing to run, or the state can't be read.
    io.complain(messageOf(error));
    return exitStatus.failed;
  }
}

export const command: Command = { summary: "runs a program without the Pulumi CLI", usage, run };
