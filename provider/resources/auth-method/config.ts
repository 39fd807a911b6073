import * as z from "zod";
import { ownProperty } from "../../../common/own-property";
import { record } from "../../../common/record";
import { isRecord, recordOf } from "../../../common/unknown";
import { UserError } from "../../../common/user-error";
import { configKeys, fromConfig, isErased, isUnset, redacted, storedSecrets, toConfig } from "../../apis/cluster/method-config";
import { httpAddressProblem, redirectAddressProblem } from "../../model/addresses";
import { type Fail, formatPath, type Path } from "../../model/check";
import { sameMeaning } from "../../model/diff";
import { duration, field, fieldOf, type Traits } from "../../model/fields";
import { authoritiesProblem, certificateProblem, privateKeyProblem, publicKeyProblem } from "../../model/pem";
import type { Properties } from "../../model/remote";
import { labelInProgram } from "../../model/text";
import { erasedSecretsMessage, lostSecrets, markedSecrets, secretsOf, unknownSecretsMessage, withoutMarkers } from "./secrets";

const source = "Access-control interface, Config fields";
const inField = "Not every version of the server has it.";

const oidc = { input: "type", is: "OIDC" };

const text = (description: string, traits: Traits = {}) => field(z.string().optional(), description, traits);
const texts = (description: string, traits: Traits = {}) => field(z.array(z.string()).optional(), description, { set: true, ...traits });
/** A list of texts with a certain form. */
const formed = (description: string, form: Traits["form"], traits: Traits = {}) =>
  field(z.array(field(z.string(), "", { form })).optional(), description, { set: true, ...traits });
const map = (description: string, traits: Traits = {}) => field(record(z.string()).optional(), description, traits);
const flag = (description: string, traits: Traits = {}) => field(z.boolean().default(false), description, traits);

const leewayForm =
  'It is a duration like "60s", "5m" or "1h0m0s". Default of the server: `150s`, also for `0s`. A negative duration means none.';
const leeway = (description: string, traits: Traits = {}) => field(duration.optional(), description, { duration: true, ...traits });

const privateKey = z.object({
  pemKey: text(`The private key, in PEM form. A secret: it is kept encrypted and never returned by the API. ${inField}`, {
    secret: true,
    // The word that stands for a secret has an error of its own, from `checkConfig`.
    form: (key) => (key === redacted ? undefined : privateKeyProblem(key)),
  }),
  pemKeyFile: text(`Path, on the servers, of a file with the private key in PEM form. ${inField}`),
  pemCert: text(`The certificate that belongs to the key, in PEM form. ${inField}`, { form: certificateProblem }),
  pemCertFile: text(`Path, on the servers, of a file with the certificate in PEM form. ${inField}`),
  keyIdHeader: text(`Header of the assertion that names the key. Default: \`kid\` with keyId, \`x5t#S256\` with a certificate. ${inField}`),
  keyId: text(`Identifier of the key at the identity provider. ${inField}`),
});

const clientAssertion = z.object({
  keySource: field(
    z.enum(["nomad", "private_key", "client_secret"], 'must be "nomad", "private_key" or "client_secret"').optional(),
    `Source of the signing key: \`nomad\`, the key of the servers; \`private_key\`, the one of privateKey; \`client_secret\`, oidcClientSecret. ${inField}`,
  ),
  keyAlgorithm: text(
    "Signing algorithm: `HS256`, `HS384` or `HS512` with `client_secret`, otherwise `RS256`, `RS384` or `RS512`. " +
      `Default: \`HS256\` for \`client_secret\`, otherwise \`RS256\`. ${inField}`,
  ),
  audience: texts(`Values of the assertion's \`aud\` claim. Default: the discovery URL. ${inField}`),
  privateKey: field(privateKey.optional(), `The signing key, for \`private_key\`. ${inField}`),
  extraHeaders: map(`Further headers of the assertion. ${inField}`),
});

