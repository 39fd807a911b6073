import { boundNames } from "../../access/bound-names";
import { type BindingRule, type Edge, edgesOf } from "../../access/graph";
import { likeManagement } from "../../access/policy/management";
import { grouped as byKey } from "../../common/grouped";
import { wouldGive } from "../access/explanation";
import type { AccessModel, Undecided } from "../access/model";
import { RightFinder } from "../access/rights";
import { doubtAbout, halfKnown, labelOf, nameless } from "../access/words";
import { type Mark, ruleMarks } from "./marks";
import { holdersFacts, policiesOfOthers, rightsFacts } from "./rights";
import { rulesTo } from "./selection";

/** The kinds of objects, in the order of a login's path. */
export const nodeKinds = ["method", "rule", "role", "policy", "rights", "management"] as const;
export type NodeKind = (typeof nodeKinds)[number];

export const kindNames: Readonly<Record<NodeKind, string>> = {
  method: "auth method",
  rule: "binding rule",
  role: "role",
  policy: "policy",
  rights: "rights of policy",
  management: "management",
};

/** An object of a picture. Its texts are not escaped. */
export interface PictureNode {
  /** The object's kind and name, such as `role developers`. For a rule, the name is its ID. */
  readonly key: string;
  readonly kind: NodeKind;
  /** The first line of the box. Empty for rights, which stand next to their policy. */
  readonly title: string;
  readonly details: readonly string[];
  /** The selector of a rule. */
  readonly selector?: string;
  readonly marks: readonly Mark[];
  /** Whether the source has the object. Otherwise, the object is only named by another one. */
  readonly exists: boolean;
  /**
   * A description for people who can't see the picture: the object's kind and name, the other texts of its box and, for a rule or a role,
   * what it gives.
   */
  readonly description: string;
}

/** A line from one object to another, by their places in the list. */
export interface PictureEdge {
  readonly from: number;
  readonly to: number;
  /** Whether claims select the target. */
  readonly computed: boolean;
  readonly exists: boolean;
}

/** Methods, rules, roles, policies, rights and management, and the lines between them. */
export interface Picture {
  readonly title: string;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** Reasons for objects that are not drawn. */
  readonly notes: readonly string[];
}

export function keyOf(kind: NodeKind, name: string): string {
  return kind === "management" ? kind : `${kind} ${name}`;
}

/** The texts of an object as plain lines. */
export function linesOf({ kind, title, details, selector, marks }: PictureNode): string[] {
  return [
    ...(kind === "rights" ? [] : [title]),
    ...details,
    ...(selector === undefined ? [] : [selector]),
    ...marks.map(({ text }) => `! ${text}`),
  ];
}

/** The parts of a model that a picture shows. */
export interface Shown {
  /** Only this role, the objects that lead to it, and its policies. */
  readonly role?: string | undefined;
  /** Only roles that the rules may give. Default: false. */
  readonly isBound?: boolean;
  /** Adds the permissions of each policy. Default: false. */
  readonly hasRights?: boolean;
  /** Adds the policies that apply without a login. Default: as `hasRights`. */
  readonly hasOthers?: boolean;
}

