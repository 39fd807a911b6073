/** The Config of an auth method, in both directions. A new property goes here and into the description of the resource's inputs. */
import * as z from "zod";
import { defined, ownProperty } from "../../../common/own-property";
import { isRecord, recordOf } from "../../../common/unknown";
import { duration, flag, map, openObject, text, texts } from "./wire";

type Values = Readonly<Record<string, unknown>>;

/** A path in the configuration's properties. */
type Path = readonly (string | number)[];

/** The API's key for each property, with the form of its value or the fields of its object. */
interface Level {
  readonly [property: string]: readonly [key: string, form: z.ZodType | Level];
}

/** The fields that affect logins, listed again so their values have types. */
const loginFields = {
  OIDCDiscoveryURL: text,
  OIDCClientID: text,
  OIDCDisableUserInfo: flag,
  BoundAudiences: texts,
  BoundIssuer: texts,
  ExpirationLeeway: duration,
  NotBeforeLeeway: duration,
  ClockSkewLeeway: duration,
  ClaimMappings: map,
  ListClaimMappings: map,
};

const privateKey: Level = {
  pemKey: ["PemKey", text],
  pemKeyFile: ["PemKeyFile", text],
  pemCert: ["PemCert", text],
  pemCertFile: ["PemCertFile", text],
  keyIdHeader: ["KeyIDHeader", text],
  keyId: ["KeyID", text],
};

const clientAssertion: Level = {
  keySource: ["KeySource", text],
  keyAlgorithm: ["KeyAlgorithm", text],
  audience: ["Audience", texts],
  privateKey: ["PrivateKey", privateKey],
  extraHeaders: ["ExtraHeaders", map],
};

const fields: Level = {
  oidcDiscoveryUrl: ["OIDCDiscoveryURL", text],
  oidcClientId: ["OIDCClientID", text],
  oidcClientSecret: ["OIDCClientSecret", text],
  oidcClientAssertion: ["OIDCClientAssertion", clientAssertion],
  oidcEnablePkce: ["OIDCEnablePKCE", flag],
  oidcDisableUserInfo: ["OIDCDisableUserInfo", flag],
  oidcScopes: ["OIDCScopes", texts],
  jwtValidationPubKeys: ["JWTValidationPubKeys", texts],
  jwksUrl: ["JWKSURL", text],
  jwksCaCert: ["JWKSCACert", text],
  boundAudiences: ["BoundAudiences", texts],
  boundIssuer: ["BoundIssuer", texts],
  allowedRedirectUris: ["AllowedRedirectURIs", texts],
  discoveryCaPem: ["DiscoveryCaPem", texts],
  signingAlgs: ["SigningAlgs", texts],
  expirationLeeway: ["ExpirationLeeway", duration],
  notBeforeLeeway: ["NotBeforeLeeway", duration],
  clockSkewLeeway: ["ClockSkewLeeway", duration],
  claimMappings: ["ClaimMappings", map],
  listClaimMappings: ["ListClaimMappings", map],
  verboseLogging: ["VerboseLogging", flag],
};

/** The key of a copy of the client secret, which the server adds to the assertion and updates by itself. */
const inherited = "ClientSecret";

/** The word that the API returns instead of a secret. It is never kept, and never sent. */
export const redacted = "redacted";

/** The API's keys of the configuration's properties. */
export const configKeys: readonly (readonly [property: string, key: string])[] = Object.entries(fields).map(([name, [key]]) => [name, key]);

/**
 * A Config in a response, with the API's keys, also unknown ones. A field that the server leaves out or returns as null is "", false, an
 * empty list, an empty map, or null for an object. The server returns the text "redacted" for secrets.
 */
export const configForm = openObject({ ...shapeOf(fields), ...loginFields });
export type AuthMethodConfig = z.output<typeof configForm>;

function shapeOf(level: Level): Record<string, z.ZodType> {
  const shape = Object.values(level).map(([key, form]) => [key, form instanceof z.ZodType ? form : orNull(openObject(shapeOf(form)))]);
  // The key of the copy is included, so it is recognized in any letter case.
  return Object.fromEntries(level === clientAssertion ? [...shape, [inherited, text]] : shape);
}

function orNull(form: z.ZodType): z.ZodType {
  return form.nullish().transform((value) => value ?? null);
}

/** The Config of a body: the given properties, and the server's fields that this version does not know: a sent Config replaces all of it. */
export function toConfig(given: Values, remote: Values): Record<string, unknown> {
  return toLevel(fields, given, remote);
}

function toLevel(level: Level, given: Values, remote: Values): Record<string, unknown> {
  const known = new Set(Object.values(level).map(([key]) => key));
  const wire: Record<string, unknown> = Object.fromEntries(Object.entries(remote).filter(([key]) => !known.has(key) && key !== inherited));
  for (const [property, [key, form]] of Object.entries(level)) {
    const value = ownProperty(given, property);
    if (value === undefined) continue;
    if (form instanceof z.ZodType) wire[key] = value;
    else if (isRecord(value)) wire[key] = toLevel(form, value, recordOf(ownProperty(remote, key)));
  }
  return wire;
}

/** The server's Config by the properties' names, without unset properties. The secrets come from `known`. */
export function fromConfig(wire: Values, known: Values): Record<string, unknown> {
  return fromLevel(fields, wire, known);
}

function fromLevel(level: Level, wire: Values, known: Values): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [property, [key, form]] of Object.entries(level)) {
    const value = ownProperty(wire, key);
    if (isUnset(value)) continue;
    if (value === redacted) read[property] = ownProperty(known, property);
    else if (form instanceof z.ZodType) read[property] = value;
    else if (isRecord(value)) read[property] = fromLevel(form, value, recordOf(ownProperty(known, property)));
  }
  return defined(read);
}

/** The secrets in a server's Config, by their properties, or by the API's key for an unknown property. */
export function storedSecrets(wire: Values): Path[] {
  return redactedIn(fields, wire, ["config"]);
}

function redactedIn(level: Level, wire: Values, path: Path): Path[] {
  const properties = new Map(Object.entries(level).map(([property, [key, form]]) => [key, [property, form] as const]));
  return Object.entries(wire).flatMap(([key, value]) => {
    const [property, form] = properties.get(key) ?? [key, {}];
    // A property with a form has no secrets within: it is no object, or it is a map, whose values are the user's.
    if (isRecord(value)) return form instanceof z.ZodType ? [] : redactedIn(form, value, [...path, property]);
    return value === redacted && key !== inherited ? [[...path, property]] : [];
  });
}

/** Whether nothing is set in a Config. On a documented server, an update by another tool that left it out has erased it. */
export function isErased(config: object): boolean {
  return Object.values(config).every((value) => !value || (typeof value === "object" && Object.keys(value).length === 0));
}

/** Whether a value stands for a field that is not set: null, or an empty text, list or map. `false` counts as set. */
export function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === "" || (isRecord(value) && Object.keys(value).length === 0);
}
