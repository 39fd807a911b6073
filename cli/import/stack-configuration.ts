import { configuration, namespace, propertiesOf, type Settings } from "../../provider/internal";
import { type InventoryObject, resourceOf } from "../inventory/inventory";
import { shellText } from "./text";

/** The keys for the connection to a service, in the order of the commands. Apart from `allowInsecureHttp`, a stack needs no others. */
const keys = {
  pools: ["poolsAddress", "organization", "poolsToken", "poolsCaCert"],
  cluster: [
    "clusterAddress",
    "clusterToken",
    "clusterLogin",
    "clusterRegion",
    "clusterAuthHeader",
    "clusterCaCert",
    "clusterClientCert",
    "clusterClientKey",
    "clusterTlsServerName",
  ],
} as const satisfies Record<string, readonly (keyof Settings)[]>;

/**
 * The commands that configure the services for a new stack. A secret is no argument: its command prompts for it.
 *
 * @param settings undefined if no server was read: an address is then a placeholder
 */
export function configurationCommands(objects: readonly InventoryObject[], settings: Settings | undefined): string[] {
  const used = (["pools", "cluster"] as const).filter((api) => objects.some(({ kind }) => resourceOf(kind)?.api === api));
  const organizations = new Set(objects.flatMap(({ kind, outputs }) => (kind === "AgentPool" ? [String(outputs.organization)] : [])));
  const [organization] = organizations.size === 1 ? organizations : [undefined];
  const given: Partial<Settings> = settings ?? { poolsAddress: "ADDRESS", poolsToken: "-", clusterAddress: "ADDRESS", clusterToken: "-" };
  const values: Partial<Settings> = {
    organization,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
  const commands = used.flatMap((api) => keys[api].flatMap((key) => commandFor(key, values[key]) ?? []));
  return values.allowInsecureHttp ? [...commands, `pulumi config set ${namespace}:allowInsecureHttp true`] : commands;
}

function commandFor(key: keyof Settings, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (propertiesOf(configuration).get(key)?.traits.secret) return `pulumi config set --secret ${namespace}:${key}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `pulumi config set ${namespace}:${key} ${shellText(text)}`;
}
