import type { DialectName, SimulatorOptions } from "../testing/simulator";
import { Simulator } from "../testing/simulator";
import { type Command, type CommandIo, oneOf, readArguments, text, texts, UsageError, wholeNumber } from "./command-line";
import { exitStatus } from "./exit-status";

const dialectNames: readonly DialectName[] = ["measured", "documented"];

const usage = `usage: npx --no-install pulumi-agentpool-acl simulator [options]
Serves both APIs, empty except for objects from options, until a signal ends it. Prints their addresses and tokens as one line of JSON.
  --dialect NAME                   measured (as real servers respond; when left out) or documented (the documents, to the letter)
  --organization NAME              the organization of the agent pools; example-org when left out
  --pools-port PORT                port of the agent pools; a free one when left out
  --cluster-port PORT              port of the cluster; a free one when left out
  --pools-per-organization NUMBER  how many pools an organization may have; unlimited when left out (documented: 1)
  --policy NAME                    an ACL policy that exists from the start, any number of times
  --workspace NAME                 a workspace that exists from the start, any number of times
  --agent POOL                     an idle agent in the pool of this name, which exists from the start, too; any number of times
  --help                           prints this`;

async function serve(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const numbers = { "pools-port": text, "cluster-port": text, "pools-per-organization": text };
  const { values } = readArguments({
    args,
    options: { dialect: text, organization: text, ...numbers, policy: texts, workspace: texts, agent: texts },
  });
  const servers = await started({
    dialect: oneOf(dialectNames, "dialect", values.dialect),
    organization: values.organization,
    poolsPort: port("pools-port", values["pools-port"]),
    clusterPort: port("cluster-port", values["cluster-port"]),
    // The command has no way to read the journal.
    journalLength: 0,
    poolsPerOrganization: wholeNumber("pools-per-organization", values["pools-per-organization"]),
  });
  for (const name of values.policy ?? []) servers.cluster.policies.put(name);
  for (const name of values.workspace ?? []) servers.pools.addWorkspace(servers.organization, { name });
  for (const name of values.agent ?? []) servers.pools.addAgent(poolNamed(servers, name).id);
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = servers;
  const stopped = new Promise<number>((resolve, reject) => {
    const stop = (): void => void servers.stop().then(() => resolve(exitStatus.done), reject);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  // Printed last, because the reader may send a signal or a request immediately.
  io.print(JSON.stringify({ poolsAddress, poolsToken, organization, clusterAddress, clusterToken }));
  return stopped;
}

const poolNamed = ({ pools, organization }: Simulator, name: string) =>
  pools.list(organization).find((pool) => pool.name === name) ?? pools.put({ organization, name });

const port = (option: string, given: string | undefined) => wholeNumber(option, given, 0, 65_535);

/** @throws UsageError for a port that can't be used */
function started(options: SimulatorOptions): Promise<Simulator> {
  return Simulator.start(options).catch((cause: Error) => {
    throw new UsageError(cause.message, { cause });
  });
}

export const command: Command = { summary: "serves both APIs from memory, to try programs out", usage, run: serve };
