// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/** Random changes of what decides about logins, as the objects that there are and as what a command reads of them. */
import * as fc from "fast-check";
import type { Claims } from "../../access/claims";
import { parseExport } from "../../cli/inventory/export";
import { type PreviewedChange, parsePreviewedChange } from "../../cli/inventory/preview";
import { parseState } from "../../cli/inventory/state";
import { secretSignature, signatureKey, unknownMarker } from "../../provider/adapters/markers";
import { pluginToken } from "../../provider/configuration/tokens";

export type Kind = "AclAuthMethod" | "AclRole" | "AclBindingRule";
export type Properties = Readonly<Record<string, unknown>>;

/** An object with its place in the program, its ID, and all that it has. */
export interface DrawnObject {
  readonly kind: Kind;
  readonly urn: string;
  readonly id: string;
  readonly properties: Properties;
}

export interface DrawnChange {
  readonly before: readonly DrawnObject[];
  readonly after: readonly DrawnObject[];
  /** What the command gets to read: parts are secrets, or not known. */
  readonly read: PreviewedChange;
  /** Whether nothing changes, and what is read says so. */
  readonly isSame: boolean;
}

const claimMappings = fc.constantFrom(
  ...[
    {},
    { team: "team" },
    { team: "team", job: "job" },
    { job: "team" },
    { team: "team", org: "org" },
    { "/org/id": "job", team: "team" },
  ],
);
const listClaimMappings = fc.constantFrom(
  {},
  { groups: "groups" },
  { groups: "groups" },
  { roles: "groups" },
  { groups: "groups", org: "orgs" },
);
const methodNames = ["sso", "sso", "sso", "ci"] as const;
const authMethod = fc.record({
  name: fc.constantFrom(...methodNames),
  type: fc.constantFrom("OIDC", "JWT"),
  tokenLocality: fc.constantFrom("local", "global"),
  maxTokenTtl: fc.constantFrom("10m", "600s", "1h"),
  tokenNameFormat: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("", "login", "${auth_method_name}") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...["${auth_method_type}-${value.team}", "${value.job}", "${list.groups}", "${value.team}-${value.job}"],
        ...["x".repeat(257), `${"x".repeat(253)}\${auth_method_type}`],
      ),
    },
  ),
  default: fc.boolean(),
  config: fc.record({ claimMappings, listClaimMappings }),
});

const roleNames = ["team-a", "team-b", "ops", "b", "admin"] as const;
export const policyNames = ["read", "deploy", "admin", "team-a"] as const;
const role = fc.record({ name: fc.constantFrom(...roleNames), policies: fc.subarray([...policyNames], { minLength: 1, maxLength: 2 }) });

const selector = fc.constantFrom(
  ...["", "", "ops in list.groups", "ops in list.groups or dev in list.groups", "ops in list.groups and dev not in list.groups"],
  ...["dev in list.groups", "value.team == a", "value.team != a", "value.team is empty", "value.team is not empty", "list.groups is empty"],
  ...["value.team matches `^[a-z]+$`", "any list.groups as g { g == ops }", "value.job == ops and ops in list.groups", "value.job != b"],
  ...[
    "value.none == a",
    "value.none != a",
    "a in value.team",
    "value.team == a and value.team == b",
    "value.team.x == a",
    "((",
    "7 in list.orgs",
  ],
);
const bindName = fc.constantFrom(
  ...[
    ...roleNames,
    ...roleNames,
    "read",
    "deploy",
    "team-${value.team}",
    "team-${value.team}",
    "${value.job}",
    "bad name",
    "x-${value.none}",
  ],
  ...["${value.team}${value.job}", '${value.team == "a" ? "ops" : "b"}', "${value.team + 1}", '${"ops"}'],
);
const rule = fc
  .record({
    authMethod: fc.constantFrom(...methodNames, ...methodNames, "gone"),
    selector,
    bindType: fc.constantFrom("role", "role", "policy", "management"),
    bindName,
  })
  .map((drawn): Properties => (drawn.bindType === "management" ? { ...drawn, bindName: "" } : drawn));

const arbitraries: Readonly<Record<Kind, fc.Arbitrary<Properties>>> = { AclAuthMethod: authMethod, AclRole: role, AclBindingRule: rule };
const kinds = ["AclAuthMethod", "AclRole", "AclBindingRule"] as const;

const id = fc.integer({ min: 0x1000, max: 0xffff }).map((number) => number.toString(16));
const objectOf = (kind: Kind) =>
  fc.tuple(id, id, arbitraries[kind]).map(([place, own, properties]): DrawnObject => {
    return { kind, urn: `urn:pulumi:dev::p::${pluginToken(kind)}::${place}`, id: own, properties };
  });