/** The configuration of an auth method: every field of the document, and the fields that real servers add. */
export const config = z.object({
  oidcDiscoveryUrl: text(
    "Discovery URL of the identity provider, without the `.well-known` part. Required for `OIDC`; for `JWT` this, jwksUrl or jwtValidationPubKeys is required.",
    { form: httpAddressProblem, source },
  ),
  oidcClientId: text("OAuth client ID at the identity provider. Required for `OIDC`.", { source }),
  oidcClientSecret: text(
    "OAuth client secret at the identity provider. A secret: it is kept encrypted and never returned by the API; a change by others shows as drift of this property, if the server has hashes of auth methods. " +
      "Leave it out for PKCE, or for a client assertion that another key signs.",
    { secret: true, source },
  ),
  oidcClientAssertion: field(
    clientAssertion.optional(),
    `Authenticates the client by a signed assertion in place of the secret. ${inField}`,
  ),
  oidcEnablePkce: flag(`Whether the login uses a PKCE challenge. ${inField}`, { onlyWhere: oidc }),
  oidcDisableUserInfo: flag("When true, UserInfo is not requested from the identity provider.", { onlyWhere: oidc, source }),
  oidcScopes: texts("OIDC scopes.", { source }),
  jwtValidationPubKeys: formed(
    "PEM-encoded public keys, or certificates with them, that signatures are checked with, for `JWT`.",
    publicKeyProblem,
    { source },
  ),
  jwksUrl: text("Address of the JSON Web Key Set that signatures are checked with, for `JWT`.", { form: httpAddressProblem, source }),
  jwksCaCert: text(
    "PEM text of the CA certificate that the key set server's certificate is checked with. Default: the system's certificates.",
    { form: authoritiesProblem, source },
  ),
  boundAudiences: texts("Values of the `aud` claim that are valid for a login; any match suffices.", { source }),
  boundIssuer: texts(`Values of the \`iss\` claim that are valid for a login, for \`JWT\`; any match suffices. ${inField}`),
  allowedRedirectUris: formed("Allowed values of redirect_uri, at least one for `OIDC`.", redirectAddressProblem, { source }),
  discoveryCaPem: texts(
    "PEM texts of the CA certificates that the discovery address's certificate is checked with. Default: the system's certificates.",
    { form: authoritiesProblem, source },
  ),
  signingAlgs: texts("Supported signing algorithms. Default of the server: `RS256`.", { source }),
  expirationLeeway: leeway(
    `Lifetime of a token without \`exp\`, counted from the later of \`iat\` and \`nbf\`, for \`JWT\`. Without effect on other tokens. ${leewayForm}`,
    { source },
  ),
  notBeforeLeeway: leeway(
    `Time before \`exp\` from which a token without \`nbf\` and \`iat\` is valid, for \`JWT\`. Without effect on other tokens. ${leewayForm}`,
    { source },
  ),
  clockSkewLeeway: leeway(
    'Tolerance for all times of a token, for `JWT`, as a duration like "60s", "5m" or "1h0m0s". Default of the server: `60s`, also for `0s`. ' +
      "A negative duration switches it off.",
    { source },
  ),
  claimMappings: map(
    "Claim (key) that is copied to a metadata field (value); numbers and booleans become texts. Rules refer to the field as `value.FIELD`.",
    { source },
  ),
  listClaimMappings: map(
    "Claim (key) that is copied to a metadata field (value), for claims that are lists, such as groups. Rules refer to the field as `list.FIELD`.",
    { source },
  ),
  verboseLogging: flag("When true, the servers log claims and the evaluation of binding rules. Not recommended in production.", { source }),
});

/** The configuration as it can be read back: without the secrets. */
export const readableConfig = config.omit({ oidcClientSecret: true }).extend({
  oidcClientAssertion: field(
    clientAssertion
      .extend({
        // A server may be newer than this package.
        keySource: text(`Source of the signing key: \`nomad\`, \`private_key\` or \`client_secret\`. ${inField}`),
        privateKey: field(privateKey.omit({ pemKey: true }).optional(), `The signing key, without its secret part. ${inField}`),
      })
      .optional(),
    `Authenticates the client by a signed assertion in place of the secret. ${inField}`,
  ),
});

