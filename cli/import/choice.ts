import { grouped } from "../../common/grouped";
import { contentOf, type Inventory, type InventoryObject, resourceOf } from "../inventory/inventory";
import type { ListedObject, ServerInventory } from "../inventory/servers";
import { elsewhereIn, type Finding, findingsIn } from "./findings";
import { managedIn } from "./managed";
import { type Unwanted, unwantedToken } from "./tokens";

/** The imported objects, and the reasons why others are left out. */
export interface Choice {
  readonly chosen: readonly InventoryObject[];
  readonly findings: readonly Finding[];
  /** The numbers of objects left out, by the reason in words. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** Tokens that no program should have. */
  readonly unwanted: ReadonlyMap<InventoryObject, Unwanted>;
}

export interface ChoiceOptions {
  /** The program's own stack. Its objects are no finding `elsewhere`, unless the state has another server address. */
  readonly stack?: Inventory | undefined;
  /** The objects of other stacks. */
  readonly states: readonly Inventory[];
  /** Whether the user's options choose an object by its name. */
  readonly isNamed: (object: ListedObject) => boolean;
  /** Whether a rule comes along with its chosen method, even if `--match` does not choose the rule's own name. */
  readonly comesAlong: (rule: ListedObject) => boolean;
  /** The findings whose objects are left out. */
  readonly without: readonly Finding["kind"][];
  /** Whether the program includes objects of stacks. */
  readonly withManaged: boolean;
  /** Whether dynamic resources adopt the objects, by their content. */
  readonly isDynamic: boolean;
  /** Whether the list of a kind's objects is complete. */
  readonly isComplete: (kind: string) => boolean;
}

export function choose({ objects, listed }: ServerInventory, options: ChoiceOptions): Choice {
  const { stack, states, without, withManaged, isDynamic, isComplete } = options;
  const isNamed = isNamedIn(listed, options);
  const managed = managedIn(objects, [...(stack ? [stack] : []), ...states]);
  const elsewhere = new Map([...managed].filter(([, { source, otherServer }]) => source !== stack?.source || otherServer !== undefined));
  // Looks at all objects, also unchosen ones: a role is referenced even if only an unchosen rule gives it.
  const findings = [...findingsIn(objects, { listed, isComplete }), ...elsewhereIn(elsewhere)].filter(({ object }) => isNamed(object));
  const kinds = new Map(findings.map(({ object, kind }) => [object, kind]));
  const unwanted = new Map<InventoryObject, Unwanted>();
  const twins = isDynamic ? twinsIn(objects) : new Set<InventoryObject>();
  const reasonOf = (object: InventoryObject): string | undefined => {
    const owner = managed.get(object);
    if (owner && owner.otherServer === undefined && !withManaged) return `managed by ${owner.source}`;
    if (!isNamed(object)) return unnamed;
    const kind = kinds.get(object);
    if (kind !== undefined && without.includes(kind)) return `--without ${kind}`;
    if (twins.has(object)) return "equal to another rule, so no dynamic resource can adopt it";
    const isAdoptable = resourceOf(object.kind)?.inputs.has("adopt") ?? true;
    if (isDynamic && !isAdoptable) return `of ${object.kind}, which no dynamic resource can adopt`;
    const token = unwantedToken(object);
    if (token) unwanted.set(object, token);
    return token?.reason;
  };
  const leftOut = new Map<string, number>();
  const count = (reason: string, number = 1) => number > 0 && leftOut.set(reason, (leftOut.get(reason) ?? 0) + number);
  const chosen = objects.filter((object) => {
    const reason = reasonOf(object);
    if (reason !== undefined) count(reason);
    return reason === undefined;
  });
  count(unnamed, listed.filter((object) => !isRead(object, options.isNamed)).length);
  return { chosen, findings, leftOut, unwanted };
}

const unnamed = "with other names";

/** Whether the user chose an object: by its name or, for a rule, by the name of its method. */
function isNamedIn(listed: readonly ListedObject[], { isNamed, comesAlong }: ChoiceOptions): (object: InventoryObject) => boolean {
  const methods = new Set<unknown>(listed.filter((one) => one.kind === "AclAuthMethod" && isNamed(one)).map(({ name }) => name));
  const isOfMethod = ({ kind, outputs }: InventoryObject) => kind === "AclBindingRule" && methods.has(outputs.authMethod);
  return (object) => isNamed(object) || (isOfMethod(object) && comesAlong(object));
}

/** Whether to read an object. Rules are always read, because findings about other objects depend on them. */
export function isRead(object: ListedObject, isNamed: (object: ListedObject) => boolean): boolean {
  return object.kind === "AclBindingRule" || isNamed(object);
}

/** Rules with the same inputs as another one: adoption by content would be ambiguous. */
function twinsIn(objects: readonly InventoryObject[]): ReadonlySet<InventoryObject> {
  const rules = objects.filter(({ kind, sensitive }) => kind === "AclBindingRule" && sensitive === undefined);
  const byContent = grouped(rules, (object) => JSON.stringify(contentOf(object)));
  return new Set([...byContent.values()].filter(({ length }) => length > 1).flat());
}
