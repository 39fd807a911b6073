import { matchesPattern } from "../access/regular-expression";
import { type Resolved, type Resource, resources } from "../provider/internal";
import { type CommandIo, oneOf, texts } from "./command-line";
import { type ExitStatus, exitStatus } from "./exit-status";
import type { Gap, InventoryObject } from "./inventory/inventory";

const kinds = resources.map(({ kind }) => kind);
const onRequest = resources.filter(({ isReadOnRequest }) => isReadOnRequest).map(({ kind }) => kind);

/** The options that choose objects, for `readArguments`. */
export const selectionOptions = { only: texts, match: texts, exclude: texts, organization: texts };

/** The lines of `--help` about these options. */
export const selectionUsage = `  --only KIND          ${kinds.join(", ")}; any number of times; when left out all but ${onRequest.join(" and ")}.
                       An import of an AclToken brings its secret into the stack's state, encrypted; the secret of an AgentToken can't be read
  --match PATTERN      only objects whose name matches, * for any text and ? for a letter; any number of times
  --exclude PATTERN    no objects whose name matches; any number of times. A rule's name is its description, or its id
  --organization NAME  an organization whose pools to read, any number of times; the configured one when left out`;

export interface SelectionArguments {
  readonly only?: readonly string[] | undefined;
  readonly match?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly organization?: readonly string[] | undefined;
}

/** The kinds to read: all without `--only`. @throws UsageError for an unknown kind */
export function kindsOf({ only = [] }: SelectionArguments): readonly Resource[] {
  const asked = only.map((kind) => oneOf(kinds, "only", kind));
  return asked.length > 0 ? resources.filter(({ kind }) => asked.includes(kind)) : resources;
}

/**
 * The kinds to read, and the kinds that are left out because their service is not configured at all.
 *
 * @throws UsageError for an unknown kind
 */
export function selectKinds(given: SelectionArguments, { settings }: Resolved): Record<"resources" | "unconfigured", readonly Resource[]> {
  if (given.only && given.only.length > 0) return { resources: kindsOf(given), unconfigured: [] };
  const { poolsAddress, poolsToken, clusterAddress, clusterToken } = settings;
  const isConfigured = { pools: poolsAddress || poolsToken, cluster: clusterAddress || clusterToken };
  const usual = resources.filter(({ isReadOnRequest }) => !isReadOnRequest);
  const unconfigured = usual.filter(({ api }) => !isConfigured[api]);
  // Without any configuration, the error about it says more than an empty result.
  if (unconfigured.length === usual.length) return { resources: usual, unconfigured: [] };
  return { resources: usual.filter(({ api }) => isConfigured[api]), unconfigured };
}

/** Returns a test of objects by their names. */
export function selectNames({ match = [], exclude = [] }: SelectionArguments): (object: Pick<InventoryObject, "name">) => boolean {
  const [matched, excluded] = [match.map(expressionOf), exclude.map(expressionOf)];
  const fits = (name: string) => (expression: string) => matchesPattern(expression, name) === true;
  return ({ name }) => (matched.length === 0 || matched.some(fits(name))) && !excluded.some(fits(name));
}

/** The options that choose objects by name, as they were given; undefined without them. */
export function selectionOf({ match = [], exclude = [] }: SelectionArguments): string | undefined {
  const given = [...match.map((pattern) => `--match ${pattern}`), ...exclude.map((pattern) => `--exclude ${pattern}`)];
  return given.length > 0 ? given.join(" ") : undefined;
}

/**
 * The pattern as a regular expression for an engine with linear time: JavaScript's own engine can take exponential time if the pattern has
 * several stars.
 */
function expressionOf(pattern: string): string {
  const parts = [...pattern].map((letter) => (letter === "*" ? ".*" : letter === "?" ? "." : letter.replace(/[\\^$.+()[\]{}|]/, "\\$&")));
  return `(?s)\\A${parts.join("")}\\z`;
}

/** Reports gaps. @returns the exit status of a command that has done the rest */
export function endWith({ complain }: CommandIo, gaps: readonly Gap[], notes: readonly string[] = []): ExitStatus {
  for (const line of [...notes, ...gapMessages(gaps)]) complain(line);
  return gaps.length > 0 ? exitStatus.incomplete : exitStatus.done;
}

/** The lines about gaps. */
export function gapMessages(gaps: readonly Gap[], unconfigured: readonly Resource[] = []): string[] {
  return [
    ...gaps.map(({ kind, organization, message }) => `incomplete: ${kind}${organization ? ` of ${organization}` : ""}: ${message}`),
    ...unconfigured.map(({ kind }) => `${kind} is left out, because neither the address nor the token of its service is configured.`),
  ];
}
