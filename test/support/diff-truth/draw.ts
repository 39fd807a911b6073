// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
/** Random clusters with all objects that decide permissions, random changes of them, and random hidden parts. */
import * as fc from "fast-check";
import { pluginToken } from "../../../provider/configuration/tokens";
import { rules as randomRules } from "../random-rules";
import { linksAfter, linksBefore } from "./links";
import { isSame, type Kind, kinds, type Properties, type Thing, textsIn, withPart } from "./parts";

/** A part of an object that can't be read, on one side or on both. */
export interface Hidden {
  readonly urn: string;
  readonly path: readonly string[];
  /** Whether the part is unknown before the update, if the form of the files can express that. If not, the part is a secret. */
  readonly isUnknown: boolean;
  readonly only: "before" | "after" | undefined;
}

export const forms = ["preview", "state", "export", "full export"] as const;
export type Form = (typeof forms)[number];

export interface Change {
  readonly before: readonly Thing[];
  readonly after: readonly Thing[];
  readonly hidden: readonly Hidden[];
  readonly form: Form;
  /** The seed for the choice of other values for hidden parts. */
  readonly seed: number;
}

export const policyNames = ["anonymous", "a", "b", "c", "adm", "team-a", "outside"] as const;
export const roleNames = ["dev", "ops", "team-a"] as const;
const methodNames = ["sso", "sso", "ci"] as const;

const admin = 'operator { policy = "write" }';
/** Rules of different extents: some allow everything, one thing or nothing, some deny, and some together allow more than each alone. */
export const dangerousRules = [
  ...[admin, 'operator { capabilities = ["snapshot-save"] }', 'operator { policy = "deny" }', 'namespace "*" { policy = "write" }'],
  ...['namespace "default" { policy = "write" }', 'namespace "default" { policy = "read" }', 'namespace "def*" { policy = "deny" }', ""],
  ...['namespace "default" { capabilities = ["submit-job"] }', 'namespace "prod" { capabilities = ["csi-write-volume"] }'],
  ...[
    'plugin { policy = "read" }',
    'node { policy = "read" }',
    'namespace "prod" { variables { path "app/*" { capabilities = ["read"] } } }',
  ],
  ...['sentinel { policy = "write" }', 'quota { policy = "write" }', 'agent { policy = "write" }', 'node_pool "*" { policy = "write" }'],
  ...['host_volume "gpu-*" { policy = "write" }', `namespace "prod" { policy = "read" }\n${admin}`],
] as const;

/** A name in a block that servers ignore, and that this version does not know. */
export const ignoredByServers = 'note = "ours"';

/**
 * Rules that interact: together they allow more than each alone, or one removes permissions of another, by a deny or by a more exact
 * pattern.
 */
const themes = [
  ['namespace "*" { policy = "write" }', 'namespace "default" { policy = "write" }', 'namespace "def*" { policy = "deny" }'],
  [
    'namespace "default" { capabilities = ["list-jobs", "csi-write-volume"] }',
    'namespace "default" { capabilities = ["list-jobs"] }',
    'plugin { policy = "read" }',
  ],
  ['operator { policy = "deny" }', admin, 'operator { policy = "read" }', `operator { policy = "deny" ${ignoredByServers} }`],
] as const;
const meeting = themes.flat();

const jobs = [
  { namespace: "default" },
  { namespace: "default", jobId: "j" },
  { namespace: "prod", jobId: "j", group: "g" },
  { namespace: "default", jobId: "j", group: "g", task: "t" },
  { namespace: "other" },
];
const lists = [["a"], ["b"], ["a", "b"], ["adm"], ["c"], ["b", "c"], ["team-a"], ["outside"], ["a", "adm"]];

