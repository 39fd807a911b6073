import * as z from "zod";
import type { Environment } from "../../common/environment";
import { nearest } from "../../common/nearest";
import { recordOf } from "../../common/unknown";
import { ConfigurationError } from "../../common/user-error";
import { parseJson } from "../apis/http/response";
import { type Field, field, propertiesOf } from "../model/fields";
import { clusterAddressForm, poolsAddressForm } from "./service-address";

/** The namespace of this provider's keys in a stack's configuration: `pulumi config set agentpool-acl:clusterAddress ...`. */
export const namespace = "agentpool-acl";

const flag = z.union([z.boolean(), z.stringbool()], "must be true or false");
const seconds = z.coerce.number("must be a number of seconds");
const count = z.coerce.number("must be a whole number").int("must be a whole number");

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of an HTTP header");

// The names avoid the word "token": with it, the CLI would refuse the values as secrets.
const loginParts = {
  authMethod: field(
    z.string("must be the name of an auth method").min(1, "must be the name of an auth method"),
    "Name of an auth method of type JWT.",
  ),
  jwtVariable: field(
    // A token that is given by mistake has dots, so it is refused. No error repeats the value.
    z
      .string()
      .regex(/^[A-Za-z_]\w*$/, "must be the name of an environment variable")
      .optional(),
    "Environment variable that holds the identity token, a JWT.",
  ),
  jwtFile: field(
    z.string().min(1, "must be the path of a file").optional(),
    "Path of a file that holds the identity token, relative to the program's folder. The file is read anew at each login.",
  ),
};

const clusterLogin = z
  .strictObject(loginParts, `must be an object that has ${Object.keys(loginParts).join(", ")} and nothing else`)
  .refine(({ jwtVariable, jwtFile }) => (jwtVariable === undefined) !== (jwtFile === undefined), "must have either jwtVariable or jwtFile");

/** Every key of the configuration. A stack's configuration has texts as values; an explicit provider may have other types. */
export const configuration = z.object({
  poolsAddress: field(
    z.string().optional(),
    "Address of the service that holds the agent pools, with or without `/api/v2`. Default: `TFE_ADDRESS`, or `https://` and `TFE_HOSTNAME`.",
    { form: poolsAddressForm.problem },
  ),
  poolsToken: field(
    z.string().optional(),
    "Token for the agent pools. `AGENTPOOL_ACL_POOLS_TOKEN` takes precedence; without either, `TFE_TOKEN` is used.",
    { secret: true },
  ),
  organization: field(z.string().optional(), "Organization of agent pools that name none. Default: `TFE_ORGANIZATION`."),
  clusterAddress: field(z.string().optional(), "Address of the cluster's HTTP API, with or without `/v1`. Default: `NOMAD_ADDR`.", {
    form: clusterAddressForm.problem,
  }),
  clusterToken: field(
    z.string().optional(),
    "Secret identifier of a management token of the cluster. `AGENTPOOL_ACL_CLUSTER_TOKEN` takes precedence; without either, `NOMAD_TOKEN` is used.",
    { secret: true },
  ),
  clusterLogin: field(
    clusterLogin.optional(),
    "Login for a short-lived token of the cluster, instead of `clusterToken`: by an auth method, with the identity token that a pipeline gets from its vendor. `AGENTPOOL_ACL_CLUSTER_TOKEN` takes precedence.",
  ),
  clusterRegion: field(
    z.string().optional(),
    "Region that requests are sent to: the authoritative one. Required if the cluster has several. Default: `NOMAD_REGION`, or the only region.",
  ),
  // The name avoids the word "token": with it, the CLI would refuse the header's name as a secret.
  clusterAuthHeader: field(
    headerName.optional(),
    "The only header that carries the cluster's token. Default: `X-Cluster-Token` and `X-Nomad-Token`, both in each request.",
  ),
  clusterCaCert: field(
    z.string().optional(),
    "PEM text, or path, of the CA certificates that the cluster's certificate is checked with. Default: `NOMAD_CACERT`.",
  ),
  clusterClientCert: field(
    z.string().optional(),
    "PEM text, or path, of the client certificate for the cluster. Default: `NOMAD_CLIENT_CERT`.",
  ),
  clusterClientKey: field(
    z.string().optional(),
    "PEM text, or path, of the client certificate's key. `AGENTPOOL_ACL_CLUSTER_CLIENT_KEY` takes precedence; without either, `NOMAD_CLIENT_KEY` is used.",
    { secret: true },
  ),
  clusterTlsServerName: field(
    z.string().optional(),
    "Name that the cluster's certificate must have, if it is not the host of the address. Default: `NOMAD_TLS_SERVER_NAME`.",
  ),
  poolsCaCert: field(
    z.string().optional(),
    "PEM text, or path, of the CA certificates that the agent pool service's certificate is checked with.",
  ),
  requestTimeoutSeconds: field(
    seconds.gt(0, "must be more than 0").default(30),
    "Seconds that one try of a request may take, including its response: more than 0.",
  ),
  maxRetries: field(
    count.min(0, "must be 0 or more").default(4),
    "Maximal number of repetitions of a request after transient faults, if they are safe: 0 or more.",
  ),
  maxConcurrentRequests: field(
    count.min(1, "must be 1 or more").default(32),
    "Maximal number of requests, and so of connections, that are open to one address: 1 or more.",
  ),
  readSnapshotSeconds: field(
    seconds.min(0, "must be 0 or more").default(10),
    "Seconds for which one list of a kind of objects serves the reads of an operation, such as a refresh: 0 or more; 0 reads every object singly.",
  ),
  allowInsecureHttp: field(
    flag.default(false),
    "Whether a token may be sent over plain http to an address that is not this machine's own.",
  ),
  acceptMovedServer: field(
    flag.default(false),
    "Whether an object of another server that is missing on the configured server counts as gone, and may be replaced there. For one run after a server was moved or restored: " +
      "`AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true` takes precedence, and also applies to a destroy or refresh.",
  ),
});