const cluster = fc
  .tuple(
    fc.array(objectOf("AclAuthMethod"), { minLength: 1, maxLength: 2 }),
    fc.array(objectOf("AclRole"), { maxLength: 4 }),
    fc.array(objectOf("AclBindingRule"), { minLength: 1, maxLength: 4 }),
  )
  .map((objects) => valid(objects.flat()));

/** As a cluster has them: names of methods and roles, IDs and places in the program are those of one object, and one method is the default. */
function valid(objects: readonly DrawnObject[]): DrawnObject[] {
  const taken = new Set<string>();
  const take = (...keys: string[]) => !keys.some((key) => taken.has(key)) && keys.every((key) => taken.add(key));
  return objects.flatMap((object) => {
    const { kind, urn, id: own, properties } = object;
    const name = kind === "AclBindingRule" ? [] : [`${kind} ${properties.name}`];
    if (!take(urn, `${kind} ${own}`, ...name)) return [];
    return properties.default === true && !take("default") ? [{ ...object, properties: { ...properties, default: false } }] : [object];
  });
}

/** What a change does to one object; `at` chooses which. */
type Step = { readonly at: number } & (
  | { readonly what: "add"; readonly object: DrawnObject }
  | { readonly what: "remove" }
  | { readonly what: "replace"; readonly id: string }
  | { readonly what: "change"; readonly property: number; readonly by: Readonly<Record<Kind, Properties>> }
);

const at = fc.nat(100);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ at, what: fc.constant("add" as const), object: fc.oneof(...kinds.map(objectOf), objectOf("AclBindingRule")) }),
  fc.record({ at, what: fc.constant("remove" as const) }),
  fc.record({ at, what: fc.constant("replace" as const), id }),
  ...[0, 1, 2].map(() => fc.record({ at, what: fc.constant("change" as const), property: fc.nat(100), by: fc.record(arbitraries) })),
);

function changed(objects: readonly DrawnObject[], by: Step): readonly DrawnObject[] {
  if (by.what === "add") return [...objects, by.object];
  const index = objects.length > 0 ? by.at % objects.length : -1;
  return objects.flatMap((object, place) => {
    if (place !== index) return [object];
    if (by.what === "remove") return [];
    if (by.what === "replace") return [{ ...object, id: by.id }];
    const other = by.by[object.kind];
    const names = Object.keys(other);
    const name = names[by.property % names.length] ?? "";
    if (object.kind !== "AclBindingRule") return [{ ...object, properties: { ...object.properties, [name]: other[name] } }];
    // What a rule gives changes as a whole: management has no name.
    const given =
      name === "bindType" || name === "bindName" ? { bindType: other.bindType, bindName: other.bindName } : { [name]: other[name] };
    return [{ ...object, properties: { ...object.properties, ...given } }];
  });
}

/** Which parts nobody can read: by the kind, a number that chooses the object, and the path of the property. */
interface Mask {
  readonly at: number;
  readonly path: readonly string[];
  readonly isUnknown: boolean;
  /** A program may make a secret of what was none, or the other way round. */
  readonly only: "before" | "after" | undefined;
}

const paths = [
  ...["name", "type", "tokenLocality", "maxTokenTtl", "tokenNameFormat", "default", "policies", "authMethod", "selector", "selector"],
  ...["bindType", "bindName", "config.claimMappings", "config.listClaimMappings", "policies.0"],
].map((path) => path.split("."));
const mask: fc.Arbitrary<Mask> = fc.record({
  at,
  path: fc.constantFrom(...paths),
  isUnknown: fc.boolean(),
  only: fc.constantFrom(undefined, undefined, "before" as const, "after" as const),
});

export const change: fc.Arbitrary<DrawnChange> = fc
  .tuple(
    cluster,
    fc.array(step, { maxLength: 3 }),
    fc.array(mask, { maxLength: 4 }),
    fc.constantFrom("preview", "preview", "preview", "state", "export", "full export"),
  )
  .map(([before, steps, masks, form]) => {
    const after = valid(steps.reduce<readonly DrawnObject[]>(changed, before));
    const places = [...new Set([...before, ...after].map(({ urn }) => urn))];
    const secrets = masks.map(({ at: place, ...rest }) => ({ ...rest, urn: places[place % places.length] ?? "" }));
    const read = form === "preview" ? previewOf(before, after, secrets) : filesOf(form, before, after, secrets);
    const isSame =
      form === "preview" && JSON.stringify(before) === JSON.stringify(after) && !secrets.some(({ isUnknown, only }) => isUnknown || only);
    return { before, after, read, isSame };
  });