export function toPicture(model: AccessModel, { role, isBound = false, hasRights = false, hasOthers = hasRights }: Shown = {}): Picture {
  const all = role === undefined ? edgesOf(model) : edgesTo(model, role);
  const { edges: possible, groups } = grouped(model, all, hasRights ? new RightFinder(model, likeManagement) : undefined);
  const bound = boundRoles(possible);
  const edges = possible.filter(({ fromKind, from }) => !isBound || fromKind !== "role" || bound.has(from));
  const others = hasOthers && role === undefined ? policiesOfOthers(model).map(policyEnd) : [];
  const ends = new Map([...edges.flatMap(endsOf), ...others].map((end) => [end.key, end] as const));
  const objects = [...methodNodes(model), ...ruleNodes(model), ...roleNodes(model, all)];
  const isShown = ({ kind, key }: PictureNode) => ends.has(key) || (role === undefined && !(isBound && kind === "role"));
  const known = [...objects.filter(isShown), ...groups];
  const drawn = new Set(known.map(({ key }) => key));
  const atEnds = [...ends.values()].filter(({ key }) => !drawn.has(key)).map((end) => endNode(model, end, hasOthers));
  const policies = hasRights ? atEnds.filter(({ kind, exists }) => kind === "policy" && exists) : [];
  const nodes = [
    ...known,
    ...atEnds,
    ...policies.map(({ title }) => nodeOf({ kind: "rights", name: title, title: "", ...rightsFacts(model, title) })),
  ];
  const places = new Map(nodes.map(({ key }, place) => [key, place]));
  const isThere = (place: number) => nodes[place]?.exists === true;
  return {
    title: `Who may do what: ${sourceOf(model)}`,
    nodes,
    edges: [
      ...edges.map((edge) => {
        const [from = 0, to = 0] = endsOf(edge).map(({ key }) => places.get(key));
        // Partly unknown objects exist, too.
        return { from, to, computed: edge.computed, exists: edge.exists || (isThere(from) && isThere(to)) };
      }),
      ...policies.map(({ key, title }) => {
        const [from = 0, to = 0] = [places.get(key), places.get(keyOf("rights", title))];
        return { from, to, computed: false, exists: true };
      }),
    ],
    notes: [...undrawnRoles(model, all, new Set(places.keys())), ...notesOf(model, { role, isBound, hasOthers }, new Set(places.keys()))],
  };
}

/** The note about existing roles that one object for many names stands for, if they are not drawn themselves. */
function undrawnRoles({ roles }: AccessModel, edges: readonly Edge[], drawn: ReadonlySet<string>): string[] {
  const count = [...boundRoles(edges)].filter((role) => Object.hasOwn(roles, role) && !drawn.has(keyOf("role", role))).length;
  return count > 0
    ? [`${count} roles that claims may choose are not drawn, and their policies are not, either: \`--role NAME\` draws one.`]
    : [];
}

/** The source, with the part of it that is drawn. */
export function sourceOf({ source, part }: AccessModel): string {
  return part === undefined ? source : `${source}, only ${part}`;
}

interface End {
  readonly key: string;
  readonly kind: Exclude<NodeKind, "rights">;
  readonly name: string;
  /** Whether the source has the object. Only used for ends that have no node of their own. */
  readonly exists: boolean;
}

const kindOfEnd = { authMethod: "method", bindingRule: "rule", role: "role", policy: "policy", management: "management" } as const;

function endsOf({ fromKind, from, toKind, to, exists }: Edge): [End, End] {
  const end = (kind: End["kind"], name: string): End => ({ key: keyOf(kind, name), kind, name, exists });
  return [end(kindOfEnd[fromKind], from), end(kindOfEnd[toKind], to)];
}

function policyEnd(name: string): End {
  return { key: keyOf("policy", name), kind: "policy", name, exists: true };
}

function edgesTo(model: AccessModel, role: string): Edge[] {
  const rules = rulesTo(model, role);
  const edges = edgesOf(model).filter(({ fromKind, from, toKind, to }) => {
    if (fromKind === "authMethod") return rules.has(to);
    return fromKind === "role" ? from === role : toKind === "role" && to === role;
  });
  const known = new Set(edges.map(({ from }) => from));
  const exists = Object.hasOwn(model.roles, role);
  const others = [...rules].filter((id) => !known.has(id));
  return [...edges, ...others.map((from): Edge => ({ fromKind: "bindingRule", from, toKind: "role", to: role, exists, computed: true }))];
}

/** The roles that rules give. */
function boundRoles(edges: readonly Edge[]): Set<string> {
  return new Set(edges.flatMap(({ toKind, to }) => (toKind === "role" ? [to] : [])));
}

/** If a computed bind name may become more names than this, the picture has one object for all of them. */
const MOST_COMPUTED = 12;

/**
 * Groups the edges of a bind name that may become very many names: all of them lead to one object.
 *
 * @param finder given if the picture has permissions
 */
