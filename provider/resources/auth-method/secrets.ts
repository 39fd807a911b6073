import * as z from "zod";
import { own } from "../../../common/own";
import { formatPath, type Path } from "../../model/check";
import type { Properties } from "../../model/remote";
import { listOf } from "../../model/text";
import { isRecord, unknown } from "../../model/unknown";

/** The marker in the state for a secret that others have changed, or may have changed together with something else. */
export const changedOutside = "(changed outside of this program)";

const secretPaths: readonly Path[] = [
  ["config", "oidcClientSecret"],
  ["config", "oidcClientAssertion", "privateKey", "pemKey"],
];

/** The secrets that a configuration gives. An empty text is none. */
export function secretsOf(given: Properties): { readonly path: Path; readonly value: unknown }[] {
  return secretPaths
    .map((path) => ({ path, value: valueAt(given, path) }))
    .filter(({ value }) => typeof value === "string" && value !== "" && value !== changedOutside);
}

/** Their paths, for messages. */
export function givenSecrets(given: Properties): string[] {
  return secretsOf(given).map(({ path }) => formatPath(path));
}

/** The warning for a new OIDC method that proves nothing to its identity provider: a limit of documented servers, and of most providers. */
export function withoutCredential({ type, name, config }: Properties): string[] {
  if (type !== "OIDC" || !isRecord(config)) return [];
  const { oidcClientSecret, oidcEnablePkce, oidcClientAssertion } = config;
  if (oidcClientSecret || oidcClientAssertion || oidcEnablePkce === true || oidcEnablePkce === unknown) return [];
  const label = typeof name === "string" ? `ACL auth method ${JSON.stringify(name)}` : "An ACL auth method";
  return [
    `${label}: type OIDC, and config has none of oidcClientSecret, oidcEnablePkce and oidcClientAssertion. Servers that follow the document refuse that, ` +
      "and so do identity providers at each login, unless the client is a public one without PKCE. Give one of them.",
  ];
}

/** The configuration of a state, with the program's values of the secrets that it lacks. */
export function withSecretsOf(known: Properties, given: Properties): Properties {
  const missing = secretsOf(given).filter(({ path }) => !isThere(valueAt(known, path)));
  return missing.reduce<Properties>((config, { path: [, ...steps], value }) => withValue(config, steps, value), known);
}

function withValue(record: Properties, [step, ...rest]: Path, value: unknown): Properties {
  const key = String(step);
  return { ...record, [key]: rest.length > 0 ? withValue(below(record, key), rest, value) : value };
}

/** The paths at which a configuration has the marker in place of a secret. */
export function remarksIn(given: Properties): Path[] {
  return secretPaths.filter((path) => valueAt(given, path) === changedOutside);
}

/** The configuration without the markers, which are no secrets. */
export function withoutMarkers(given: Properties): Properties {
  return remarksIn(given).reduce<Properties>((config, [, ...steps]) => withValue(config, steps, undefined), given);
}

/** The configuration with its secrets marked as changed by others. */
export function withChangedSecrets(read: Properties): Properties {
  const assertion = below(read, "oidcClientAssertion");
  const key = below(assertion, "privateKey");
  return {
    ...read,
    ...(read.oidcClientSecret ? { oidcClientSecret: changedOutside } : {}),
    ...(key.pemKey ? { oidcClientAssertion: { ...assertion, privateKey: { ...key, pemKey: changedOutside } } } : {}),
  };
}

/**
 * The secrets of the server that a configuration would erase by mistake: the program does not give them, and does not remove them either,
 * alone or with their object.
 *
 * @param known the configuration of the state
 */
export function lostSecrets(stored: readonly Path[], wanted: Properties, known: Properties): Path[] {
  return stored.filter((path) => {
    const isDropped = path.some((_, index) => {
      const above = path.slice(0, index + 1);
      return index > 0 && isThere(valueAt(known, above)) && !isThere(valueAt(wanted, above));
    });
    return !isDropped && !isThere(valueAt(wanted, path));
  });
}

/** The error for a configuration that would erase secrets. */
export function erasedSecretsMessage(lost: readonly Path[]): string {
  return (
    `${paths(lost)}: the server holds a secret that the program does not give. Any change of config replaces all of it, and would erase the secret, ` +
    "so nothing was sent. Give the secret in the program, and not among its ignoreChanges, which put what the state holds in its place."
  );
}

/** The error for a configuration that needs a secret that the program ignores and others have changed. */
export function unknownSecretsMessage(secrets: readonly Path[]): string {
  return (
    `${paths(secrets)}: others have changed this secret, or may have, and nobody can read what it is now. The program leaves it to them by ignoreChanges, and any change of config ` +
    "replaces all of it, so nothing was sent. Give the secret as it is to be from now on, and take it out of ignoreChanges for one update; or make the change of config where the secret is managed."
  );
}

/** The error for a new method with a secret of which only the marker is left. */
export const unknownForNew =
  "was changed by others, or may have been: nobody can read what it is now, and a new method would be without it. Nothing was deleted or made. " +
  "Give the secret as it is to be from now on, and take it out of ignoreChanges.";

const lastSeen = z.object({ config: z.record(z.string(), z.unknown()).catch({}), unmanagedSecrets: z.array(z.string()).catch([]) });

/**
 * The error for a replacement that will be refused.
 *
 * @param known what the state, or the server, has of the old method: its configuration, and the paths of the secrets that nobody can read
 */
export function lostByReplacement(wanted: Properties, known: Properties = {}): string | undefined {
  const secrets = remarksIn(wanted);
  if (secrets.length > 0) return `${paths(secrets)} ${unknownForNew}`;
  const lost = unseenSecrets(wanted, known);
  if (lost.length === 0) return undefined;
  return (
    `${paths(lost)}: the server holds a secret that the program does not give, and nobody can read. A new method would be without it, and the old one is deleted in its favor. ` +
    "Nothing was deleted or made. Give the secret in the program; or, to have a method without one, take this one out of the program for one update."
  );
}

/** Why a change of config will be refused, as far as a state shows: the secrets that the server held when it was written. */
export function lostByChange(wanted: Properties, known: Properties): string | undefined {
  const unreadable = remarksIn(wanted);
  if (unreadable.length > 0) return unknownSecretsMessage(unreadable);
  const lost = unseenSecrets(wanted, known);
  return lost.length > 0 ? erasedSecretsMessage(lost) : undefined;
}

function unseenSecrets(wanted: Properties, known: Properties): Path[] {
  const { config, unmanagedSecrets } = lastSeen.parse(known);
  return lostSecrets(
    unmanagedSecrets.map((path) => path.split(".")),
    wanted,
    config,
  );
}

/** The value of a configuration at a path, which begins with `config`. Below an unknown value everything is unknown. */
function valueAt(given: Properties, [, ...steps]: Path): unknown {
  const at = (value: unknown, step: Path[number]) => (isRecord(value) ? own(value, String(step)) : value === unknown ? unknown : undefined);
  return steps.reduce<unknown>(at, given);
}

export function below(record: Properties, key: string): Properties {
  const value = own(record, key);
  return isRecord(value) ? value : {};
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function paths(secrets: readonly Path[]): string {
  return listOf(secrets.map((path) => formatPath(path)));
}