/** The value of a key. Stacks and SDKs give an object as JSON text, which is parsed here. */
export function settingOf(field: Field | undefined, given: unknown): unknown {
  return field?.shape.kind === "object" && typeof given === "string" ? (parseJson(given) ?? given) : given;
}

/** Whether the engine itself adds this key to the settings. */
export function isEngineKey(key: string): boolean {
  return key === "version" || key === "pluginDownloadURL" || key.startsWith("__");
}

/** The warning for an unknown key of a stack's configuration; undefined for a setting, or a key of the engine. */
export function meaningless(key: string): string | undefined {
  const known = configuration.keyof().options;
  if (isEngineKey(key) || known.some((name) => name === key)) return undefined;
  const near = nearest(key, known);
  const way = near ? `Did you mean ${namespace}:${near}?` : `The keys are ${known.join(", ")}.`;
  return `The configuration key ${namespace}:${key} means nothing to this provider. ${way}`;
}

export type Settings = z.output<typeof configuration>;
export type SettingKey = keyof Settings;

/** The source of each setting, in words for an error message. */
type Sources = Partial<Record<SettingKey, string>>;

/** The variables that are used if the configuration has no value. */
const environmentDefaults: Partial<Record<SettingKey, readonly string[]>> = {
  poolsAddress: ["TFE_ADDRESS", "TFE_HOSTNAME"],
  poolsToken: ["TFE_TOKEN"],
  organization: ["TFE_ORGANIZATION"],
  clusterAddress: ["NOMAD_ADDR"],
  clusterToken: ["NOMAD_TOKEN"],
  clusterRegion: ["NOMAD_REGION"],
  clusterCaCert: ["NOMAD_CACERT"],
  clusterClientCert: ["NOMAD_CLIENT_CERT"],
  clusterClientKey: ["NOMAD_CLIENT_KEY"],
  clusterTlsServerName: ["NOMAD_TLS_SERVER_NAME"],
};

/**
 * The variables that take precedence over the configuration: the engine configures destroy and refresh from the last update, whose token
 * may have been rotated since.
 */
export const environmentOverrides: Partial<Record<SettingKey, string>> = {
  poolsToken: "AGENTPOOL_ACL_POOLS_TOKEN",
  clusterToken: "AGENTPOOL_ACL_CLUSTER_TOKEN",
  clusterClientKey: "AGENTPOOL_ACL_CLUSTER_CLIENT_KEY",
  acceptMovedServer: "AGENTPOOL_ACL_ACCEPT_MOVED_SERVER",
};

/**
 * The remedy for a server that was moved or restored. The variable applies to any operation, and only to the run for which it is set. The
 * stack's configuration would not reach a destroy or refresh, which use the configuration of the last update.
 */
