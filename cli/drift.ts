import { rightsOf } from "../access/policy/rights";
import { listOf, type Resolved, type Resource, resources } from "../provider/internal";
import { rightsLines, rightsText } from "./access/rights-words";
import { type Command, type CommandIo, flag, oneOf, readArguments, text, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, readConfiguration, stackConfiguration, stackFolder } from "./configuration";
import { exitStatus } from "./exit-status";
import { readInput } from "./input";
import { type Comparison, compareWithServers, type Drift, type PropertyDrift } from "./inventory/drift";
import { type InventoryObject, shownId } from "./inventory/inventory";
import { reportingTo } from "./inventory/servers";
import { parseState, readStack } from "./inventory/state";
import type { Unmanaged } from "./inventory/unmanaged";
import { endWith, selectKinds } from "./selection";
import { printable } from "./table";

const usage = `usage: npx --no-install pulumi-agentpool-acl drift --stack NAME | --state FILE [options]
Compares a stack's state with the servers, without an engine: one list for each kind, and single reads if the list shows another version.
Also lists unmanaged objects that touch the stack's: rules of its methods, roles and policies, tokens of its roles, policies and pools.
Ends with ${exitStatus.done} when there is no drift, ${exitStatus.found} when there is some, ${exitStatus.incomplete} when there is none and something could not be compared. Writes nothing.
  --stack NAME         the stack, which the Pulumi CLI reads with its configuration
  --cwd DIR            the folder of the stack's project; this one when left out
  --state FILE         the output of \`pulumi stack export\`; - is standard input
  --unmanaged          lists all objects on the servers that are not in the state
  --fail-on KINDS      ends with ${exitStatus.found} for drift, for unmanaged (any unmanaged object is listed), or for both: drift,unmanaged.
                       Default: drift
  --json               prints the result as JSON
${configurationUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const options = { ...configurationOptions, stack: text, cwd: text, state: text, unmanaged: flag, "fail-on": text, json: flag };
  const { values } = readArguments({ args, options });
  const { stack, state } = values;
  if ((stack === undefined) === (state === undefined)) throw new UsageError("give either --stack or --state");
  const refused = (values["fail-on"] ?? "drift").split(",").map((word) => oneOf(findings, "fail-on", word.trim()));
  const cwd = stackFolder(values);
  const known = stack === undefined ? await readInput(state ?? "-", parseState) : await readStack(stack, cwd);
  const configuration = await readConfiguration(values, stack === undefined ? {} : await stackConfiguration(stack, cwd));
  const isAll = values.unmanaged === true;
  const unmanaged = isAll ? configuredKinds(configuration) : [];
  const comparison = await compareWithServers(known, { configuration, unmanaged, ...reportingTo(io, signal) });
  if (values.json) io.print(JSON.stringify(asJson(known.objects.length, comparison), undefined, 2));
  else print(known.objects.length, comparison, isAll, io);
  const status = endWith(io, comparison.gaps);
  const found = { drift: comparison.drift.length > 0, unmanaged: comparison.unmanaged.objects.length > 0 };
  // Gaps must not hide findings.
  return findings.some((one) => found[one] && refused.includes(one)) ? exitStatus.found : status;
}

/** The words of `--fail-on`. */
const findings = ["drift", "unmanaged"] as const;

/** All kinds of the configured services, including the kinds that other commands read on request only. */
function configuredKinds(configuration: Resolved): readonly Resource[] {
  const apis = new Set(selectKinds({}, configuration).resources.map(({ api }) => api));
  return resources.filter(({ api }) => apis.has(api));
}

function print(
  count: number,
  { drift, uncompared, unmanaged: { objects, loginTokens }, gaps, notLookedAt }: Comparison,
  isAll: boolean,
  io: CommandIo,
): void {
  for (const line of [...drift.flatMap(linesOf), ...objects.flatMap(linesOfUnmanaged)]) io.print(line);
  if (loginTokens > 0)
    io.print(`Not listed: tokens with the lifetime and grants of login tokens of the stack's auth methods (${loginTokens})`);
  if (notLookedAt.length > 0) io.print(printable(`Not looked at: ${notLookedAt.join(", ")}`));
  const [noun, verb] = objects.length === 1 ? ["object", "touches"] : ["objects", "touch"];
  const others = `${objects.length} unmanaged ${noun} ${isAll ? "on the servers" : `${verb} them`}`;
  const left = uncompared > 0 ? `, ${uncompared} not compared` : "";
  const rest = gaps.length > 0 && uncompared === 0 ? ", and not all could be compared" : "";
  io.print(
    `${count} ${count === 1 ? "object" : "objects"} in the state${left}, ${new Set(drift.map(({ object }) => object)).size} with drift; ${others}${rest}`,
  );
}

function linesOfUnmanaged({ gives, rules, ...object }: Unmanaged): string[] {
  const rights = rules === undefined ? [] : rightsLines(rightsOf([rules]), [], true);
  return [
    `${labelOf(object)}: not in the state${gives === "" ? "" : `; ${gives}`}`,
    ...rights.map((line) => `    ${line.where}: ${rightsText(line, true)}`),
  ].map(printable);
}

function labelOf({ kind, name, id }: Pick<InventoryObject, "kind" | "name" | "id">): string {
  return `${kind} ${JSON.stringify(name)}${id === undefined || name === id ? "" : ` (${id})`}`;
}

const words = {
  changed: "changed",
  deleted: "deleted: the server does not have it",
  replaced: "deleted, and another was made under its name",
  left: "still on the server, although no resource of the program has it any more: run `pulumi up`",
};

function linesOf({ object, kind, properties, others = [] }: Drift): string[] {
  const entries = listOf([object.urn ?? "", ...others]);
  const shared = `${entries} are entries of this one object: remove all but one from the state, by \`pulumi state delete URN\``;
  return [
    `${labelOf({ ...object, id: shownId(object) ?? object.urn })}: ${kind === "shared" ? shared : words[kind]}`,
    ...properties.flatMap(linesOfProperty),
  ];
}

/** Both values. Texts with several lines, such as a policy's rules, are shown from the first to the last line that differs. */
function linesOfProperty({ path, state, server }: PropertyDrift): string[] {
  if (typeof state !== "string" || typeof server !== "string" || !`${state}${server}`.trimEnd().includes("\n"))
    return [`    ${path}: ${shown(state)} -> ${shown(server)}`];
  const [old, now] = [state.split("\n"), server.split("\n")];
  const shorter = Math.min(old.length, now.length);
  let [first, last] = [0, 0];
  while (first < shorter && old[first] === now[first]) first += 1;
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const lines = (sign: string, all: readonly string[]) =>
    all.slice(first, all.length - last).map((line) => printable(`      ${sign} ${line.replaceAll("\t", "  ")}`));
  return [`    ${path}, from line ${first + 1} (- state, + server):`, ...lines("-", old), ...lines("+", now)];
}

function shown(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function asJson(objects: number, { drift, uncompared, unmanaged, gaps, notLookedAt }: Comparison): object {
  const items = drift.map(({ object, kind: change, ...rest }) => {
    const { kind, name, urn } = object;
    return { kind, id: shownId(object), name, urn, change, ...rest };
  });
  return {
    objects,
    uncompared,
    drift: items,
    unmanaged: unmanaged.objects,
    loginTokens: unmanaged.loginTokens,
    notLookedAt,
    incomplete: gaps,
  };
}

export const command: Command = { summary: "compares a stack's state with the servers", usage, run };