/** Values of properties, including dangerous ones: for drawn objects, and for hidden parts. Drawn objects also have other rules. */
export const values: Readonly<Record<Kind, Readonly<Record<string, readonly unknown[]>>>> = {
  AclAuthMethod: {
    name: methodNames,
    type: ["JWT", "OIDC"],
    tokenLocality: ["local", "local", "global"],
    maxTokenTtl: ["10m", "10m", "1h"],
    tokenNameFormat: ["", "", "", "login", "${value.team}-x"],
    default: [false, false, true],
    "config.claimMappings": [{ team: "team" }, { team: "team" }, { job: "team" }, {}],
    "config.listClaimMappings": [{ groups: "groups" }, { groups: "groups" }, { roles: "groups" }, {}],
  },
  AclRole: { name: roleNames, policies: lists, description: ["", "", "of a team"] },
  AclBindingRule: {
    authMethod: methodNames,
    selector: ["", "", "ops in list.groups", "dev in list.groups", "value.team == a", "dev in list.groups or ops in list.groups"],
    bindType: ["role", "role", "role", "policy", "management"],
    bindName: ["dev", "ops", "dev", "ops", "team-a", "team-${value.team}", "a", "adm"],
    description: ["", "", "Releases"],
  },
  AclPolicy: {
    name: policyNames.slice(0, -1),
    description: ["", "", "for all"],
    rules: dangerousRules,
    jobAcl: [undefined, undefined, undefined, undefined, ...jobs],
  },
  AclToken: {
    name: ["robot", "deployer", "backup"],
    type: ["client", "client", "client", "client", "management"],
    policies: [[], ["anonymous"], ...lists],
    roles: [[], [], ["dev"], ["ops"], ["dev", "ops"]],
    global: [false, false, true],
    expirationTtl: [undefined, undefined, "10m", "1h"],
    keepExpired: [undefined, undefined, undefined, true],
  },
};

/** Makes the parts of a rule or a token consistent after a change of one part: management has neither names nor lists. */
export function corrected(kind: Kind, properties: Properties): Properties {
  if (kind === "AclBindingRule" && properties.bindType === "management") return { ...properties, bindName: "" };
  if (kind === "AclBindingRule" && properties.bindName === "") return { ...properties, bindName: "dev" };
  if (kind === "AclToken" && properties.type === "management") return { ...properties, policies: [], roles: [] };
  const isEmpty = kind === "AclToken" && [properties.policies, properties.roles].every((list) => Array.isArray(list) && list.length === 0);
  return isEmpty ? { ...properties, policies: ["a"] } : properties;
}

const drawn = (kind: Kind, path: string): fc.Arbitrary<unknown> => {
  const constant = fc.constantFrom(...(values[kind][path] ?? []));
  return path === "rules"
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...meeting) },
        { weight: 2, arbitrary: constant },
        { weight: 1, arbitrary: randomRules },
      )
    : constant;
};
const parts = (kind: Kind) => Object.keys(values[kind]);
const propertiesOf = (kind: Kind): fc.Arbitrary<Properties> =>
  fc.tuple(...parts(kind).map((path) => drawn(kind, path).map((value) => [path.split("."), value] as const))).map((all) =>
    corrected(
      kind,
      all.reduce<Properties>((object, [path, value]) => withPart(object, path, value), { config: {} }),
    ),
  );

const number = fc.integer({ min: 0x1000, max: 0xffff }).map((one) => one.toString(16));
/** Names are the IDs of methods and policies. */
function withId(thing: Thing, id: string): Thing {
  const isNamed = thing.kind === "AclAuthMethod" || thing.kind === "AclPolicy";
  return { ...thing, id: isNamed ? String(thing.properties.name) : id };
}
const thing = (kind: Kind): fc.Arbitrary<Thing> =>
  fc.tuple(number, number, propertiesOf(kind), fc.nat(5)).map(([place, id, { config, ...rest }, end]) => {
    const properties = kind === "AclAuthMethod" ? { ...rest, config } : rest;
    const hasEnded = kind === "AclToken" && properties.expirationTtl !== undefined && end === 0;
    const urn = `urn:pulumi:dev::p::${pluginToken(kind)}::${place}`;
    return withId({ kind, urn, id, properties, ...(hasEnded && { hasEnded }) }, `${id}0000-0000-4000-8000-00000000${id}`.slice(-36));
  });