export function howToAcceptMovedServer(command: "up --refresh --run-program" | "refresh" = "up --refresh --run-program"): string {
  return `run \`pulumi ${command}\` once with the environment variable ${environmentOverrides.acceptMovedServer}=true`;
}

export interface Resolved {
  readonly settings: Settings;
  readonly sources: Sources;
  /** The services whose values are arguments of a provider in the program, instead of the stack's configuration. */
  readonly explicit: ReadonlySet<ServiceKey>;
  /**
   * The reason why an existing variable or value of a setting was not used: a sentence for an error. It is missing for a provider that is
   * the program's by its name.
   */
  readonly unused: Sources;
  /** The environment, for values that are read later, such as the proxy for an address. */
  readonly env: Environment;
  /** Whether this is the configuration of one of this package's commands, instead of an operation on a stack. */
  readonly isOfCommand?: true;
}

/**
 * The origin of the given values. The engine passes the stack's configuration to its default providers. Only their names distinguish them,
 * and programs may use such names, too. "by address": a provider with such a name counts as the program's for each service to which it
 * gives an address that is neither the stack's nor the environment's.
 */
export type Origin = "stack" | "program" | "by address";

/**
 * Resolves the configuration, in this order: the overriding variables (a provider of the program takes no secrets from them), the given
 * values, the usual variables, the defaults. The usual variables are for the server that the environment names: a provider of the program
 * uses none for a service whose address it gives, and no token of a usual variable is sent to the stack's address if the environment names
 * another address.
 *
 * @throws ConfigurationError naming every key whose value is not allowed. The client that needs a missing value reports it.
 */
export function resolveConfiguration(get: (key: SettingKey) => unknown, env: Environment, origin: Origin = "stack"): Resolved {
  const explicit = new Set(serviceKeys.filter((service) => isOfProgram(service, get, env, origin)));
  const sources: Sources = {};
  const unused: Sources = {};
  const given: Record<string, unknown> = {};
  const fields = propertiesOf(configuration);
  for (const key of configuration.keyof().options) {
    for (const { value, source, refused } of candidates(key, get, env, explicit.has(serviceOf(key)))) {
      if (refused === undefined) {
        given[key] = settingOf(fields.get(key), value);
        sources[key] = source;
        break;
      }
      // The reason speaks of the address, which does not matter if the name alone shows that the provider is the program's.
      if (origin !== "program") unused[key] ??= `${refused}.`;
    }
  }
  const parsed = configuration.safeParse(given);
  if (!parsed.success) {
    // The issues name the requirement, and never the value, which may be a secret.
    const reasons = parsed.error.issues.map((issue) => `${namespace}:${issue.path.join(".")} ${issue.message}`);
    throw new ConfigurationError("configuration-invalid", `The configuration can't be used: ${reasons.join("; ")}.`);
  }
  if (isGiven(get("clusterToken")) && isGiven(get("clusterLogin"))) {
    throw new ConfigurationError(
      "configuration-invalid",
      `The configuration can't be used: it has both ${namespace}:clusterToken and ${namespace}:clusterLogin. Remove clusterToken to log in, or clusterLogin to use the token.`,
    );
  }
  return { settings: parsed.data, sources, explicit, unused, env };
}

interface Candidate {
  readonly value: unknown;
  readonly source: string;
  /** The reason why the value is not used. */
  readonly refused?: string | undefined;
}

/** The values for a key, in the order of precedence. */
function* candidates(key: SettingKey, get: (key: SettingKey) => unknown, env: Environment, isExplicit: boolean): Generator<Candidate> {
  const service = serviceOf(key);
  const address = get(service);
  const [ofEnvironment] = variables(env, service);
  const override = environmentOverrides[key];
  if (override && env[override]) {
    // A token or a key belongs to one server, and a provider of the program may have another one.
    const refused = isExplicit && isSecret(key) ? notOfStack(override, service) : undefined;
    yield { value: env[override], source: `the environment variable ${override}`, refused };
  }
  const value = get(key);
  if (isGiven(value)) {
    const source = isExplicit ? `the provider's argument ${key}` : `the configuration key ${namespace}:${key}`;
    // The variable with a token is for a single run, which may have to repair the login.
    const other = key === "clusterLogin" && !isExplicit ? environmentOverrides.clusterToken : undefined;
    yield { value, source, refused: other && env[other] ? `${other} takes precedence over it` : undefined };
  }
  const isElsewhere = isGiven(address) && ofEnvironment !== undefined && !isSameAddress(service, address, ofEnvironment.value);
  for (const { variable, value: text } of variables(env, key)) {
    let refused: string | undefined;
    if (isExplicit && isGiven(address)) refused = notOfStack(variable, service);
    else if (key === "clusterToken" && isGiven(get("clusterLogin")))
      refused = `${variable} is set, but not used: clusterLogin is configured`;
    else if (isElsewhere && tokens.has(key)) refused = elsewhere(variable, ofEnvironment.variable, service);
    yield { value: text, source: `the environment variable ${variable}`, refused };
  }
}

