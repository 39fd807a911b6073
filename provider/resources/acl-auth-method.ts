import * as z from "zod";
import { templateProblem } from "../../access/template";
import { parseDuration } from "../../common/durations";
import { ownProperty } from "../../common/own-property";
import { isRecord, recordOf } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import type { AuthMethod, AuthMethodStub } from "../apis/cluster/client";
import { storedSecrets } from "../apis/cluster/method-config";
import { isApiError } from "../apis/http/errors";
import { getter, lister, named } from "../functions/look-ups";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import { later } from "../lifecycle/gone";
import { versionOf } from "../lifecycle/version";
import { formatPath } from "../model/check";
import { differences, sameInputs } from "../model/diff";
import { duration, field, propertiesOf } from "../model/fields";
import type { Properties, Remote } from "../model/remote";
import type { StateOf } from "../model/state";
import { labelInProgram, listOf, someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import {
  areSecretsInDoubt,
  checkConfig,
  config,
  configFromWire,
  configToUpdate,
  configToWire,
  ignoredForOidc,
  missingFields,
  readableConfig,
  withoutAudiences,
} from "./auth-method/config";
import {
  givenSecrets,
  lostByChange,
  lostByReplacement,
  lostSecrets,
  markedSecrets,
  secretsOf,
  unknownForNew,
  withChangedSecrets,
  withoutCredential,
} from "./auth-method/secrets";
import { byDeleting, byReplacing, isImmutable, refuseUnchangeable, warnOfUnseen } from "./auth-method/without-hash";
import { clusterOutputs, times } from "./cluster-outputs";

const kind = "AclAuthMethod";
const source = "Access-control interface, Auth method";

const inputs = z.object({
  name: field(
    z.string().regex(/^[A-Za-z0-9-]{1,128}$/, "must be 1 to 128 letters, digits or dashes"),
    "Name of the method, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes.",
    { replaces: true, source },
  ),
  type: field(z.enum(["OIDC", "JWT"], 'must be "OIDC" or "JWT"'), "Kind of login.", { source }),
  tokenLocality: field(
    z.enum(["local", "global"], 'must be "local" or "global"'),
    "Whether the tokens of logins are valid in one region (`local`) or in all regions (`global`).",
    { source },
  ),
  maxTokenTtl: field(
    duration.refine((value) => (parseDuration(value) ?? 1n) > 0n, "must be more than 0"),
    `Maximal lifetime of the tokens of logins, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured.`,
    { duration: true, source },
  ),
  tokenNameFormat: field(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
    z.string().min(1, "must not be empty; leave it out for the default").default("${auth_method_type}-${auth_method_name}"),
    `Template for the names of the tokens of logins; \`\${name}\` is interpolated.`,
    { form: templateProblem, source },
  ),
  default: field(z.boolean().default(false), "Whether logins that name no method use this one. A cluster has one default.", {
    source,
  }),
  config: field(config, "Configuration of the identity provider.", { source }),
  adopt,
});

const outputs = clusterOutputs("method", {
  hash: field(z.string().optional(), "Hash of the method's content, including the secrets, if the server returns one."),
  ...times("method"),
  unmanagedSecrets: field(
    z.array(z.string()).optional(),
    "Paths of the cluster's secrets that the program does not set, such as `config.oidcClientSecret`: set them before config changes. Absent if there are none.",
  ),
});

const { createTime, modifyTime, ...version } = outputs.omit({ server: true, unmanagedSecrets: true }).shape;

const stub = {
  name: field(z.string(), "Name of the method."),
  type: field(z.string(), "Kind of login: `OIDC` or `JWT`."),
  default: field(z.boolean(), "Whether logins that name no method use this one."),
  ...version,
};

export const getAuthMethod = getter(kind, {
  ...named("method"),
  note: "The API does not return secrets, so they are left out.",
  source: "Access-control interface, Auth methods",
  outputs: z.object({
    ...stub,
    tokenLocality: field(z.string(), "Where the tokens of logins are valid: in one region (`local`), or in all regions (`global`)."),
    maxTokenTtl: field(z.string(), 'Maximal lifetime of the tokens of logins, as a duration like "1h0m0s".'),
    tokenNameFormat: field(z.string(), "Template for the names of the tokens of logins."),
    config: field(readableConfig, "Configuration of the identity provider, without its secrets."),
    createTime,
    modifyTime,
  }),
  async run(context, { name }) {
    const { config, ...method } = await context.cluster().methods.read(name);
    return { ...method, config: readableConfig.parse(configFromWire(config, undefined)) };
  },
});

export const listAuthMethods = lister(kind, {
  many: "authMethods",
  of: "of the cluster, without their configurations",
  source: "Access-control interface, Auth methods",
  inputs: z.object({}),
  item: z.object(stub),
  run: (context) => context.cluster().methods.list(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** An auth method: how logins use an identity provider, and the kind of token that a login makes. */
export const aclAuthMethod = defineResource<typeof inputs, typeof outputs, AuthMethod, AuthMethodStub, string[]>({
  kind,
  label: "ACL auth method",
  api: "cluster",
  description: `An ACL auth method of a Nomad cluster: how logins use an OIDC or JWT identity provider, and which kind of token they get.

**Import** takes the method's name. The API does not return the client secret: give it in the program before config changes.`,
  inputs,
  outputs,
  lookUps: [getAuthMethod, listAuthMethods],

  validate: (given, fail, { olds }) => {
    if (!isRecord(given.config)) return;
    checkConfig(given.type, given.config, fail);
    if (olds.config === undefined) for (const path of markedSecrets(given.config)) fail(path, unknownForNew);
  },

  warnings: (given, _, { olds }) => [
    ...ignoredForOidc(given),
    ...withoutAudiences(given, olds),
    ...(olds.config === undefined ? withoutCredential(given) : []),
  ],

  identity: { property: "name", names: ["name"], isUnique: true },
  mayLockOut: (method, { name }) => name === method,

  obstacle(_, { olds, news }, { changes, replaces }) {
    if (!isRecord(news.config)) return undefined;
    const known = { config: ownProperty(olds, "config"), unmanagedSecrets: ownProperty(olds, "unmanagedSecrets") };
    // Logins of type JWT use no secret.
    const isSent = changes.some(({ path }) => path[0] === "config");
    const lost =
      replaces.length > 0 ? lostByReplacement(news.config, news.type === "JWT" ? {} : known) : isSent && lostByChange(news.config, known);
    // The message names the method, because a preview with --diff prints it apart from the resource.
    return lost ? secretNotGiven(`${labelOf(String(ownProperty(olds, "name")))}: ${lost}`) : undefined;
  },

  errorProperties: [
    [/client ?assertion|Pem(Key|Cert)|PrivateKey|KeySource|KeyIDHeader/i, "config.oidcClientAssertion"],
    [/MaxTokenTTL|duration/i, "maxTokenTtl"],
    [/invalid name/i, "name"],
    [/token locality/i, "tokenLocality"],
    [/token type/i, "type"],
    [/default method/i, "default"],
    ...missingFields(),
    [/config/i, "config"],
  ],

  requests: (context) => context.cluster().methods,
  isIdName: true,
  toRemote,

  async create(context, news) {
    const body = { ...withoutConfig(news), config: configOfNew(news) };
    return onceDefaultIsFree(context, news, () => context.cluster().methods.create(body));
  },
  unreadable: ({ config }) => givenSecrets(config),
  beforeCreate: (context, { name }) => olderRulesOf(context, name),
  afterWrite: (context, _, { name }, rules) => warnOfOlderRules(context, name, rules ?? []),
  afterRead(context, method, remote, known) {
    warnOfUnseen(context, remote.outputs.server, method);
    const { unmanagedSecrets = [] } = remote.outputs;
    if (!known && unmanagedSecrets.length > 0) {
      context.progress(
        `${labelOf(method.name)}: the API does not return ${listOf(unmanagedSecrets)}. An update of config replaces all of it, so set ${unmanagedSecrets.length > 1 ? "them" : "it"} in the program before you change config.`,
      );
    }
    if (!known?.modifyTime || !method.hash || !areSecretsInDoubt(known, method)) return remote;
    // The hash covers the secrets, too. If nothing else has changed, the secrets have; otherwise they may have changed as well.
    if (sameInputs(propertiesOf(inputs), known, remote.inputs))
      warnOfChangedSecrets(context, labelOf(method.name), known, unmanagedSecrets);
    return { ...remote, inputs: { ...remote.inputs, config: withChangedSecrets(recordOf(remote.inputs.config)) } };
  },

  async update(context, id, { known, sent, whole: method, remote, ignores }) {
    const { methods } = context.cluster();
    const changed = differences(propertiesOf(inputs), remote.inputs, sent);
    if (!known && isImmutable(method) && changed.length === 0) return { whole: method };
    refuseUnchangeable(method, { label: labelOf(id), news: sent, changed }, known ? byReplacing : byDeleting);
    const config = known ? configToUpdate({ known, sent: sent.config, remote: method, ignores }) : configOfNew(sent, method.config);
    const body = { ...withoutConfig(sent), ...(config ? { config } : {}) };
    const whole = await onceDefaultIsFree(context, sent, () => methods.update(id, body, method));
    if (config || !known) return { whole };
    // The uncertainty remains: because the state keeps its older version, the next refresh reports that the secrets may differ from the
    // state's.
    const isOpen = known.config && secretsOf(known.config).length > 0 && areSecretsInDoubt(known, method);
    return { whole, unsent: ["config"], ...(isOpen && { toOutputs: (outputs: Outputs) => ofVersion(known, outputs) }) };
  },

  // Refuses a delete that would lose a secret. The engine calls no diff for a forced replacement, which deletes the method and then creates
  // the declared one.
  async delete(context, id, known, method) {
    const declared = context.operation.checks.declaredInputs(kind, id);
    if (method && declared?.type === "OIDC" && isRecord(declared.config)) {
      const unmanagedSecrets = storedSecrets(method.config).map((path) => formatPath(path));
      const lost = lostByReplacement(declared.config, { config: known.config, unmanagedSecrets });
      if (lost !== undefined) throw secretNotGiven(lost);
    }
    await context.cluster().methods.delete(id);
  },
  namedBy: "method",
});

function secretNotGiven(lost: string): UserError {
  return new UserError("secret-not-given", lost);
}

function warnOfChangedSecrets(context: CallContext, label: string, known: State, unmanaged: readonly string[]): void {
  const secrets = known.config ? givenSecrets(known.config) : [];
  if (secrets.length > 0) {
    context.warn(
      `${label}: ${listOf(secrets)} was changed or rewritten outside of this program. Unless the program ignores that by ignoreChanges, the next update writes its own value again.`,
    );
  }
  if (unmanaged.length > 0)
    context.warn(`${label}: someone has changed the secret of its configuration, which this program does not give.`);
}

/** The outputs of an update, with the hash of the state or, if it has none, with its modifyTime. */
function ofVersion({ hash, modifyTime }: State, { hash: _, ...outputs }: Outputs): Outputs {
  return { ...outputs, ...(hash === undefined ? { modifyTime: modifyTime ?? outputs.modifyTime } : { hash }) };
}

/** The configuration of a method that has no state. @throws if one of its secrets is unknown, because others have changed it */
function configOfNew({ config }: Inputs, remote?: Properties): Properties {
  const lost = lostByReplacement(config);
  if (lost !== undefined) throw secretNotGiven(lost);
  return configToWire(config, undefined, remote);
}

function withoutConfig({ name, type, tokenLocality, tokenNameFormat, maxTokenTtl, default: isDefault }: Inputs) {
  return { name, type, tokenLocality, tokenNameFormat, maxTokenTtl, default: isDefault };
}

/**
 * The method in a response. Fields that the response leaves out keep their known values: the document calls MaxTokenTTL "not persisted
 * beyond its initial use".
 */
function toRemote(method: AuthMethod, server: string, known?: Pick<State, "config" | "maxTokenTtl">): Remote<Outputs> {
  const { name, type, tokenLocality, tokenNameFormat, createTime, modifyTime } = method;
  const config = configFromWire(method.config, known?.config);
  // Without a hash, responses don't show whether there is a secret. Logins of type JWT use none.
  const stored = isImmutable(method) ? [] : storedSecrets(method.config);
  const unmanaged = lostSecrets(stored, config, {}).map((path) => formatPath(path));
  const maxTokenTtl = method.maxTokenTtl || known?.maxTokenTtl;
  return {
    id: name,
    inputs: { name, type, tokenLocality, maxTokenTtl, tokenNameFormat, default: method.default, config },
    outputs: {
      ...versionOf(method),
      createTime,
      modifyTime,
      ...(unmanaged.length > 0 ? { unmanagedSecrets: unmanaged } : {}),
      server,
    },
  };
}

/** The existing rules that refer to the name of a new method. */
async function olderRulesOf(context: CallContext, method: string): Promise<string[]> {
  const isOlder = ({ authMethod }: { readonly authMethod: string }) => authMethod === method;
  const rules = await context.cluster().rules.recentListIf((all) => !all.some(isOlder));
  return rules.filter(isOlder).map(({ id }) => id);
}

function warnOfOlderRules(context: CallContext, method: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const [rules, apply] = ids.length === 1 ? ["rule that refers", "applies"] : ["rules that refer", "apply"];
  context.warn(
    `${labelOf(method)} is new, and ${ids.length} older binding ${rules} to this name ${apply} to its logins from now on: ${someOf(ids)}. ` +
      "Unless this program manages them, check what they grant, and delete what is not needed.",
  );
}

/** A write is repeated for this long, because the update that removes the other default may still be running. */
const patienceMs = 5_000;
const pauseMs = 500;

/** Runs a write that may make this method the default. A cluster has one default, and refuses a second. */
async function onceDefaultIsFree(
  context: CallContext,
  { name, default: isDefault }: { readonly name: string; readonly default: boolean },
  write: () => Promise<AuthMethod>,
  waitedMs = 0,
): Promise<AuthMethod> {
  try {
    return await write();
  } catch (error) {
    const other = defaultIn(error);
    if (!isDefault || other === undefined) throw error;
    if (waitedMs >= patienceMs) throw takenError(name, other, error);
  }
  return later(context, pauseMs, () => onceDefaultIsFree(context, { name, default: isDefault }, write, waitedMs + pauseMs));
}

/** The method that a server names in the error for a second default. */
function defaultIn(error: unknown): string | undefined {
  return isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
}

function takenError(name: string, other: string, cause: unknown): UserError {
  return new UserError(
    "default-taken",
    `default: ${labelOf(name)} can't be the default, because ${JSON.stringify(other)} is, and a cluster has one. Nothing was changed. ` +
      "Set the default of that one to false where it is managed. If this update does that, let this resource depend on that one (dependsOn), or run the update again; " +
      "if that one depends on this one, or is being removed, set its default to false in an earlier update; if this one replaces it, set deleteBeforeReplace: true.",
    { cause },
  );
}

const labelOf = (name: string) => labelInProgram("ACL auth method", name);
