import { isDeepStrictEqual } from "node:util";
import { accessChanges } from "../access/changes";
import type { BindingRule } from "../access/graph";
import { grouped } from "../common/grouped";
import { isRecord } from "../common/unknown";
import { changesOf, resources, someOf } from "../provider/internal";
import { changeFindings, rightsOfGrant } from "./access/changes";
import { areOfOneCluster, differingAddresses, hasCluster, objectsOfCluster } from "./access/clusters";
import { comparable } from "./access/comparable";
import type { Compared } from "./access/compared";
import { type Finding, type FindingKind, findingKinds } from "./access/finding";
import { mermaidGraph } from "./access/graph-text";
import { type Account, ledgerOf } from "./access/ledger";
import { withLinkedRoles } from "./access/linked-roles";
import { markdown, plainText, withNames } from "./access/markup";
import type { AccessModel } from "./access/model";
import { isUnidentified, mayBeRemade, pairsOf, renamesOf, withNewNames } from "./access/pairs";
import { uncomparedIn } from "./access/references";
import { policyChanges } from "./access/rights-changes";
import { verificationChanges } from "./access/verification";
import { labelOf } from "./access/words";
import { type Command, CommandError, type CommandIo, flag, oneOf, readArguments, text, UsageError } from "./command-line";
import { exitStatus } from "./exit-status";
import { jsonOf, readInput } from "./input";
import { differingBridged, nameOfLookedUp } from "./inventory/bridged";
import { parseExport } from "./inventory/export";
import { contentOf, type Gap, type Inventory, type InventoryObject, isUncertain, kindAndName, resourceOf } from "./inventory/inventory";
import { type PreviewedChange, parsePreviewedChange } from "./inventory/preview";
import { parseState } from "./inventory/state";
import { endWith } from "./selection";
import { printable } from "./table";

const usage = `usage: npx --no-install pulumi-agentpool-acl diff --preview FILE [options]
       npx --no-install pulumi-agentpool-acl diff --before FILE --after FILE [options]
Reports what logins and tokens gain and lose by a change. Sends nothing to a server.
  --preview FILE       a file that \`pulumi preview --json --show-sames --show-replacement-steps\` wrote; - is standard input
  --before FILE        a file that \`pulumi stack export\` or \`pulumi-agentpool-acl export\` wrote before the change
  --after FILE         a file of the same command after the change
  --cluster ADDRESS    which cluster, if a stack has objects of several
  --fail-on KINDS      ends with ${exitStatus.found} for changes of these kinds, as in management,widened:
                       management (somebody gets management or a permission that equals it, or may get it), widened (a permission is
                       gained), narrowed (a permission is lost), undecided (a gain can't be excluded), dangling (a removed role, method
                       or policy is still named), failing (logins begin to fail)
  --markdown           prints Markdown, with a graph of changed grants (Mermaid), for a pull request
  --json               prints JSON, including everything that lines leave out ("and 3 more")
  --help               prints this`;

async function run(args: string[], io: CommandIo): Promise<number> {
  const files = { preview: text, before: text, after: text };
  const { values } = readArguments({ args, options: { ...files, cluster: text, "fail-on": text, markdown: flag, json: flag } });
  if (values.markdown && values.json) throw new UsageError("give one of --markdown and --json");
  const refused = kindsIn(values["fail-on"]);
  const sides = chosen(await readSides(values), values.cluster);
  const compared = comparedSides(sides);
  const ledger = ledgerOf(compared, changeFindings(compared));
  const findings = ledger.findings.toSorted((a, b) => dangerOf(a) - dangerOf(b));
  const notes = [...(sides.after.notes ?? []), ...[poolNotes, endNotes, namesakeNotes].flatMap((of) => of(compared))];
  const said = {
    findings,
    notes,
    missing: notLookedAt(sides),
    isPreview: values.preview !== undefined,
    areRolesByName: areRolesByName(compared),
  };
  const lines = () => (values.markdown ? markdownLines(compared, said) : textLines(said));
  io.print(values.json ? json(compared, { ...said, accounts: ledger.accounts }) : lines().join("\n"));
  const status = endWith(io, compared.gaps);
  const met = kindsOf(findings, refused);
  if (met.length > 0) io.complain(`--fail-on: the change is ${met.join(", ")}`);
  return met.length > 0 ? exitStatus.found : status;
}

