import type { Simulator } from "../../testing/simulator";
import type { AdapterName } from "../../tools/engines/engine";
import type { Scenario } from "./play";
import { type Declared, type Program, reference } from "./program";

type Options = Readonly<Record<string, unknown>>;

export function method(name: string, options: Options = {}): Declared {
  const config = { jwksUrl: "https://login.example.com/keys", listClaimMappings: { groups: "groups" } };
  return { kind: "AclAuthMethod", inputs: { name, type: "JWT", tokenLocality: "global", maxTokenTtl: "8h", config }, options };
}

export function role(name: string, policies: readonly string[], options: Options = {}): Declared {
  return { kind: "AclRole", inputs: { name, policies }, options };
}

/** A rule that gives management to a group by the method "sso", unless the inputs say otherwise. */
export function rule(group: string, options: Options = {}, inputs: Options = {}): Declared {
  const own = { authMethod: reference("sso", "name"), selector: selectorOf(group), bindType: "management" };
  return { kind: "AclBindingRule", inputs: { ...own, ...inputs }, options };
}

export const selectorOf = (group: string) => `${JSON.stringify(group)} in list.groups`;

/** A rule that others have made. @returns its ID */
function theirs({ cluster }: Simulator, group: string): string {
  const Selector = selectorOf(group);
  const known = cluster.rules.list().find((one) => one.Selector === Selector);
  return (known ?? cluster.rules.put({ AuthMethod: "sso", Selector, BindType: "management" })).ID;
}

const replaced = { replaceOnChanges: ["selector"] };
const deletedFirst = { ...replaced, deleteBeforeReplace: true };
const kept = { retainOnDelete: true };
const bindsOps = { bindType: "role", bindName: reference("ops", "name") };

/** Resources without changes. Each program has them. */
const common = { sso: method("sso"), ops: role("ops", ["read-only"]), same: rule("same") };

const changes: Scenario = {
  earlier: [
    {
      program: (simulator) => ({
        ...common,
        renamed: method("old-name"),
        follows: rule("follows", {}, { authMethod: reference("renamed", "name") }),
        renamedFirst: method("old-first", { deleteBeforeReplace: true }),
        followsFirst: rule("follows-first", {}, { authMethod: reference("renamedFirst", "name") }),
        goesWithFirst: rule("goes-with-first", {}, { authMethod: reference("renamedFirst", "name") }),
        bindsOps: rule("binds-ops", {}, bindsOps),
        replaced: rule("replaced", replaced),
        deletedFirst: rule("deleted-first", deletedFirst),
        keptHalf: rule("kept-half", { ...replaced, ...kept }),
        keptFirst: rule("kept-first", { ...deletedFirst, ...kept }),
        forced: rule("forced"),
        forcedFirst: rule("forced-first", { deleteBeforeReplace: true }),
        gone: rule("gone"),
        goneKept: rule("gone-kept", kept),
        before: rule("alias"),
        letGo: rule("let-go"),
        readInstead: rule("read-instead"),
        owned: { kind: "AclBindingRule", get: theirs(simulator, "owned-before") },
        lookedUp: { kind: "AclBindingRule", get: theirs(simulator, "looked-up") },
        host: rule("host"),
        hosted: rule("hosted", { deletedWith: reference("host") }),
      }),
    },
  ],
  program: (simulator) => ({
    ...common,
    ops: role("ops", ["read-only", "admin"]),
    renamed: method("new-name"),
    follows: rule("follows", {}, { authMethod: reference("renamed", "name") }),
    renamedFirst: method("new-first", { deleteBeforeReplace: true }),
    followsFirst: rule("follows-first", {}, { authMethod: reference("renamedFirst", "name") }),
    bindsOps: rule("binds-ops", {}, bindsOps),
    replaced: rule("replaced-now", replaced),
    deletedFirst: rule("deleted-first-now", deletedFirst),
    keptHalf: rule("kept-half-now", { ...replaced, ...kept }),
    keptFirst: rule("kept-first-now", { ...deletedFirst, ...kept }),
    forced: rule("forced-now"),
    forcedFirst: rule("forced-first", { deleteBeforeReplace: true }),
    after: rule("alias", { aliases: [{ name: "before" }] }),
    letGo: { kind: "AclBindingRule", get: idOf(simulator, "let-go") },
    readInstead: { kind: "AclBindingRule", get: theirs(simulator, "read-instead-now") },
    owned: rule("owned-now"),
    lookedUp: { kind: "AclBindingRule", get: theirs(simulator, "looked-up") },
    made: rule("made"),
  }),
  others: ["owned-before", "looked-up", "read-instead-now"].map(selectorOf),
  replace: ["forced", "forcedFirst"],
  replaceOnChanges: ["replaced", "deletedFirst", "keptHalf", "keptFirst"],
};