const some = (kind: Kind, minLength: number, maxLength: number) => fc.array(thing(kind), { minLength, maxLength });
const anyCluster = fc
  .tuple(some("AclAuthMethod", 1, 2), some("AclRole", 1, 3), some("AclBindingRule", 0, 4), some("AclPolicy", 1, 5), some("AclToken", 0, 2))
  .map((all) => valid(all.flat()));
/** A cluster whose logins and tokens have roles and policies that interact. */
const meetingCluster = fc
  .tuple(
    anyCluster,
    fc.oneof(...themes.map((theme) => fc.array(fc.constantFrom(...theme), { minLength: 3, maxLength: 3 }))),
    fc.constantFrom("", "ops in list.groups"),
    fc.constantFrom(["dev", "dev", ["a"]], ["dev", "dev", ["a", "b"]], ["team-a", "team-${value.team}", ["a", "b"]]),
  )
  .map(([others, texts, selector, [role, bindName, policies]]) => {
    const made = (kind: Kind, place: string, properties: Properties) => {
      const one = {
        kind,
        urn: `urn:pulumi:dev::p::${pluginToken(kind)}::${place}`,
        id: `${place}-0000-4000-8000-000000000000`,
        properties,
      };
      return withId(one, one.id);
    };
    const bound = { authMethod: "sso", bindType: "role" };
    const own = [
      ...texts.map((rules, index) => made("AclPolicy", `0${index}`, { name: ["a", "b", "c"][index], rules })),
      made("AclRole", "10", { name: role, policies }),
      made("AclRole", "11", { name: "ops", policies: ["b"] }),
      made("AclBindingRule", "20", { ...bound, selector: "", bindName }),
      made("AclBindingRule", "21", { ...bound, selector, bindName: "ops" }),
      made("AclToken", "30", { name: "robot", type: "client", policies: ["c"], roles: [role, "ops"] }),
    ];
    return valid([...own, ...others.filter(({ kind, properties }) => kind === "AclAuthMethod" || properties.name === "team-a")]);
  });
const cluster = fc.oneof({ weight: 2, arbitrary: anyCluster }, { weight: 1, arbitrary: meetingCluster });

/**
 * The objects that one cluster and one program can have together: no name, ID or place is repeated, and at most one method is the default.
 */
export function valid(things: readonly Thing[]): Thing[] {
  const taken = new Set<string>();
  const take = (...keys: string[]) => !keys.some((key) => taken.has(key)) && keys.every((key) => taken.add(key));
  return things.flatMap((one) => {
    const { kind, urn, id, properties } = one;
    const name = kind === "AclBindingRule" ? [] : [`${kind} ${properties.name}`];
    if (!take(urn, `${kind} ${id}`, ...name)) return [];
    return properties.default === true && !take("default") ? [{ ...one, properties: { ...properties, default: false } }] : [one];
  });
}

/** A step of a change. `at` chooses the object. */
type Step = { readonly at: number } & (
  | { readonly what: "add"; readonly thing: Thing }
  | { readonly what: "remove" }
  | { readonly what: "replace"; readonly id: string }
  | { readonly what: "rename"; readonly follows: boolean; readonly heir: "rest" | readonly string[] | null }
  | { readonly what: "edit"; readonly part: number; readonly by: Readonly<Record<Kind, Properties>> }
  | { readonly what: "respell" }
  | { readonly what: "block"; readonly block: string; readonly isLess: boolean }
);
const at = fc.nat(1000);
const edit = fc.record({
  at,
  what: fc.constant("edit" as const),
  part: fc.nat(1000),
  by: fc.record(Object.fromEntries(kinds.map((kind) => [kind, propertiesOf(kind)])) as Record<Kind, fc.Arbitrary<Properties>>),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ at, what: fc.constant("add" as const), thing: fc.oneof(...kinds.map(thing)) }) },
  { weight: 2, arbitrary: fc.record({ at, what: fc.constant("remove" as const) }) },
  { weight: 1, arbitrary: fc.record({ at, what: fc.constant("replace" as const), id: number }) },
  {
    weight: 3,
    arbitrary: fc.record({
      at,
      what: fc.constant("rename" as const),
      follows: fc.boolean(),
      heir: fc.option(fc.constantFrom("rest" as const, "rest" as const, ...lists)),
    }),
  },
  { weight: 8, arbitrary: edit },
  { weight: 2, arbitrary: fc.record({ at, what: fc.constant("respell" as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      at,
      what: fc.constant("block" as const),
      block: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...meeting) }, { weight: 1, arbitrary: fc.constantFrom(...dangerousRules) }),
      isLess: fc.boolean(),
    }),
  },
);

