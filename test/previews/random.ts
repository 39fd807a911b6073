/** Random programs, changes and options of the Pulumi CLI, for previews of every kind. */
import fc from "fast-check";
import type { Simulator } from "../../testing/simulator";
import type { AdapterName } from "../../tools/engines/engine";
import type { Scenario } from "./play";
import { type Declared, type Program, reference } from "./program";
import { method, role, rule, selectorOf } from "./scenarios";

/** The possible fates of a rule. */
const fates = ["same", "changed", "replaced", "deleted first", "gone", "made", "renamed", "let go", "imported", "hosted"] as const;

interface Planned {
  readonly fate: (typeof fates)[number];
  readonly isKept: boolean;
  readonly gives: "management" | "role" | "policy";
  /** Whether the rule belongs to the method whose name changes. */
  readonly isOfRenamed: boolean;
  /** Whether others delete or change it before the preview; `--refresh` detects this. */
  readonly drift: "none" | "changed" | "deleted";
}

interface Plan {
  readonly rules: readonly Planned[];
  readonly operation: "update" | "refresh" | "target" | "exclude" | "destroy";
  /** The rules that `--target` or `--exclude` name, by their places. */
  readonly named: readonly number[];
  readonly roles: readonly [string[], string[]];
  readonly renames: "no" | "created first" | "deleted first";
  /** Whether the deletes of an earlier update failed. */
  readonly hasFailed: boolean;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  fate: fc.constantFrom(...fates),
  isKept: fc.boolean(),
  gives: fc.constantFrom("management", "role", "policy"),
  isOfRenamed: fc.boolean(),
  drift: fc.constantFrom("none", "none", "changed", "deleted"),
});

export const plan: fc.Arbitrary<Plan> = fc.record({
  rules: fc.array(planned, { minLength: 8, maxLength: 12 }),
  operation: fc.constantFrom("update", "update", "refresh", "target", "exclude", "destroy"),
  named: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 5 }),
  roles: fc.tuple(fc.subarray(["read-only", "admin"], { minLength: 1 }), fc.subarray(["read-only", "admin"], { minLength: 1 })),
  renames: fc.constantFrom("no", "created first", "deleted first"),
  hasFailed: fc.boolean(),
});

/** The groups that rules of a plan name at any time. */
export const groupsOf = ({ rules }: Plan) =>
  rules.flatMap((_, index) => ["", "-early", "-now", "-others"].map((part) => `g${index}${part}`));

export const methods = ["sso", "old-name", "new-name"];

const isReplaced = (fate: string) => fate === "replaced" || fate === "deleted first";

/** @param time `early`: before an update whose deletes fail; `now`: in the preview */
function programOf({ rules, roles, renames }: Plan, time: "early" | "before" | "now", simulator: Simulator): Program {
  const isNow = time === "now";
  const renamed = method(
    isNow && renames !== "no" ? "new-name" : "old-name",
    renames === "deleted first" ? { deleteBeforeReplace: true } : {},
  );
  const entries = rules.flatMap((one, index) => ruleAt({ one, index, time, simulator }));
  return { sso: method("sso"), renamed, ops: role("ops", roles[isNow ? 1 : 0]), ...Object.fromEntries(entries) };
}

interface Place {
  readonly one: Planned;
  readonly index: number;
  readonly time: "early" | "before" | "now";
  readonly simulator: Simulator;
}

function ruleAt({ one: { fate, isKept, gives, isOfRenamed }, index, time, simulator }: Place): [string, Declared][] {
  const isNow = time === "now";
  const given = { management: {}, role: { bindName: reference("ops", "name") }, policy: { bindName: "read-only" } };
  const authMethod = reference(isOfRenamed ? "renamed" : "sso", "name");
  const inputs = { authMethod, bindType: gives, ...given[gives] };
  const options = {
    retainOnDelete: isKept,
    ...(isReplaced(fate) && { replaceOnChanges: ["selector"] }),
    ...(fate === "deleted first" && { deleteBeforeReplace: true }),
  };
  const name = `r${index}`;
  const group = `g${index}`;
  const plain = (part = "", more: object = {}): [string, Declared][] => [[name, rule(`${group}${part}`, { ...options, ...more }, inputs)]];
  // A replacement leaves the old object of a kept rule in no state, so no later preview knows that object.
  if (isReplaced(fate)) return plain(isNow ? "-now" : time === "early" && !isKept ? "-early" : "");
  if (fate === "changed") return plain(isNow ? "-now" : "");
  if (fate === "gone") return isNow ? [] : plain();
  if (fate === "made") return isNow ? plain() : [];
  if (fate === "imported") return isNow ? plain("", { import: idOf(simulator, group) }) : [];
  if (fate === "renamed") return isNow ? [[`${name}-now`, rule(group, { ...options, aliases: [{ name }] }, inputs)]] : plain();
  if (fate === "let go") return isNow ? [[name, { kind: "AclBindingRule", get: idOf(simulator, group) }]] : plain();
  if (fate === "hosted" && !isNow) {
    const host: [string, Declared] = [`${name}-host`, rule(`${group}-early`, {}, inputs)];
    return [host, ...plain("", { deletedWith: reference(`${name}-host`) })];
  }
  return isNow && fate === "hosted" ? [] : plain();
}

