import * as z from "zod";
import { templateProblem } from "../../access/template";
import { parseDuration } from "../../common/durations";
import { own } from "../../common/own";
import type { AuthMethod, ClusterAclClient } from "../apis/cluster-acl/client";
import { type ApiError, isAmbiguous, isConflict } from "../apis/http/errors";
import { adopt, decideAdoption, differencesThere } from "../context/adoption";
import type { CallContext } from "../context/call-context";
import {
  assertSameServer,
  type Confirmation,
  confirmedBy,
  lookForLost,
  readOrMissing,
  readUnchanged,
  warnOfLostResponse,
} from "../context/certainty";
import { gone } from "../context/wording";
import { formatPath } from "../model/check";
import { field, propertiesOf } from "../model/fields";
import { differences, sameInputs } from "../model/inputs";
import { defineResource, type Properties, type Remote } from "../model/resource";
import { parseState, type StateOf, stateSchema } from "../model/state";
import { listOf } from "../model/text";
import { isRecord } from "../model/unknown";
import { UserError } from "../model/user-error";
import {
  areSecretsInDoubt,
  checkConfig,
  config,
  configFromWire,
  configToUpdate,
  configToWire,
  duration,
  ignoredForOidc,
  isUnhashed,
  missingFields,
  storedSecrets,
} from "./auth-method/config";
import { handingOver, methodKey } from "./auth-method/default";
import { confirmed, holderOf, madeAnew, objectOf, overwritten, withSecretWritten } from "./auth-method/holder";
import { isForeign, isOlder, labelOf, methodOf, readOwn } from "./auth-method/own";
import { olderRulesOf, warnOfOlderRules, warnOfRulesLeft } from "./auth-method/rules";
import {
  givenSecrets,
  lostByChange,
  lostByReplacement,
  lostSecrets,
  remarksIn,
  secretsOf,
  unknownForNew,
  withChangedSecrets,
  withoutCredential,
  withSecretsOf,
} from "./auth-method/secrets";
import { byDeleting, isFixed, refuseUnchangeable, warnOfUnchangeable, warnOfUnseen } from "./auth-method/unhashed";
import { clusterOutputs, times, versionOf } from "./cluster-outputs";
import { warningsOfMethod } from "./rule-claims";

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
    "Whether a login makes a token for the one region, or for all of them.",
    { source },
  ),
  maxTokenTtl: field(
    duration.refine((value) => (parseDuration(value) ?? 1n) > 0n, "must be more than 0"),
    `Longest life of a token that a login makes, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured.`,
    { duration: true, source },
  ),
  tokenNameFormat: field(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
    z.string().min(1, "must not be empty; leave it out for the default").default("${auth_method_type}-${auth_method_name}"),
    `Template of the names of tokens that a login makes; \`\${name}\` is interpolated.`,
    { form: templateProblem, source },
  ),
  default: field(z.boolean().default(false), "Whether this is the method of a login that names none. There is one default in a cluster.", {
    source,
  }),
  config: field(config, "Configuration of the identity provider.", { source }),
  adopt,
});