function changed(things: readonly Thing[], step: Step): readonly Thing[] {
  if (step.what === "add") return [...things, step.thing];
  if (step.what === "rename") return renamed(things, step);
  const some = step.what === "block" ? things.filter(({ kind }) => kind === "AclPolicy") : things;
  const chosen = some[step.at % Math.max(1, some.length)];
  return things.flatMap((one) => {
    if (one !== chosen) return [one];
    const { kind, properties } = one;
    switch (step.what) {
      case "remove":
        return [];
      case "replace":
        return [{ ...withId(one, `${step.id}${one.id.slice(4)}`), hasEnded: false }];
      case "block": {
        const lines = String(properties.rules).split("\n");
        const rules = (step.isLess ? lines.slice(0, -1) : withBlock(lines, step.block)).filter((line) => line !== "").join("\n");
        return [{ ...one, properties: { ...properties, rules } }];
      }
      case "respell":
        return [{ ...one, properties: respelled(kind, properties) }];
      default: {
        const names = Object.keys(properties);
        const name = names[step.part % names.length] ?? "";
        const edited = { ...one, properties: corrected(kind, { ...properties, [name]: step.by[kind][name] }) };
        // The name identifies a method or a policy, and these properties of a token are immutable.
        const isOther = name === "name" || (kind === "AclToken" && (name === "global" || name === "expirationTtl"));
        const isReplaced = isOther && kind !== "AclRole" && !isSame(edited, one);
        return [isReplaced ? { ...withId(edited, `0eee${one.id.slice(4)}`), hasEnded: false } : edited];
      }
    }
  });
}