/** A note if pools change: logins get nothing from a pool, and the permission to use a pool is not compared. */
function poolNotes({ pairs }: Compared): string[] {
  const ofPools = pairs.filter(({ kind }) => resourceOf(kind)?.api === "pools");
  const differ = ofPools.some(({ before, after }) => !isDeepStrictEqual(before && contentOf(before), after && contentOf(after)));
  return differ ? ["agent pools, or tokens of agents, change; who may use a pool is not compared"] : [];
}

/** A note if tokens of an export without IDs end: such a token may have been made anew since the first export, and looks the same. */
function endNotes({ pairs }: Compared): string[] {
  const names = pairs.flatMap((pair) => (mayBeRemade(pair) ? [JSON.stringify(pair.after?.name)] : []));
  const what = names.length > 1 ? "tokens" : "the token";
  return names.length > 0 ? [`${what} ${someOf(names)} may have been made anew, and end later: exports show that with --full`] : [];
}

/** A note if several tokens of an export without IDs have one name: they are paired by their content, so an exchange looks like no change. */
function namesakeNotes({ pairs }: Compared): string[] {
  const tokens = (["before", "after"] as const).map((side) =>
    grouped(
      pairs.flatMap(({ kind, [side]: token }) => (kind === "AclToken" && token ? [token] : [])),
      ({ name }) => JSON.stringify(name),
    ),
  );
  const isUnclear = (all: readonly InventoryObject[]) => all.length > 1 && all.some(isUnidentified);
  const names = new Set(tokens.flatMap((side) => [...side].flatMap(([name, all]) => (isUnclear(all) ? [name] : []))));
  const what = `tokens that share a name (${someOf([...names])})`;
  return names.size > 0 ? [`${what} may have exchanged their permissions: exports show that with --full`] : [];
}

/** Whether only names tell which roles are the same: exports without IDs do not show that two roles exchange their names. */
function areRolesByName({ pairs }: Compared): boolean {
  return pairs.some(({ kind, before, after }) => kind === "AclRole" && before && after && [before, after].some(isUnidentified));
}

/**
 * The kinds that were not looked at: neither side has an object of them, and no export was made with them. A state or preview counts as
 * made with all kinds except tokens. `export` reads tokens only with `--only`.
 */
function notLookedAt({ before, after }: PreviewedChange): string[] {
  const isKnown = (kind: string) =>
    [before, after].some(
      ({ objects, kinds }) => (kinds ? kinds.includes(kind) : kind !== "AclToken") || objects.some((object) => object.kind === kind),
    );
  return resources.flatMap(({ kind, api }) => (api === "cluster" && !isKnown(kind) ? [kind] : []));
}

/** Compares two sides of one cluster. */
export function comparedSides(given: PreviewedChange): Compared {
  const sides = withLinkedRoles(given);
  const { before, after, unchanged, unchecked } = sides;
  const found = pairsOf(sides);
  const renames = renamesOf(found);
  const { objects, left } = withNewNames(sides, renames);
  const newNames = new Map(before.objects.map((object, index) => [object, objects[index] ?? object]));
  const pairs = found.map((pair) => ({ ...pair, ...(pair.before && { before: newNames.get(pair.before) ?? pair.before }) }));
  const models = comparable({ ...sides, before: { ...before, objects } });
  return {
    ...models,
    pairs,
    renames,
    changes: accessChanges(models.before, models.after),
    verification: verificationChanges(before, after, unchanged),
    policies: policyChanges({ ...models, pairs, renames: left }),
    // Logins get nothing from a pool, so exports without pools can be compared.
    gaps: [...before.gaps, ...after.gaps, ...missingKinds(before, after), ...missingKinds(after, before)].filter(
      ({ kind }) => (resourceOf(kind)?.api ?? "cluster") === "cluster",
    ),
    uncompared: uncomparedIn(before, after),
    unchecked,
  };
}

