import { parseArgs } from "node:util";
import type { DialectName } from "./index";
import { dialects, Simulator } from "./index";

const USAGE = `usage: simulator [options]
  --dialect NAME                   measured (a running server, unless given) or documented (the API documents, to the letter)
  --organization NAME              the organization of the agent pools; example-org when left out
  --pools-port PORT                port of the agent pools; a free one when left out
  --cluster-port PORT              port of the cluster; a free one when left out
  --pools-per-organization NUMBER  how many pools an organization may have; 1 when left out, as documented
  --policy NAME                    an ACL policy that is there from the start, any number of times
  --help                           prints this`;

/** Serves both APIs until SIGINT or SIGTERM, and prints one line of JSON with what a client needs. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dialect: { type: "string" },
      organization: { type: "string" },
      "pools-port": { type: "string" },
      "cluster-port": { type: "string" },
      "pools-per-organization": { type: "string" },
      policy: { type: "string", multiple: true },
      help: { type: "boolean" },
    },
  });
  if (values.help) return console.log(USAGE);
  const simulator = await Simulator.start({
    dialect: dialectName(values.dialect),
    organization: values.organization,
    poolsPort: wholeNumber("pools-port", values["pools-port"]),
    clusterPort: wholeNumber("cluster-port", values["cluster-port"]),
    poolsPerOrganization: wholeNumber("pools-per-organization", values["pools-per-organization"]),
  });
  for (const name of values.policy ?? []) simulator.cluster.policies.put(name);
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = simulator;
  const stop = (): void => void simulator.stop().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // Last, because whoever reads the line may send a signal or a request right away.
  console.log(JSON.stringify({ poolsAddress, poolsToken, organization, clusterAddress, clusterToken }));
}

function dialectName(value: string | undefined): DialectName | undefined {
  if (value === undefined || value === "measured" || value === "documented") return value;
  throw new Error(`--dialect must be ${Object.keys(dialects).join(" or ")}, not "${value}"`);
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw new Error(`--${option} must be a whole number, not "${value}"`);
  return Number(value);
}

main().catch((error: unknown) => {
  console.error(`simulator: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exit(1);
});