function notOfStack(variable: string, service: ServiceKey): string {
  return (
    `${variable} is set, but not used: the provider has an address of its own (its ${service} is neither that of the stack's configuration ` +
    "nor that of the environment), and the variable may be for another server"
  );
}

function elsewhere(variable: string, addressVariable: string, service: ServiceKey): string {
  return (
    `${variable} is set, but not used: it is for the server that ${addressVariable} names, which is not that of ${namespace}:${service}. ` +
    `If both are the same server, give both the same address, or unset ${addressVariable}`
  );
}

const serviceKeys = ["poolsAddress", "clusterAddress"] as const;

/** A service, by the key of its address. */
type ServiceKey = (typeof serviceKeys)[number];

/** The credentials that are sent to the service's address, and would let it act for the user. */
const tokens: ReadonlySet<SettingKey> = new Set<SettingKey>(["poolsToken", "clusterToken"]);

/** The service that a setting belongs to. A setting of both counts as the agent pools'. */
export function serviceOf(key: SettingKey): ServiceKey {
  return key.startsWith("cluster") ? "clusterAddress" : "poolsAddress";
}

function isOfProgram(service: ServiceKey, get: (key: SettingKey) => unknown, env: Environment, origin: Origin): boolean {
  if (origin !== "by address") return origin === "program";
  const address = get(service);
  if (!isGiven(address)) return false;
  const others = [configurationIn(env)[service], variables(env, service)[0]?.value];
  return !others.some((other) => isSameAddress(service, address, other));
}

/** The configuration of the stack, which the engine passes to the process of every plugin. */
function configurationIn(env: Environment): Record<string, unknown> {
  return recordOf(parseJson(env.PULUMI_CONFIG ?? ""));
}

/** Whether the stack's configuration has a login, but this operation lacks it, because it uses the configuration of an earlier update. */
export function hasUnsavedLogin({ settings, explicit, env }: Resolved): boolean {
  if (settings.clusterLogin || explicit.has("clusterAddress") || env[environmentOverrides.clusterToken ?? ""]) return false;
  return isGiven(configurationIn(env).clusterLogin);
}

function isSameAddress(service: ServiceKey, one: unknown, other: unknown): boolean {
  const form = service === "clusterAddress" ? clusterAddressForm : poolsAddressForm;
  return typeof one === "string" && typeof other === "string" && form.isSame(one, other);
}

/** The existing usual variables of a key, with their values in the key's form. */
function variables(env: Environment, key: SettingKey): { readonly variable: string; readonly value: string }[] {
  return (environmentDefaults[key] ?? []).flatMap((variable) => {
    const text = env[variable];
    return text ? [{ variable, value: variable === "TFE_HOSTNAME" ? `https://${text}` : text }] : [];
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function isSecret(key: SettingKey): boolean {
  return propertiesOf(configuration).get(key)?.traits.secret === true;
}

/** Whether a certificate or key is given as its text, and not as the path of a file. */
export function isPemText(value: string): boolean {
  return value.includes("-----BEGIN");
}

/** The ways to give a value, in words for an error message. They exclude an existing variable that may not be used. */
export function waysToSet(key: SettingKey, { unused, isOfCommand }: Pick<Resolved, "unused" | "isOfCommand">): string {
  const usual = unused[key] ? [] : (environmentDefaults[key] ?? []);
  const variables = [environmentOverrides[key], ...usual].filter((name) => name !== undefined);
  const option = isSecret(key) ? "--config-file" : `--config ${key}=VALUE`;
  const way = isOfCommand
    ? option
    : `\`pulumi config set ${isSecret(key) ? `--secret ${namespace}:${key}` : `${namespace}:${key} VALUE`}\``;
  return `set ${key} with ${way} or the environment variable ${variables.join(" or ")}`;
}