function idOf({ cluster }: Simulator, group: string): string {
  const found = cluster.rules.list().find(({ Selector }) => Selector === selectorOf(group));
  if (!found) throw new Error(`the simulator has no rule of ${group}`);
  return found.ID;
}

/** Makes requests with these methods for rules fail. */
function refuse({ faults }: Simulator, ...methods: string[]): void {
  const fault = { kind: "status", status: 403, body: "Permission denied" } as const;
  for (const name of methods) faults.add({ method: name, path: /binding-rule/, times: Number.POSITIVE_INFINITY, fault });
}

/** The leftovers of failed updates: pending deletes, and replacements whose create is pending. */
const pending: Scenario = {
  earlier: [
    { program: () => pendingProgram("", "") },
    {
      program: () => pendingProgram("-now", ""),
      replaceOnChanges: ["waits", "waitsGone"],
      faults: (simulator) => refuse(simulator, "DELETE"),
    },
    {
      program: () => pendingProgram("-now", "-now"),
      replaceOnChanges: ["pending", "pendingGone", "pendingKept"],
      faults: (simulator) => refuse(simulator, "PUT", "POST"),
    },
  ],
  program: () => {
    const { waitsGone: _, pendingGone: __, ...rest } = pendingProgram("-now", "-now");
    return rest;
  },
};

function pendingProgram(first: string, second: string) {
  return {
    ...common,
    waits: rule(`waits${first}`, replaced),
    waitsGone: rule(`waits-gone${first}`, replaced),
    pending: rule(`pending${second}`, deletedFirst),
    pendingGone: rule(`pending-gone${second}`, deletedFirst),
    pendingKept: rule(`pending-kept${second}`, { ...deletedFirst, ...kept }),
  } satisfies Program;
}

/** Others have changed and deleted objects, and the preview refreshes first. */
const refresh: Scenario = {
  earlier: [
    {
      program: () => ({
        ...common,
        changed: rule("changed"),
        deleted: rule("deleted"),
        gone: rule("gone"),
        deletedGone: rule("deleted-gone"),
        replaced: rule("replaced", replaced),
      }),
    },
  ],
  meanwhile: (simulator) => {
    const { roles, rules } = simulator.cluster;
    rules.put({ ID: idOf(simulator, "changed"), Selector: selectorOf("changed-by-others") });
    rules.put({ ID: idOf(simulator, "gone"), Selector: selectorOf("gone-changed") });
    rules.delete(idOf(simulator, "deleted"));
    rules.delete(idOf(simulator, "deleted-gone"));
    for (const { ID } of roles.list()) roles.put({ ID, Policies: [{ Name: "admin" }] });
  },
  program: () => ({ ...common, changed: rule("changed"), deleted: rule("deleted"), replaced: rule("replaced-now", replaced) }),
  options: ["--refresh"],
  replaceOnChanges: ["replaced"],
};

/** A program for updates of some resources. */
const partial: Omit<Scenario, "options"> = {
  earlier: [
    {
      program: () => ({
        ...common,
        bindsOps: rule("binds-ops", {}, bindsOps),
        changed: rule("changed"),
        gone: rule("gone"),
        replaced: rule("replaced", replaced),
      }),
    },
  ],
  program: () => ({
    ...common,
    ops: role("ops", ["read-only", "admin"]),
    bindsOps: rule("binds-ops", {}, bindsOps),
    changed: rule("changed-now"),
    replaced: rule("replaced-now", replaced),
    made: rule("made"),
  }),
  replaceOnChanges: ["replaced"],
};

const ended: Scenario = {
  earlier: [
    {
      program: () => ({
        ...common,
        kept: rule("kept", kept),
        host: rule("host"),
        hosted: rule("hosted", { deletedWith: reference("host") }),
      }),
    },
  ],
  program: () => common,
  command: "destroy",
};

/** Only the plugin's objects can be imported. */
const importing: Scenario = {
  earlier: [{ program: () => ({ ...common, instead: rule("instead") }) }],
  program: (simulator) => ({
    ...common,
    imported: rule("imported", { import: theirs(simulator, "imported") }),
    importedChanged: rule("imported-changed", { import: theirs(simulator, "imported-before") }),
    instead: rule("imported-instead", { import: theirs(simulator, "imported-instead") }),
  }),
};

/** The scenarios, by their names. */
export function scenariosOf(adapter: AdapterName): Readonly<Record<string, Scenario>> {
  return {
    changes,
    pending,
    refresh,
    target: { ...partial, options: ["--target", "**::ops", "--target", "**::replaced"] },
    exclude: { ...partial, options: ["--exclude", "**::made", "--exclude", "**::gone"] },
    destroy: ended,
    ...(adapter === "plugin" && { import: importing }),
  };
}