function grouped(
  { rules }: AccessModel,
  edges: readonly Edge[],
  finder: RightFinder | undefined,
): { edges: readonly Edge[]; groups: readonly PictureNode[] } {
  const isComputed = ({ fromKind, computed }: Edge) => fromKind === "bindingRule" && computed;
  const byRule = byKey(edges.filter(isComputed), ({ from }) => from);
  const countOf = (id: string) => byRule.get(id)?.length ?? 0;
  const many = rules.filter(({ id }) => countOf(id) > MOST_COMPUTED);
  const ofNames = new Map(many.map((rule) => [JSON.stringify([rule.bindType, rule.bindName]), rule]));
  const groups = [...ofNames.values()].map((rule) => groupNode(rule, byRule.get(rule.id)?.map(({ to }) => to) ?? [], finder));
  const toGroups = many.map(({ id: from, bindType: toKind, bindName: to = "" }): Edge => {
    return { fromKind: "bindingRule", from, toKind, to, exists: true, computed: true };
  });
  const few = edges.filter((edge) => !(isComputed(edge) && countOf(edge.from) > MOST_COMPUTED));
  return { edges: [...few, ...toGroups], groups };
}

/** One object for many names. With permissions, it names the dangerous names, because the rule has no lines to their own boxes. */
function groupNode({ bindType, bindName = "" }: BindingRule, names: readonly string[], finder: RightFinder | undefined): PictureNode {
  const [kind, plural] = bindType === "role" ? (["role", "roles"] as const) : (["policy", "policies"] as const);
  const managing = names.filter((name) => finder?.of(kind, name)).sort();
  const all = managing.slice(0, MOST_NAMED).join(", ");
  const more = managing.length > MOST_NAMED ? `, and ${managing.length - MOST_NAMED} more` : "";
  return nodeOf({
    kind: bindType,
    name: bindName,
    details: [`one of ${names.length} ${plural}, by the claims`, ...(finder ? ["their permissions are not shown here"] : [])],
    marks: managing.length > 0 ? [{ kind: "alarm", text: `may do everything: ${all}${more}` }] : [],
  });
}

interface NodeFacts extends Partial<PictureNode> {
  readonly kind: NodeKind;
  readonly name: string;
  /** The objects that the object leads to, in words. */
  readonly leads?: string;
}

function nodeOf({ kind, name, title = name, details = [], selector, marks = [], exists = true, leads = "" }: NodeFacts): PictureNode {
  const what = kind === "management" ? "management" : `${kindNames[kind]} ${title || name}`;
  const facts = [...details, ...(selector === undefined ? [] : [`selector: ${selector}`]), leads, ...marks.map(({ text }) => text)];
  const said = facts.filter((fact) => fact !== "").join("; ");
  const description = said === "" ? what : `${what}: ${said}`;
  return { key: keyOf(kind, name), kind, title, details, marks, exists, description, ...(selector !== undefined && { selector }) };
}