interface Hidden extends Omit<Mask, "at"> {
  readonly urn: string;
}

function onSide(hidden: readonly Hidden[], side: "before" | "after"): Hidden[] {
  return hidden.filter(({ only = side }) => only === side);
}

function masked({ urn, properties }: DrawnObject, hidden: readonly Hidden[], mark: (one: Hidden) => unknown): Properties {
  return hidden
    .filter((one) => one.urn === urn)
    .reduce<unknown>((value, one) => withMark(value, one.path, mark(one)), properties) as Properties;
}

function withMark(value: unknown, [first, ...rest]: readonly string[], mark: unknown): unknown {
  if (first === undefined) return mark;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, first)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, key === first ? withMark(inner, rest, mark) : inner]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** What the CLI writes of a preview. A part that is not known yet is one of an object that the update writes. */
function previewOf(before: readonly DrawnObject[], after: readonly DrawnObject[], hidden: readonly Hidden[]): PreviewedChange {
  const old = new Map(before.map((object) => [object.urn, object]));
  const now = new Map(after.map((object) => [object.urn, object]));
  const steps = [...new Set([...old.keys(), ...now.keys()])].flatMap((urn): object[] => {
    const [was, is] = [old.get(urn), now.get(urn)];
    const own = hidden.filter((one) => one.urn === urn);
    const stateOf = (object: DrawnObject, side: "before" | "after", mark: (one: Hidden) => unknown) => ({
      urn,
      type: pluginToken(object.kind),
      id: object === was ? object.id : "",
      inputs: masked(object, onSide(own, side), mark),
    });
    const oldState = was && stateOf(was, "before", () => "[secret]");
    const newState = is && { ...stateOf(is, "after", ({ isUnknown }) => (isUnknown ? unknownMarker : "[secret]")), id: undefined };
    if (!was) return [{ op: "create", urn, newState }];
    if (!is) return [{ op: "delete", urn, oldState }];
    if (was.id !== is.id) {
      return ["create-replacement", "replace", "delete-replaced"].map((op) => ({
        op,
        urn,
        oldState,
        ...(op !== "delete-replaced" && { newState }),
      }));
    }
    const isSame =
      JSON.stringify(was.properties) === JSON.stringify(is.properties) && !own.some(({ isUnknown, only }) => isUnknown || only);
    return [{ op: isSame ? "same" : "update", urn, oldState, newState }];
  });
  return parsePreviewedChange(JSON.stringify({ steps }), "preview.json");
}

function filesOf(form: string, before: readonly DrawnObject[], after: readonly DrawnObject[], hidden: readonly Hidden[]): PreviewedChange {
  const sideOf = (objects: readonly DrawnObject[], side: "before" | "after") => {
    const [source, parts] = [`${side}.json`, onSide(hidden, side)];
    if (form === "state") {
      const secret = () => ({ [signatureKey]: secretSignature, ciphertext: "x" });
      const resources = objects.map((object) => {
        const { urn, id: own, kind } = object;
        return { urn, type: pluginToken(kind), id: own, outputs: masked(object, parts, secret) };
      });
      return parseState(JSON.stringify({ version: 3, deployment: { resources } }), source);
    }
    const written = kinds.map((kind) => {
      const all = objects.filter((object) => object.kind === kind);
      return [
        kind,
        all.map((object) => ({ ...(form === "full export" && { id: object.id }), ...masked(object, parts, () => "[secret]") })),
      ];
    });
    return parseExport(JSON.stringify({ format: 1, objects: Object.fromEntries(written) }), source);
  };
  return { before: sideOf(before, "before"), after: sideOf(after, "after"), unchanged: new Set() };
}

const text = fc.constantFrom("a", "b", "A B", "", "ops", "none", "7");
/** What identity providers say of those who log in: claims that lack, are empty, become no name, or can't be converted. */
export const claims: fc.Arbitrary<Claims> = fc
  .record({
    team: fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom("x".repeat(257), "x".repeat(127), 7, null) }),
    job: text,
    org: fc.oneof(fc.constantFrom("a", "7"), fc.record({ id: text })),
    groups: fc.oneof(
      { weight: 6, arbitrary: fc.subarray(["ops", "dev", "x"]) },
      { weight: 1, arbitrary: fc.constantFrom("ops", [null], [7]) },
    ),
    roles: fc.subarray(["ops", "dev"]),
    lacks: fc.subarray(["team", "job", "org", "groups", "roles"], { maxLength: 2 }),
  })
  .map(({ lacks, ...drawn }): Claims => Object.fromEntries(Object.entries(drawn).filter(([name]) => !lacks.includes(name))));
