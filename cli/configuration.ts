import * as z from "zod";
import { configuration, namespace, propertiesOf, type Resolved, resolveConfiguration, type SettingKey } from "../provider/internal";
import { CommandError, keyValues, text, texts, UsageError } from "./command-line";
import { jsonOf, pulumi, readInput } from "./input";

/** The configuration options of all commands that read servers, for `readArguments`. */
export const configurationOptions = {
  config: texts,
  "config-file": text,
};

/** The lines of `--help` about these options. */
export const configurationUsage = `  --config KEY=VALUE   a key of the provider's configuration, such as clusterAddress, any number of times; no secrets
  --config-file FILE   the configuration as a JSON object of such keys, including tokens; - is standard input
                       other keys come from the environment, as for the provider: TFE_TOKEN, NOMAD_ADDR, ...
                       With clusterLogin, the command logs in, which makes a token`;

export interface ConfigurationArguments {
  readonly config?: readonly string[] | undefined;
  readonly "config-file"?: string | undefined;
}

export interface StackArguments {
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The configuration of a command: `--config` first, then `--config-file`, the stack's configuration, and the environment. As for the
 * provider, the variables AGENTPOOL_ACL_... take precedence.
 *
 * @param stack the configuration of a stack
 * @throws UsageError for an unknown key of `--config` or `--config-file`, and for a secret in an argument, which other processes can read
 */
export async function readConfiguration(given: ConfigurationArguments, stack: Values = {}, env = process.env): Promise<Resolved> {
  const values: Values = { ...stack, ...(await fileValues(given["config-file"])), ...argumentValues(given.config) };
  return { ...resolveConfiguration((key) => values[key], env), isOfCommand: true };
}

/** @throws UsageError for server options together with a source that reads no server: they would have no effect */
export function refuseServerOptions(source: string, given: ConfigurationArguments & { readonly organization?: unknown }): void {
  const unread = (["config", "config-file", "organization"] as const).filter((name) => given[name] !== undefined);
  if (unread.length > 0) throw new UsageError(`--${source} reads no server: leave out --${unread.join(" and --")}`);
}

function argumentValues(pairs: readonly string[] | undefined): Values {
  return Object.fromEntries(
    keyValues("config", pairs).map(([given, value]) => {
      const key = keyOf(given, "--config");
      if (propertiesOf(configuration).get(key)?.traits.secret) {
        throw new UsageError(
          `--config ${key}: a secret must not be an argument, which other processes can read. Set its environment variable, or give it by --config-file`,
        );
      }
      return [key, value];
    }),
  );
}

async function fileValues(path: string | undefined): Promise<Values> {
  if (path === undefined) return {};
  const parsed = z.record(z.string(), z.unknown()).safeParse(await readInput(path, jsonOf));
  if (!parsed.success) throw new CommandError(`${path} must be a JSON object of configuration keys.`);
  return Object.fromEntries(Object.entries(parsed.data).map(([key, value]) => [keyOf(key, path), value]));
}

/** The project folder of a stack. @throws UsageError for a folder without a stack */
export function stackFolder({ stack, cwd }: StackArguments): string {
  if (cwd !== undefined && stack === undefined) throw new UsageError("--cwd goes with --stack");
  return cwd ?? process.cwd();
}

/** Reads the configuration of a stack, including secrets, with the Pulumi CLI on PATH. @param cwd the folder of the project */
export async function stackConfiguration(stack: string, cwd: string): Promise<Values> {
  const settings = await pulumi(["config", "--json", "--show-secrets", "--stack", stack], cwd);
  const all = z
    .record(z.string(), z.object({ value: z.string().optional() }))
    .parse(jsonOf(settings, `the configuration of stack ${stack}`));
  const ours = Object.entries(all).filter(([key]) => key.startsWith(`${namespace}:`));
  return Object.fromEntries(ours.map(([key, { value }]) => [key.slice(namespace.length + 1), value]));
}

function keyOf(given: string, source: string): SettingKey {
  const name = given.startsWith(`${namespace}:`) ? given.slice(namespace.length + 1) : given;
  const key = configuration.keyof().options.find((option) => option === name);
  if (key === undefined) {
    throw new UsageError(`${source}: there is no key ${JSON.stringify(name)}. The keys are ${configuration.keyof().options.join(", ")}`);
  }
  return key;
}