function idOf({ cluster }: Simulator, group: string): string {
  const found = cluster.rules.list().find(({ Selector }) => Selector === selectorOf(group));
  if (!found) throw new Error(`no rule of ${group}`);
  return found.ID;
}

/** The scenario of a plan, without the parts that its adapter or operation can't do. */
export function scenarioOf(given: Plan, adapter: AdapterName): { readonly scenario: Scenario; readonly plan: Plan } {
  const { operation, named } = given;
  const isDestroy = operation === "destroy";
  // Without its rules among the targets, a method with a new name would leave references to a missing name.
  const renames = operation === "target" || operation === "exclude" ? "no" : given.renames;
  // A rule that is not imported stays a rule of others, which no preview shows.
  const isImported = (index: number) =>
    adapter === "plugin" &&
    !isDestroy &&
    (operation !== "target" || named.includes(index)) &&
    (operation !== "exclude" || !named.includes(index));
  // The CLI refuses the target `ops` if the program lacks a resource that depends on it and is no target itself.
  const isRefused = ({ fate, gives }: Planned, index: number) =>
    operation === "target" && gives === "role" && (fate === "hosted" || (fate === "gone" && !named.includes(index)));
  const fateOf = (one: Planned, index: number) => {
    if (isRefused(one, index)) return "same";
    return one.fate === "imported" && !isImported(index) ? "made" : one.fate;
  };
  const rules = given.rules.map((one, index) => ({
    ...one,
    fate: fateOf(one, index),
    // An imported rule would need the renamed method before the update.
    isOfRenamed: one.isOfRenamed && one.fate !== "imported",
  }));
  const own: Plan = { ...given, renames, rules };
  const names = named.filter((index) => index < rules.length).map((index) => `**::r${index}`);
  const replaced = rules.flatMap(({ fate }, index) => (isReplaced(fate) ? [`r${index}`] : []));
  // With targets, the CLI replaces targets alone.
  const isNamed = (name: string) => names.includes(`**::${name}`);
  const replaceOnChanges = isDestroy ? [] : operation === "target" ? replaced.filter(isNamed) : replaced;
  const early = replaced.filter((name) => !rules[Number(name.slice(1))]?.isKept);
  // The CLI refuses targets if other resources have pending deletes.
  const failing = given.hasFailed && early.length > 0 && operation !== "target";
  const scenario: Scenario = {
    earlier: [
      { program: (simulator) => programOf(own, failing ? "early" : "before", simulator) },
      ...(failing ? [failed(own, early)] : []),
    ],
    meanwhile: (simulator) => meanwhile(own, simulator),
    program: (simulator) => (isDestroy ? {} : programOf(own, "now", simulator)),
    options: [
      ...(operation === "refresh" ? ["--refresh"] : []),
      ...(operation === "target" ? ["**::ops", ...names].flatMap((name) => ["--target", name]) : []),
      ...(operation === "exclude" ? names.flatMap((name) => ["--exclude", name]) : []),
    ],
    replaceOnChanges: operation === "exclude" ? replaced.filter((name) => !isNamed(name)) : replaceOnChanges,
    command: isDestroy ? "destroy" : "up",
  };
  return { scenario, plan: own };
}

function failed(own: Plan, replaced: readonly string[]): Scenario["earlier"][number] {
  // The update has to fail at a delete, so `replaced` names rules that are not kept.
  const fault = { kind: "status", status: 403, body: "Permission denied" } as const;
  return {
    program: (simulator) => programOf(own, "before", simulator),
    replaceOnChanges: replaced,
    faults: ({ faults }) => faults.add({ method: "DELETE", path: /binding-rule/, times: Number.POSITIVE_INFINITY, fault }),
  };
}

function meanwhile({ rules, operation }: Plan, simulator: Simulator): void {
  const { cluster } = simulator;
  rules.forEach(({ fate, drift, gives }, index) => {
    const BindName = { management: "", role: "ops", policy: "read-only" }[gives];
    if (fate === "imported") cluster.rules.put({ AuthMethod: "sso", Selector: selectorOf(`g${index}`), BindType: gives, BindName });
    const isKnown = !["imported", "made", "let go"].includes(fate);
    const found = cluster.rules.list().find(({ Selector }) => Selector === selectorOf(`g${index}`));
    if (operation !== "refresh" || !isKnown || !found || drift === "none") return;
    if (drift === "deleted") cluster.rules.delete(found.ID);
    else cluster.rules.put({ ID: found.ID, Selector: selectorOf(`g${index}-others`) });
  });
}