/** The requirements on a configuration, by its type of login. */
export function checkConfig(type: unknown, given: Properties, fail: Fail): void {
  const missing = (property: string) =>
    given[property] === undefined || given[property] === "" || (Array.isArray(given[property]) && given[property].length === 0);
  const require = (property: string, reason: string) => {
    if (missing(property)) fail(["config", property], reason);
  };
  if (type === "OIDC") {
    require("oidcDiscoveryUrl", "is required for OIDC");
    require("oidcClientId", "is required for OIDC");
    require("allowedRedirectUris", "must hold at least one address for OIDC");
  }
  if (type === "JWT" && ["oidcDiscoveryUrl", "jwksUrl", "jwtValidationPubKeys"].every(missing)) {
    fail(["config"], "needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT");
  }
  const discovery = given.oidcDiscoveryUrl;
  if (typeof discovery === "string" && discovery.includes("/.well-known"))
    fail(["config", "oidcDiscoveryUrl"], "must be given without the .well-known part");
  for (const { path, value } of secretsOf(given)) {
    if (value === redacted) fail(path, `is the word ${JSON.stringify(redacted)}, which the API returns instead of a secret`);
  }
}

/**
 * The warning for inputs without an effect on OIDC logins, whose tokens are checked by the identity provider's address and client, with
 * fixed leeways.
 */
export function ignoredForOidc({ name, type, config: given }: Properties): string[] {
  const ignored = type === "OIDC" && isRecord(given) ? ["boundIssuer", ...leeways].filter((property) => !isUnset(given[property])) : [];
  if (ignored.length === 0) return [];
  const which = ignored.map((property) => `config.${property}`).join(", ");
  return [
    `${labelInProgram("ACL auth method", name)}: ${which}: without effect for OIDC, where only oidcDiscoveryUrl determines the issuer. Leave it out.`,
  ];
}

/** The warning for an existing JWT method that loses its audiences. */
export function withoutAudiences({ name, type, config: given }: Properties, { config: known }: Properties): string[] {
  if (type !== "JWT" || !isRecord(given) || !isRecord(known) || isUnset(known.boundAudiences) || !isUnset(given.boundAudiences)) return [];
  return [
    `${labelInProgram("ACL auth method", name)}: config.boundAudiences becomes empty, so logins may use tokens that the issuer made for other services. ` +
      "If that is not intended, keep the audience of tokens for this cluster.",
  ];
}

const leeways = ["expirationLeeway", "notBeforeLeeway", "clockSkewLeeway"];

/** The patterns of a server's errors about a missing field of the configuration, each with the property at fault. */
export function missingFields(): [RegExp, string][] {
  return configKeys.map(([property, key]) => [new RegExp(`missing ${key}\\b`, "i"), `config.${property}`]);
}

/**
 * The Config of the body: the program's fields, and the server's fields that this version does not know, because a sent Config replaces the
 * stored one as a whole.
 *
 * @throws when the server holds a secret that the program neither gives nor gave, because sending the rest would erase it
 */
export function configToWire(news: Properties, known: Properties | undefined, remote: Properties | undefined): Properties {
  const lost = lostSecrets(storedSecrets(remote ?? {}), news, known ?? {});
  if (lost.length > 0) throw new UserError("secret-not-given", erasedSecretsMessage(lost));
  return toConfig(withoutMarkers(news), remote ?? {});
}

/**
 * Whether the server returns no hash of an auth method. Such a server follows the API's document to the letter. Its updates set what the
 * body leaves out to the defaults. They accept only OIDC methods, and no field that the document has for creates alone. Its responses don't
 * show whether there is a client secret.
 */
export function hasNoHash({ hash }: { readonly hash: string | undefined }): boolean {
  return !hash;
}

function inEveryUpdate(method: { readonly hash: string | undefined }): string {
  return hasNoHash(method)
    ? " This server gives no hash of auth methods: every update sends all of config, which would be lost otherwise."
    : "";
}

/** The values that decide whether an update sends the configuration. */
export interface ConfigUpdate {
  /** The configuration of the state, with the version of its method. */
  readonly known: Partial<MethodVersion> & { readonly config?: Properties | undefined };
  /** The program's changes, and the server's values otherwise. */
  readonly sent: Properties;
  /** The server's method. */
  readonly remote: MethodVersion & { readonly config: Properties };
  readonly ignores: (path: Path) => boolean;
}

/** The version of a method. */
interface MethodVersion {
  readonly hash: string | undefined;
  readonly modifyTime: string | undefined;
}

