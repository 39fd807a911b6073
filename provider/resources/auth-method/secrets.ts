import * as z from "zod";
import { ownProperty } from "../../../common/own-property";
import { isRecord, recordOf, unknown } from "../../../common/unknown";
import { formatPath, type Path } from "../../model/check";
import type { Properties } from "../../model/remote";
import { labelInProgram, listOf } from "../../model/text";

/** The marker in the state for a secret that others have changed, or may have changed together with something else. */
export const changedOutside = "(changed outside of this program)";

const secretPaths: readonly Path[] = [
  ["config", "oidcClientSecret"],
  ["config", "oidcClientAssertion", "privateKey", "pemKey"],
];

/** The secrets in a configuration. An empty text is not a secret. */
export function secretsOf(given: Properties): { readonly path: Path; readonly value: unknown }[] {
  return secretPaths
    .map((path) => ({ path, value: valueAt(given, path) }))
    .filter(({ value }) => typeof value === "string" && value !== "" && value !== changedOutside);
}

/** The paths of the secrets in a configuration, for messages. */
export function givenSecrets(given: Properties): string[] {
  return secretsOf(given).map(({ path }) => formatPath(path));
}

/**
 * The warning for a new OIDC method without a client secret. A preview can't refuse it, because it does not know which kind of server will
 * get it: servers that follow the API's document require the secret, and measured servers do not.
 */
export function withoutCredential({ type, name, config, adopt }: Properties): string[] {
  if (type !== "OIDC" || !isRecord(config) || config.oidcClientSecret) return [];
  const { oidcEnablePkce, oidcClientAssertion } = config;
  const instead = oidcClientAssertion
    ? "oidcClientAssertion"
    : oidcEnablePkce === true || oidcEnablePkce === unknown
      ? "oidcEnablePkce"
      : "";
  const problem = instead
    ? `config has ${instead} and no oidcClientSecret. Servers that follow the API document refuse that; Nomad takes it. Give the secret if the server refuses the method.`
    : "config has none of oidcClientSecret, oidcEnablePkce and oidcClientAssertion. Servers that follow the document refuse that, " +
      "and so do identity providers at each login, unless the client is a public one without PKCE. " +
      (adopt ? "Give one of them, unless the adopted method has one." : "Give one of them.");
  return [`${labelInProgram("ACL auth method", name)}: type OIDC, and ${problem}`];
}

function withValue(record: Properties, [step, ...rest]: Path, value: unknown): Properties {
  const key = String(step);
  return { ...record, [key]: rest.length > 0 ? withValue(recordOf(ownProperty(record, key)), rest, value) : value };
}

/** The paths at which a configuration has the marker in place of a secret. */
export function markedSecrets(given: Properties): Path[] {
  return secretPaths.filter((path) => valueAt(given, path) === changedOutside);
}

/** The configuration without the markers. */
export function withoutMarkers(given: Properties): Properties {
  return markedSecrets(given).reduce<Properties>((config, [, ...steps]) => withValue(config, steps, undefined), given);
}

/** The configuration with its secrets marked as changed by others. */
export function withChangedSecrets(read: Properties): Properties {
  return secretsOf(read).reduce<Properties>((config, { path: [, ...steps] }) => withValue(config, steps, changedOutside), read);
}

/**
 * The secrets of the server that a configuration would erase by mistake: the program does not give them, and does not remove them either,
 * alone or with their object.
 *
 * @param known the configuration of the state
 */
export function lostSecrets(stored: readonly Path[], news: Properties, known: Properties): Path[] {
  return stored.filter((path) => {
    const isDropped = path.some((_, index) => {
      const above = path.slice(0, index + 1);
      return index > 0 && isThere(valueAt(known, above)) && !isThere(valueAt(news, above));
    });
    return !isDropped && !isThere(valueAt(news, path));
  });
}

const notGiven = "the server holds a secret that the program does not give";

/** The reason to refuse a change of config that would erase secrets. */
export function erasedSecretsMessage(lost: readonly Path[]): string {
  return `${paths(lost)}: ${notGiven}. A change of config would erase it, so nothing was sent. Set the secret in the program. If ignoreChanges lists it, remove it there.`;
}

/** The reason to refuse a change of config that would write an old secret: the program ignores it, and others have changed it. */
export function unknownSecretsMessage(secrets: readonly Path[]): string {
  return (
    `${paths(secrets)}: others have changed this secret, or may have, and nobody can read it. A change of config would replace it, so nothing was sent. ` +
    "Set the intended secret, and remove it from ignoreChanges for one update; or change config where the secret is managed."
  );
}

/** The error for a new method with a marker in place of a secret. */
export const unknownForNew =
  "was changed by others, or may have been, and nobody can read it. A new method would lack it. Nothing was deleted or created. " +
  "Set the intended secret, and remove it from ignoreChanges.";

const lastSeen = z.object({ config: z.record(z.string(), z.unknown()).catch({}), unmanagedSecrets: z.array(z.string()).catch([]) });

/**
 * The reason to refuse a replacement; undefined if it loses no secret.
 *
 * @param known the old method in the state, or on the server: its configuration, and the paths of its unreadable secrets
 */
export function lostByReplacement(news: Properties, known: Properties = {}): string | undefined {
  const secrets = markedSecrets(news);
  if (secrets.length > 0) return `${paths(secrets)} ${unknownForNew}`;
  const lost = unseenSecrets(news, known);
  if (lost.length === 0) return undefined;
  return (
    `${paths(lost)}: ${notGiven}. A new method would lack it. Nothing was deleted or created. Give the secret in the program; ` +
    "or, for a method without a secret, remove this one from the program for one update."
  );
}

/** The reason why a change of config will be refused, according to the secrets that the server had when the state was written. */
export function lostByChange(news: Properties, known: Properties): string | undefined {
  const unreadable = markedSecrets(news);
  if (unreadable.length > 0) return unknownSecretsMessage(unreadable);
  const lost = unseenSecrets(news, known);
  return lost.length > 0 ? erasedSecretsMessage(lost) : undefined;
}

function unseenSecrets(news: Properties, known: Properties): Path[] {
  const { config, unmanagedSecrets } = lastSeen.parse(known);
  return lostSecrets(
    unmanagedSecrets.map((path) => path.split(".")),
    news,
    config,
  );
}

/** The value of a configuration at a path, which begins with `config`. Below an unknown value everything is unknown. */
function valueAt(given: Properties, [, ...steps]: Path): unknown {
  const at = (value: unknown, step: Path[number]) =>
    isRecord(value) ? ownProperty(value, String(step)) : value === unknown ? unknown : undefined;
  return steps.reduce<unknown>(at, given);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function paths(secrets: readonly Path[]): string {
  return listOf(secrets.map((path) => formatPath(path)));
}