function methodNodes({ methods, defaultMethod }: AccessModel): PictureNode[] {
  return [...methods].sort(byName).map(({ name, type, tokenLocality, maxTokenTtl }) => {
    const tokens = `${type}, ${tokenLocality} tokens${maxTokenTtl ? ` for ${maxTokenTtl}` : ""}`;
    return nodeOf({ kind: "method", name, details: name === defaultMethod ? [tokens, "the default method"] : [tokens] });
  });
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

function ruleNodes(model: AccessModel): PictureNode[] {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  return model.rules.map((rule) => {
    const { id: name, authMethod, selector, bindName = "" } = rule;
    return nodeOf({
      kind: "rule",
      name,
      title: labelOf(model, rule),
      // The lines lead to the possible names, and do not show the template.
      details: bindName.includes("${") ? [`gives ${wouldGive(rule)}`] : [],
      ...(selector && { selector }),
      marks: ruleMarks(rule, methods.get(authMethod)),
      leads: `gives logins of ${authMethod} ${wouldGive(rule)}`,
    });
  });
}

function roleNodes({ roles, undecided, hasGaps, missingKinds }: AccessModel, edges: readonly Edge[]): PictureNode[] {
  const bound = boundRoles(edges);
  const isPart = hasGaps || missingKinds.includes("AclBindingRule");
  const mayBind = binding(undecided);
  const unbound = (role: string) => `no rule here gives it${isPart || mayBind(role) ? ", as far as that is known" : ""}`;
  return Object.entries(roles)
    .map(([name, policies]) => ({ name, policies }))
    .sort(byName)
    .map(({ name, policies }) => {
      const leads = policies.length === 0 ? "has no policies" : `has the policies ${policies.join(", ")}`;
      return nodeOf({ kind: "role", name, leads, marks: bound.has(name) ? [] : [{ kind: "quiet", text: unbound(name) }] });
    });
}

/** A test whether one of the objects is a rule that may give a role. An unknown bind type or name may be any. */
function binding(objects: readonly Pick<Undecided, "kind" | "bindType" | "bindName">[]): (role: string) => boolean {
  const rules = objects.filter(({ kind, bindType = "role" }) => kind === "rule" && bindType === "role");
  const names = rules.map(({ bindName }) => (bindName === undefined ? undefined : boundNames(bindName, undefined)));
  const isAny = rules.some(({ bindName }) => bindName === undefined);
  return (role) => isAny || names.some((one) => one?.test(role));
}

/** The node of an end without a node of its own: a policy, management, a missing object, or a method or role with an unknown part. */
function endNode(model: AccessModel, { kind, name, exists }: End, hasOthers: boolean): PictureNode {
  const { source, isWhole } = model;
  if (kind === "management") return nodeOf({ kind, name, details: ["may do everything"] });
  const ofKind = kind === "method" || kind === "role" ? kind : undefined;
  const half = ofKind && (halfKnown(model, ofKind, name) ?? (exists ? undefined : nameless(model, ofKind)));
  if (half) return nodeOf({ kind, name, marks: [{ kind: "notice", text: doubtAbout(half) }] });
  if (exists) return nodeOf({ kind, name, ...(hasOthers && kind === "policy" && holdersFacts(model, name)) });
  const isCertain = kind !== "rule" && isWhole[kind];
  const missing: Mark = isCertain ? { kind: "alarm", text: "does not exist" } : { kind: "notice", text: `is not in ${source}` };
  return nodeOf({ kind, name, marks: [missing], exists });
}

/** The maximal number of objects that a note or a mark names. */
const MOST_NAMED = 8;

function notesOf(
  { undecided, rules, source, part, isWhole, hasGaps, missingKinds, bridged }: AccessModel,
  shown: Shown,
  drawn: ReadonlySet<string>,
): string[] {
  const arePoliciesComputed = rules.some(({ bindType, bindName }) => bindType === "policy" && bindName?.includes("${"));
  const mayBind = binding(rules.map((rule) => ({ ...rule, kind: "rule" })));
  const isMissing = ({ kind, name, isNameHidden }: Undecided) => {
    if (kind === "rule") return true;
    if (kind === "policy") return shown.hasOthers === true || arePoliciesComputed;
    if (isNameHidden) return true;
    if (drawn.has(keyOf(kind, name))) return false;
    // If only a part is drawn, an object that neither the question nor a drawn rule leads to is not missing.
    if (shown.role !== undefined) return kind === "role" && shown.role === name;
    return kind !== "role" || shown.isBound !== true || mayBind(name);
  };
  const missing = undecided.filter(isMissing);
  const notLookedAt = missingKinds.filter((kind) => kind !== "AclPolicy" || shown.hasOthers);
  const hidden = shortList(
    missing.map(({ object, part, isTwice }) => `${object} (${part}${isTwice ? ", which another one has, too" : ""})`),
  );
  return [
    ...(part === undefined ? [] : [`Only a part of ${source} is drawn, for ${part}.`]),
    ...(hidden === "" ? [] : [`Not drawn, because a part is secret, or unknown before an update: ${hidden}.`]),
    ...(hasGaps ? [`Not all of ${source} could be read: what is missing is not drawn.`] : []),
    ...(notLookedAt.length > 0 ? [`Not looked at: ${notLookedAt.join(", ")} (${source} has none).`] : []),
    ...(bridged.length > 0 ? [`Not looked at: ${shortList(bridged)}.`] : []),
    "Tokens are not drawn: one made without a login has its own roles and policies.",
    ...(isWhole.method ? [] : [`Only objects of ${source} are shown; the cluster may have more.`]),
  ];
}

function shortList(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : [];
  return [...names.slice(0, MOST_NAMED), ...more].join(", ");
}