/** Adds a block. It replaces a block of the same kind without a name, because servers refuse two of these. */
function withBlock(lines: readonly string[], block: string): string[] {
  const heads = block.split("\n").flatMap((line) => /^\w+ \{/.exec(line) ?? []);
  return [...lines.filter((line) => !heads.some((head) => line.startsWith(head))), block];
}

/**
 * Renames a role, which keeps its ID.
 *
 * @param follows whether rules and tokens refer to it by its new name
 * @param heir the policies of a new role that gets the old name, if any: all but the first (`rest`), or others
 */
function renamed(things: readonly Thing[], { at: place, follows, heir }: Extract<Step, { what: "rename" }>): readonly Thing[] {
  const roles = things.filter(({ kind }) => kind === "AclRole");
  const role = roles[place % Math.max(1, roles.length)];
  if (!role) return things;
  const [old, now] = [role.properties.name, `${role.properties.name}-2`];
  const other = (name: unknown) => (name === old ? now : name);
  const policies = heir === "rest" ? textsIn(role.properties.policies).slice(1) : heir;
  const made = policies
    ? [{ ...role, urn: `${role.urn}b`, id: `0ddd${role.id.slice(4)}`, properties: { ...role.properties, policies } }]
    : [];
  const all = things.map((one) => {
    const { kind, properties } = one;
    if (one === role) return { ...one, properties: { ...properties, name: now } };
    if (follows && kind === "AclBindingRule" && properties.bindType === "role") {
      return { ...one, properties: { ...properties, bindName: other(properties.bindName) } };
    }
    if (!follows || kind !== "AclToken" || !Array.isArray(properties.roles)) return one;
    return { ...one, properties: { ...properties, roles: properties.roles.map(other) } };
  });
  return [...all, ...made];
}

/** The same content in other words. */
function respelled(kind: Kind, properties: Properties): Properties {
  const twice = (list: unknown) => (Array.isArray(list) ? [...list].reverse().concat(list.slice(0, 1)) : list);
  if (kind === "AclPolicy")
    return { ...properties, description: "else", rules: properties.rules === "" ? "" : `# again\n${properties.rules} ` };
  if (kind === "AclRole") return { ...properties, description: "else", policies: twice(properties.policies) };
  if (kind === "AclToken") return { ...properties, policies: twice(properties.policies), roles: twice(properties.roles) };
  return kind === "AclBindingRule" ? { ...properties, description: "else" } : properties;
}

/** The objects, with the roles of tokens as servers return them: by their current names, without deleted roles. */
function asServersName(before: readonly Thing[], now: readonly Thing[]): Thing[] {
  return now.map((one) => {
    if (one.kind !== "AclToken") return one;
    const links = now === before ? linksBefore(before, one) : linksAfter(before, now, one);
    const roles = links.flatMap((id) =>
      now.flatMap(({ kind, id: own, properties }) => (kind === "AclRole" && own === id ? [properties.name] : [])),
    );
    return { ...one, properties: { ...one.properties, roles } };
  });
}

const more: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  AclAuthMethod: ["config"],
  AclRole: ["policies.0", "policies"],
  AclBindingRule: ["selector"],
  AclPolicy: ["jobAcl.namespace", "jobAcl.jobId", "name", "rules"],
  AclToken: ["policies.0", "roles.0"],
};
/** Parts that can be hidden. */
export const hideable = (kind: Kind): string[] => [...parts(kind), ...(more[kind] ?? [])].filter((path) => path !== "keepExpired");

const mask = fc.record({
  at,
  part: fc.nat(1000),
  isUnknown: fc.boolean(),
  only: fc.constantFrom(undefined, undefined, "before" as const, "after" as const),
});

export const change: fc.Arbitrary<Change> = fc
  .tuple(
    cluster,
    fc.array(step, { maxLength: 3 }),
    fc.oneof(fc.constant([]), fc.array(mask, { minLength: 1, maxLength: 3 })),
    fc.constantFrom(...forms, "preview" as const),
    fc.nat(),
  )
  .map(([drawnThings, steps, masks, form, seed]) => {
    // An export without the servers' own fields lacks the expiration of a token.
    const before = drawnThings.map((one) => (form === "export" ? { ...one, hasEnded: false } : one));
    const stepped = valid(steps.reduce<readonly Thing[]>(changed, before));
    // An update replaces an expired token, unless the program keeps it unchanged.
    const isKept = ({ urn, properties }: Thing) =>
      properties.keepExpired === true && before.some((one) => one.urn === urn && isSame(one.properties, properties));
    const isRenewed = (one: Thing) => one.hasEnded === true && form !== "full export" && !isKept(one);
    const renewed = stepped.map((one) => (isRenewed(one) ? { ...one, id: `0fff${one.id.slice(4)}`, hasEnded: false } : one));
    const isWhole = form === "preview" || form === "state";
    const [was, after] = isWhole ? [before, renewed] : [asServersName(before, before), asServersName(before, renewed)];
    const places = [...new Map([...was, ...after].map((one) => [one.urn, one.kind]))];
    const hidden = masks.flatMap(({ at: place, part, ...rest }): Hidden[] => {
      const [urn, kind] = places[place % Math.max(1, places.length)] ?? [];
      if (urn === undefined || kind === undefined) return [];
      const paths = hideable(kind);
      return [{ ...rest, urn, path: (paths[part % paths.length] ?? "name").split(".") }];
    });
    return { before: was, after, hidden, form, seed };
  });