/**
 * Whether others may have changed the secrets since the state was written. The hashes decide. A state without a hash differs from the
 * server anyway: then the time of the last change decides. A server without hashes does not reveal changes.
 */
export function areSecretsInDoubt(known: Partial<MethodVersion>, remote: MethodVersion): boolean {
  if (hasNoHash(remote)) return true;
  if (known.hash === undefined) return known.modifyTime !== remote.modifyTime;
  return known.hash !== remote.hash;
}

/**
 * The Config that an update sends. Undefined leaves it out, which keeps the stored one. It is sent if a property of it changes; if others
 * may have changed an unreadable secret that the program gives and does not ignore; and always to a server without hashes, unless its
 * stored Config is erased.
 *
 * @throws if the Config would replace an unreadable secret by an old one or by none, or if others have erased the stored Config
 */
export function configToUpdate(update: ConfigUpdate): Properties | undefined {
  const { known, sent, remote, ignores } = update;
  const isInDoubt = areSecretsInDoubt(known, remote);
  const stored = storedSecrets(remote.config);
  const marked = markedSecrets(sent).map((path) => formatPath(path));
  const unreadable = stored.filter((path) => marked.includes(formatPath(path)) || (isInDoubt && ignores(path)));
  const isGone = hasNoHash(remote) && isErased(remote.config);
  const isChanged = !sameMeaning(fieldOf(config), configFromWire(remote.config, known.config), sent);
  if (isGone && isChanged && !isErased(known.config ?? {})) throw new UserError("config-erased", erasedByOthers);
  // A server without hashes loses a config that an update leaves out.
  const isNeeded = isChanged || (hasNoHash(remote) && !isGone);
  const lost = lostSecrets(stored, sent, known.config ?? {});
  if (isNeeded && lost.length > 0) throw new UserError("secret-not-given", erasedSecretsMessage(lost) + inEveryUpdate(remote));
  if (isNeeded && unreadable.length > 0) throw new UserError("secret-unknown", unknownSecretsMessage(unreadable) + inEveryUpdate(remote));
  const isRewritten = isInDoubt && secretsOf(sent).some(({ path }) => !ignores(path)) && lost.length + unreadable.length === 0;
  return isNeeded || isRewritten ? configToWire(sent, known.config, remote.config) : undefined;
}

const erasedByOthers =
  "config: others have erased all of it since the state was written. Nothing was sent, because this update has only a part of it. " +
  "Run `pulumi refresh`, and the update again: it writes the whole config.";

/**
 * The server's Config in the form of the inputs. Secrets come from the state. Defaults that the server sets by itself are left out, unless
 * the state has them.
 */
export function configFromWire(wire: Properties, known: Properties | undefined): Properties {
  return withoutServerDefaults(fromConfig(wire, known ?? {}), known ?? {});
}

/**
 * A configuration without the defaults that the server sets by itself, so a property that the program leaves out equals the server's
 * default.
 */
export function withoutServerDefaults(config: Properties, known: Properties): Properties {
  const assertion = config.oidcClientAssertion;
  if (!isRecord(assertion)) return config;
  const knownPart = recordOf(known.oidcClientAssertion);
  return { ...config, oidcClientAssertion: withoutAssertionDefaults(assertion, config.oidcDiscoveryUrl, knownPart) };
}

function withoutAssertionDefaults(assertion: Properties, discoveryUrl: unknown, known: Properties): Properties {
  const result = { ...assertion };
  const drop = (from: Properties, knownPart: Properties, property: string, serverDefault: unknown) => {
    if (ownProperty(knownPart, property) === undefined && from[property] === serverDefault) delete from[property];
  };
  const audience = Array.isArray(result.audience) && result.audience.length === 1 ? result.audience[0] : undefined;
  if (ownProperty(known, "audience") === undefined && audience === discoveryUrl) delete result.audience;
  drop(result, known, "keyAlgorithm", result.keySource === "client_secret" ? "HS256" : "RS256");
  if (isRecord(result.privateKey)) {
    const key = { ...result.privateKey };
    drop(key, recordOf(known.privateKey), "keyIdHeader", key.pemCert || key.pemCertFile ? "x5t#S256" : "kid");
    result.privateKey = key;
  }
  return result;
}