/** Gaps for kinds that the other side has, and that this side's export was made without. */
function missingKinds({ source, kinds, gaps }: Inventory, other: Inventory): Gap[] {
  const known = new Set([...(other.kinds ?? []), ...other.objects.map(({ kind }) => kind)]);
  const missing = [...known].filter((kind) => kinds?.includes(kind) === false);
  const message = `${source} was made without this kind, and ${other.source} has it. Export it on both sides, by \`--only\`.`;
  return missing.flatMap((kind) => (gaps.some((gap) => gap.kind === kind) ? [] : [{ kind, reason: "failed", message }]));
}

function kindsIn(given: string | undefined): FindingKind[] {
  return (given?.split(",") ?? []).flatMap((word) => oneOf(findingKinds, "fail-on", word.trim()) ?? []);
}

/** Kinds by danger. Gains come before losses. */
const byDanger: readonly FindingKind[] = ["management", "widened", "undecided", "failing", "dangling", "narrowed"];

/** The danger of a finding: the lowest number is the most dangerous. */
function dangerOf({ kinds }: Finding): number {
  return Math.min(byDanger.length, ...kinds.map((kind) => byDanger.indexOf(kind)));
}

/** The kinds of a change among the wanted ones. */
function kindsOf(findings: readonly Finding[], asked: readonly FindingKind[] = findingKinds): FindingKind[] {
  return asked.filter((kind) => findings.some(({ kinds }) => kinds.includes(kind)));
}