const outputs = clusterOutputs("method", {
  hash: field(z.string().optional(), "Hash of the method's content, the secrets included, where the server gives one."),
  ...times("method"),
  unmanagedSecrets: field(
    z.array(z.string()).optional(),
    "Paths of the secrets that the cluster holds and the program does not give, such as `config.oidcClientSecret`: give them before config changes. Absent where there are none.",
  ),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** An auth method: how logins use an identity provider, and the kind of token that a login makes. */
export const aclAuthMethod = defineResource({
  kind,
  label: "ACL auth method",
  api: "cluster",
  description: `An ACL auth method of a Nomad cluster: how an OIDC or JWT identity provider is used for logins, and what kind of token a login makes.

**Import** takes the method's name. The API does not return the client secret: give it in the program before config changes.`,
  inputs,
  outputs,

  validate: (given, fail, { olds }) => {
    if (!isRecord(given.config)) return;
    checkConfig(given.type, given.config, fail);
    if (olds.config === undefined) for (const path of remarksIn(given.config)) fail(path, unknownForNew);
  },

  warnings: (given, _, { context, olds }) => [
    ...warningsOfMethod(given, context),
    ...ignoredForOidc(given),
    ...(olds.config === undefined ? withoutCredential(given) : []),
  ],

  identity: ({ name }) => ({ property: "name", values: { name }, isUnique: true }),

  // A new default is also created beside the old one, which gives the default up: if the create is refused, the old one stays.
  deleteBeforeReplace: (olds, news) => own(olds, "name") === own(news, "name"),

  obstacle(olds, news, { changes, replaces }) {
    if (!isRecord(news.config)) return undefined;
    const known = { config: own(olds, "config"), unmanagedSecrets: own(olds, "unmanagedSecrets") };
    // No login of type JWT uses a secret.
    const isSent = changes.some(({ path }) => path[0] === "config");
    const lost =
      replaces.length > 0 ? lostByReplacement(news.config, news.type === "JWT" ? {} : known) : isSent && lostByChange(news.config, known);
    // A preview with --diff prints it apart from the resource.
    return lost ? `${labelOf(String(own(olds, "name")))}: ${lost}` : undefined;
  },

  onDiff(context, id, { olds, news, sent, ignores }) {
    warnOfUnchangeable(context, labelOf(id), { olds, news, changed: sent });
    if (typeof news.name === "string" && news.name !== id) context.operation.checks.recordRenaming(kind, id);
    if (olds.default !== true) return;
    context.operation.defaults.recordDiff(id, {
      leaves: news.default === false || own(news, "name") !== own(olds, "name"),
      method: parseState(stateSchema(inputs, outputs), olds),
      config: withSecretsOf(isRecord(olds.config) ? olds.config : {}, isRecord(news.config) ? news.config : {}),
      ignores,
    });
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

  create: (context, wanted) =>
    context.operation.withLock(methodKey(wanted.name), async () => {
      const unknown = lostByReplacement(wanted.config);
      if (unknown) throw new UserError("secret-not-given", unknown);
      const cluster = context.cluster();
      // All reads come before the first write, so that a failed read leaves nothing behind.
      const [holder, rules] = await Promise.all([holderOf(context, cluster, wanted.name), olderRulesOf(context, cluster, wanted.name)]);
      const taken = holder && (await takenOver(context, wanted, holder));
      if (taken) return taken;
      let made: AuthMethod;
      try {
        made = await createOnce(context, cluster, wanted);
      } catch (error) {
        return takenMeanwhile(context, cluster, wanted, error);
      }
      warnOfOlderRules(context, wanted.name, rules);
      return found(cluster.server, made, wanted);
    }),

  async read(context, id, known) {
    const cluster = context.cluster();
    const unchanged = await readUnchanged(id, cluster.server, { inputs, outputs, known }, () => cluster.methods.recent(id));
    if (unchanged) return unchanged;
    const method = await readOwn(context, cluster, id, known);
    if (!method) return undefined;
    warnOfUnseen(context, cluster.server, method);
    const result = found(cluster.server, method, known);
    const { unmanagedSecrets = [] } = result.outputs;
    if (!known && unmanagedSecrets.length > 0) {
      context.progress(
        `${labelOf(id)}: the API does not return ${listOf(unmanagedSecrets)}. Give it in the program before config changes: a config that is written replaces all of it.`,
      );
    }
    if (!known?.modifyTime || !method.hash || !areSecretsInDoubt(known, method)) return result;
    // The hash covers the secrets, too. If nothing else has changed, the secrets have; otherwise they may have changed as well.
    const isSeen = !sameInputs(propertiesOf(inputs), known, result.inputs);
    const secrets = known.config ? givenSecrets(known.config) : [];
    if (!isSeen && secrets.length > 0) {
      context.warn(
        `${labelOf(id)}: ${listOf(secrets)} was changed or rewritten outside of this program. Unless the program ignores that by ignoreChanges, the next update writes its own value again.`,
      );
    }
    if (!isSeen && unmanagedSecrets.length > 0) {
      context.warn(`${labelOf(id)}: someone has changed the secret of its configuration, which this program does not give.`);
    }
    return { ...result, inputs: { ...result.inputs, config: withChangedSecrets(result.config) } };
  },

  async current(context, id, known) {
    const cluster = context.cluster();
    const method = await readOwn(context, cluster, id, known);
    if (!method) throw gone(labelOf(id), cluster.server);
    return { ...found(cluster.server, method, known), method };
  },

  async update(context, id, { known: state, sent, current: { method, inputs: there }, ignores }) {
    const cluster = context.cluster();
    refuseUnchangeable(method, { label: labelOf(id), wanted: sent, changed: differences(propertiesOf(inputs), there, sent) });
    // A region that lags shows the method as it was before it gave up the default.
    const isFromBefore = method.hash === state.hash;
    const known = { ...state, hash: isFromBefore ? state.hash : context.operation.defaults.hashAfterDemotion(id, state.hash) };
    const config = configToUpdate({ known, sent: sent.config, current: method, ignores });
    const body = { ...bodyOf(sent), ...(config ? { config } : {}) };
    const write = () => methodOf(context, id, state).update(() => cluster.methods.update(id, body));
    const response = await handingOver(context, cluster, sent, write);
    const result = found(cluster.server, response, sent);
    if (response.createTime !== method.createTime) throw madeAnew(response, cluster.server, { ...sent, ...result.outputs });
    if (config) return result;
    // The doubt stays: with the older version, the next refresh reports that the secrets may differ from the state's.
    const isOpen = known.config && secretsOf(known.config).length > 0 && areSecretsInDoubt(known, method);
    if (!isOpen) return { ...result, unsent: ["config"] };
    const { hash: _, ...outputs } = result.outputs;
    const { hash, modifyTime = outputs.modifyTime } = known;
    return { ...result, unsent: ["config"], outputs: { ...outputs, ...(hash === undefined ? { modifyTime } : { hash }) } };
  },

  async delete(context, id, known) {
    const cluster = context.cluster();
    // An older copy may be one of a method that this program has replaced since: it does not show who has created the present one.
    const isStale = (copy: AuthMethod) => isForeign(copy, known) && isOlder(copy, known, cluster.server);
    const current = await methodOf(context, id, known).read({ isOlder: isStale, mustBeCertain: true });
    if (!current) return;
    if (isForeign(current, known)) {
      assertSameServer(context, labelOf(id), { before: known.server, now: cluster.server });
      context.warn(
        `${labelOf(id)} was deleted and created again by others (${current.createTime}). Theirs was not touched; the old one was removed from the state.`,
      );
      return;
    }
    // The engine calls no diff for a forced replacement: the declared method is created after this.
    const declared = context.operation.checks.declaredInputs(kind, id);
    if (declared?.type === "OIDC" && isRecord(declared.config)) {
      const unmanagedSecrets = storedSecrets(current.config).map((path) => formatPath(path));
      const lost = lostByReplacement(declared.config, { config: known.config, unmanagedSecrets });
      if (lost) throw new UserError("secret-not-given", lost);
    }
    await methodOf(context, id).delete(() => cluster.methods.delete(id));
    await warnOfRulesLeft(context, cluster, labelOf(id), id);
  },

  async list(context) {
    const cluster = context.cluster();
    const read = async (name: string, known?: State) => {
      const method = await readOrMissing(() => cluster.methods.read(name));
      return method && found(cluster.server, method, known);
    };
    const stubs = await cluster.methods.list();
    return stubs.map((stub) => ({ id: stub.name, name: stub.name, version: versionOf(stub), read: (known) => read(stub.name, known) }));
  },
});

/** Creates the method, and finds it again when the response is lost. There was none of this name a moment ago. */
async function createOnce(context: CallContext, cluster: ClusterAclClient, wanted: Inputs): Promise<AuthMethod> {
  const body = { ...bodyOf(wanted), config: configToWire(wanted.config, undefined, undefined) };
  try {
    const made = await handingOver(context, cluster, wanted, () => cluster.methods.create(body));
    if (made.createIndex < made.modifyIndex) throw overwritten(made, cluster.server);
    return made;
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    const method = await lookForLost(context, async () => {
      const named = await readOrMissing(() => cluster.methods.read(wanted.name));
      return named && context.operation.objects.isDeleted(objectOf(cluster, named)) ? undefined : named;
    });
    const isOurs = method && method.createIndex === method.modifyIndex && differencesOf(wanted, method).length === 0;
    if (!isOurs) throw error;
    warnOfLostResponse(context, labelOf(method.name), cluster.server);
    // No read shows whether its secret is the one that was sent.
    const isSecret = givenSecrets(wanted.config).length > 0 && !(isUnhashed(method) && method.type === "JWT");
    return isSecret ? withSecretWritten(context, cluster, method, body) : method;
  }
}

/**
 * Handles the error of a server that refuses a taken name, which an earlier read, or one of a region that lags, did not show. @throws any
 * other error
 */
async function takenMeanwhile(context: CallContext, cluster: ClusterAclClient, wanted: Inputs, error: unknown): Promise<Remote<Outputs>> {
  const conflict = isConflict(error) ? error : undefined;
  const holder = conflict && (await holderOf(context, cluster, wanted.name, { conflict }));
  const taken = holder && (await takenOver(context, wanted, holder, conflict));
  if (!taken) throw error;
  return taken;
}

/** A server whose updates create no method refuses to overwrite a missing one. */
function overwrite(context: CallContext, cluster: ClusterAclClient, wanted: Inputs, holder: AuthMethod): Promise<Confirmation<AuthMethod>> {
  refuseUnchangeable(holder, { label: labelOf(wanted.name), wanted, changed: differencesOf(wanted, holder) }, byDeleting);
  const body = { ...bodyOf(wanted), config: configToWire(wanted.config, undefined, holder.config) };
  return confirmedBy(() => handingOver(context, cluster, wanted, () => cluster.methods.update(wanted.name, body)));
}

/** Takes over the method that has the name already. @returns undefined when there is none after all */
async function takenOver(
  context: CallContext,
  wanted: Inputs,
  first: AuthMethod,
  conflict?: ApiError,
): Promise<Remote<Outputs> | undefined> {
  const cluster = context.cluster();
  for (let holder: AuthMethod | undefined = first; holder; ) {
    const isOverwrite = adopted(context, cluster, wanted, holder) === "overwrite";
    const isWritten = isOverwrite && !(isFixed(holder) && differencesOf(wanted, holder).length === 0);
    const there = await (isWritten ? overwrite(context, cluster, wanted, holder) : confirmed(cluster, holder));
    if ("object" in there) return found(cluster.server, there.object, wanted);
    context.operation.objects.markDeleted(objectOf(cluster, holder));
    holder = await holderOf(context, cluster, wanted.name, { refusal: there.refusal, conflict });
  }
  return undefined;
}

function adopted(context: CallContext, cluster: ClusterAclClient, wanted: Inputs, holder: AuthMethod): "take" | "overwrite" {
  const decision = decideAdoption(wanted.adopt, {
    label: `An ACL auth method named ${JSON.stringify(wanted.name)}`,
    id: `${wanted.name}, made ${holder.createTime}`,
    isManaged: context.operation.objects.isManaged(objectOf(cluster, holder)),
    differences: differencesOf(wanted, holder),
    unreadable: givenSecrets(wanted.config),
  });
  context.operation.objects.takeOver(objectOf(cluster, holder));
  return decision;
}

function bodyOf({ name, type, tokenLocality, tokenNameFormat, maxTokenTtl, default: isDefault }: Inputs) {
  return { name, type, tokenLocality, tokenNameFormat, maxTokenTtl, default: isDefault };
}

/**
 * The method in a response. Fields that the response leaves out keep their known values: the document calls MaxTokenTTL "not persisted
 * beyond its initial use".
 */
function found(
  server: string,
  method: AuthMethod,
  known: Pick<State, "config" | "maxTokenTtl"> | undefined,
): Remote<Outputs> & { readonly config: Properties } {
  const { createTime, modifyTime } = method;
  const config = configFromWire(method.config, known?.config);
  // Without a hash, responses don't show whether there is a secret; and a login of type JWT uses none.
  const stored = isUnhashed(method) && method.type === "JWT" ? [] : storedSecrets(method.config);
  const unmanaged = lostSecrets(stored, config, {}).map((path) => formatPath(path));
  return {
    id: method.name,
    config,
    inputs: {
      name: method.name,
      type: method.type,
      tokenLocality: method.tokenLocality,
      maxTokenTtl: method.maxTokenTtl || known?.maxTokenTtl,
      tokenNameFormat: method.tokenNameFormat,
      default: method.default,
      config,
    },
    outputs: {
      ...versionOf(method),
      createTime,
      modifyTime,
      ...(unmanaged.length > 0 ? { unmanagedSecrets: unmanaged } : {}),
      server,
    },
  };
}

function differencesOf(wanted: Inputs, method: AuthMethod): string[] {
  return differencesThere(propertiesOf(inputs), wanted, found("", method, wanted).inputs);
}