interface Files {
  readonly preview?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** @throws UsageError unless there is only a preview, or only the two other files */
async function readSides({ preview, before, after }: Files): Promise<PreviewedChange> {
  if (preview !== undefined && before === undefined && after === undefined) return readInput(preview, parsePreviewedChange);
  if (preview !== undefined || before === undefined || after === undefined) {
    throw new UsageError("give --preview, or both --before and --after");
  }
  return { before: await readInput(before, parseEither), after: await readInput(after, parseEither), unchanged: new Set() };
}

/** Reads a state or an export. */
function parseEither(text: string, source: string): Inventory {
  const whole = jsonOf(text, source);
  if (isRecord(whole) && Object.hasOwn(whole, "deployment")) return parseState(text, source);
  if (isRecord(whole) && Object.hasOwn(whole, "objects")) return parseExport(text, source);
  throw new CommandError(`${source} is the output of neither \`pulumi stack export\` nor \`pulumi-agentpool-acl export\`.`);
}

/** Both sides of one cluster. One side may be empty. Two files with one cluster each are compared even if the addresses differ. */
function chosen({ before, after, ...rest }: PreviewedChange, cluster: string | undefined): PreviewedChange {
  if (before.source !== after.source) {
    const old = objectsOfCluster(before, cluster, hasCluster(after, cluster));
    const now = objectsOfCluster(after, cluster, hasCluster(before, cluster));
    const [was, is] = differingAddresses(old, now) ?? [];
    const unchecked = [
      ...(was === undefined
        ? []
        : [`what each of two clusters gave before, because ${old.source} is of ${was}, and ${now.source} of ${is}`]),
      ...(old.selection === now.selection ? [] : [old, now].flatMap((side) => leftOutOf(side) ?? [])),
      ...((old.kinds === undefined) === (now.kinds === undefined) ? [] : ["what a state lacks, because it is only a part of a cluster"]),
      ...(areOfOneStack(old, now)
        ? []
        : [`what each of two stacks lacks, because ${old.source} and ${now.source} are of different stacks`]),
      ...movedBetween([before, old], [after, now]),
      ...differingLookups(old, now),
      ...differingBridged(old, now),
    ];
    return {
      before: withLookups(old, now),
      after: now,
      ...rest,
      ...(unchecked.length > 0 && { unchecked: unchecked.join("; ") }),
    };
  }
  const both = objectsOfCluster({ ...after, objects: [...before.objects, ...after.objects] }, cluster);
  const ofCluster = new Set(both.objects);
  const of = (side: Inventory) => ({ ...side, source: both.source, objects: side.objects.filter((object) => ofCluster.has(object)) });
  return { before: of(before), after: { ...of(after), gaps: both.gaps, ...(both.lookedUp && { lookedUp: both.lookedUp }) }, ...rest };
}

/** Whether the states may be of one stack, by the URNs of their objects. */
function areOfOneStack(...sides: readonly Inventory[]): boolean {
  const stackOf = ({ urn = "" }: InventoryObject) => urn.split("::", 2).join("::");
  const stacks = new Set(sides.flatMap(({ objects }) => objects.slice(0, 1).map(stackOf)));
  return stacks.has("") || stacks.size < 2;
}

/** The resources on the chosen cluster that the other side has on another one: the address may only have another spelling. */
function movedBetween(...sides: readonly (readonly [whole: Inventory, chosen: Inventory])[]): string[] {
  const urnsOf = ({ objects }: Inventory) => new Set(objects.flatMap(({ urn }) => urn ?? []));
  const [here, there] = sides.map(([, chosen]) => urnsOf(chosen));
  const [before, after] = sides.map(([whole]) => urnsOf(whole));
  const isMoved = (urn: string) => before?.has(urn) && after?.has(urn) && here?.has(urn) !== there?.has(urn);
  const moved = [...new Set([...(here ?? []), ...(there ?? [])])].filter(isMoved).map(kindAndName);
  return moved.length > 0 ? [`what this cluster has of ${someOf(moved)}, because the address differs between the states`] : [];
}

const isSameObject = (one: InventoryObject) => (other: InventoryObject) =>
  one.kind === other.kind && one.id === other.id && areOfOneCluster(one, other);

/** The earlier side with the objects that it looks up, and the later one manages. */
function withLookups(before: Inventory, after: Inventory): Inventory {
  const more = (before.lookedUp ?? []).filter((one) => after.objects.some(isSameObject(one)) && !before.objects.some(isSameObject(one)));
  return more.length > 0 ? { ...before, objects: [...before.objects, ...more] } : before;
}

/**
 * Objects of the cluster that the later side looks up and does not manage, if they differ, or may differ. One that was managed before may
 * still be there, or may have been deleted after the look-up.
 */
function differingLookups(before: Inventory, { objects, lookedUp = [] }: Inventory): string[] {
  const others = lookedUp.filter((one) => !objects.some(isSameObject(one)));
  return others.flatMap((object) => {
    const resource = resourceOf(object.kind);
    if (resource?.api !== "cluster") return [];
    // The address of a provider may have another spelling, and an object that was made again has another ID.
    const old = before.lookedUp?.find((one) => one.urn === object.urn || isSameObject(object)(one));
    const [was = {}, is = {}] = [old, object].map((one) => one && contentOf(one));
    const isEqual = changesOf(resource.inputs, was, is).every(({ path: [property] }) => property === "description");
    const isSettled = old ? isEqual && !isUncertain([was, is]) : !isYounger(object, before);
    const name = `${object.kind} ${JSON.stringify(object.name)}`;
    if (before.objects.some(isSameObject(object))) return [`what ${name} still gives, which is only looked up now`];
    return isSettled ? [] : [`what ${nameOfLookedUp(object)} gives, which may have changed`];
  });
}

/** Whether an object was made after all changes that an earlier state shows. Names in that state may have been without an object. */
function isYounger({ outputs: { createIndex } }: InventoryObject, { objects, lookedUp = [] }: Inventory): boolean {
  const indexes = [...objects, ...lookedUp].flatMap(({ outputs }) =>
    typeof outputs.modifyIndex === "number" ? [outputs.modifyIndex] : [],
  );
  return typeof createIndex === "number" && createIndex > Math.max(0, ...indexes);
}

function leftOutOf({ source, selection }: Inventory): string | undefined {
  return selection === undefined ? undefined : `the objects that ${selection} left out of ${source}`;
}

const nothing = "Logins get what they got before.";
const covered = "This only covers the compared objects, as the files have them. Later changes by others, ";
const limits = `${covered}and objects that others made on the cluster, are not known here.`;
/** No preview shows which values come from a lookup, which may have another result in the update. */
const limitsOfPreview = `${covered}objects that others made on the cluster, and results of lookups in the update, are not known here.`;

interface Said {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** The kinds that were not looked at. */
  readonly missing: readonly string[];
  readonly isPreview: boolean;
  /** Whether names alone say which role is which, so tokens may hold another one than before. */
  readonly areRolesByName: boolean;
}

function limitsOf({ missing, isPreview, areRolesByName }: Said): string {
  const left = missing.length > 0 ? `Not looked at: ${missing.join(", ")} (neither side has any). ` : "";
  const byName = areRolesByName ? "Roles of one name count as one role (exports have their IDs with --full). " : "";
  return left + byName + (isPreview ? limitsOfPreview : limits);
}

function textLines(said: Said): string[] {
  const { findings, notes } = said;
  const lines = findings.map(({ kinds, sentence }) => `- ${plainText(sentence)}${kinds.length > 0 ? ` [${kinds.join(", ")}]` : ""}`);
  return [...(lines.length > 0 ? lines : [nothing]), ...notes.map((note) => `${printable(note)}.`), limitsOf(said)];
}

/** The maximal number of changes in a comment of a pull request. Comments have a limit of 65,536 characters. */
const SHOWN = 100;

function markdownLines({ changes }: Compared, said: Said): string[] {
  const { findings, notes } = said;
  const kinds = kindsOf(findings);
  const rows = findings
    .slice(0, SHOWN)
    .map(({ kinds: ofOne, sentence }) => `- ${ofOne.length > 0 ? `**${ofOne.join(", ")}**: ` : ""}${markdown(sentence)}`);
  const more = findings.length > SHOWN ? ["", `And ${findings.length - SHOWN} more changes.`] : [];
  const graph = mermaidGraph(changes.grants);
  const drawn = graph.length > 0 ? ["", "```mermaid", ...graph, "```", "", "Thick lines are new, dotted ones go."] : [];
  const heading = `### What this change grants${kinds.length > 0 ? `: ${kinds.join(", ")}` : ""}`;
  const told = notes.flatMap((note) => ["", `${markdown(withNames(note))}.`]);
  return [heading, "", ...(rows.length > 0 ? rows : [nothing]), ...more, ...drawn, ...told, "", limitsOf(said)];
}

function json(
  { changes, verification, policies, before, after, ...rest }: Compared,
  { accounts, ...said }: Said & { readonly accounts: readonly Account[] },
): string {
  const { findings, notes, missing } = said;
  const rulesOf = (model: AccessModel, rules: readonly BindingRule[]) =>
    rules.map((rule) => ({
      ...(!rule.isNew && { id: rule.id }),
      label: labelOf(model, rule),
      authMethod: rule.authMethod,
      selector: rule.selector,
      bindName: rule.bindName,
    }));
  const kinds = kindsOf(findings);
  const all = findings.map(({ sentence, ...finding }) => ({ kinds: finding.kinds, text: plainText(sentence) }));
  const data = {
    kinds,
    findings: all,
    accounts,
    grants: changes.grants.map((change) => ({
      ...change,
      before: rulesOf(before, change.before),
      after: rulesOf(after, change.after),
      rights: Object.fromEntries(rightsOfGrant({ before, after }, change)),
    })),
    roles: changes.roles.map((change) => ({ ...change, rules: rulesOf(change.added.length > 0 ? after : before, change.rules) })),
    tokens: policies.tokens,
    rights: policies.rights,
    denials: policies.denials,
    dangling: [
      ...policies.gone.map((change) => ({ kind: "policy", ...change })),
      ...changes.dangling.map((change) => ({ ...change, rules: rulesOf(after, change.rules) })),
    ],
    methods: changes.methods,
    verification,
    failing: changes.failing,
    order: changes.order.map(({ method, isSame }) => ({ method, isSame })),
    undecided: [...rest.undecided, ...changes.hidden.flatMap((id) => rest.hidden.get(id) ?? [])],
    notes,
    notLookedAt: missing,
    limits: limitsOf(said),
  };
  return JSON.stringify(data, undefined, 2);
}

export const command: Command = { summary: "says what a change grants to logins", usage, run };
