/** The true permissions before and after a change, with all objects known: the union of the policies of each holder. */

import type { Claims } from "../../../access/claims";
import { type AccessObjects, methodAccess } from "../../../access/graph";
import { evaluateLogin, type LoginRule } from "../../../access/login";
import { granting, grantsAllow, type PolicyQuestion, singleAsks } from "../../../access/policy/allow";
import { grantsOf } from "../../../access/policy/grants";
import { type Form, ignoredByServers } from "./draw";
import { isSame, type Properties, placeOf, type Thing, textsIn } from "./parts";
import type { World } from "./worlds";

/** The permissions of a holder. */
interface Power {
  readonly isAll?: boolean;
  readonly texts: readonly string[];
  readonly isGlobal?: boolean;
  /** How long a token is valid, in minutes. */
  readonly lifetime?: number;
  /** The names of a token, and of the objects that the permissions come from. */
  readonly from: readonly string[];
  /** The auth method of a login. */
  readonly method?: string;
}

const nothing: Power = { texts: [], from: [] };

/** The effect of a change on a holder. */
export interface Fate {
  readonly gains: string | undefined;
  readonly loses: string | undefined;
  readonly gainsManagement: boolean;
  /** The names of the holder, and of the objects that its permissions come from, before or after. */
  readonly names: readonly string[];
}

const namespaces = ["default", "prod", "prod-api", "dev", "x"];
const asks: readonly PolicyQuestion[] = [
  ...namespaces.flatMap((namespace) => [...granting("namespace"), "namespace:read"].map((ask) => ({ ask, namespace }))),
  ...["default", "prod", "dev"].flatMap((namespace) =>
    ["app/db", "app/x/db", "x"].flatMap((path) => granting("path").map((action) => ({ ask: `variables:${action}`, namespace, path }))),
  ),
  ...["gpu", "gpu-1", "x"].flatMap((name) =>
    (["node_pool", "host_volume"] as const).flatMap((kind) => granting(kind).map((action) => ({ ask: `${kind}:${action}`, name }))),
  ),
  ...singleAsks.map((ask) => ({ ask })),
];
const likeManagement = ["operator:write", "operator:snapshot-save"];
const submits = (namespace: string): PolicyQuestion => ({ ask: "register-job", namespace });

const numbers = new Map<string, number>();
function numberOf(rules: string): number {
  const number = numbers.get(rules) ?? numbers.size;
  numbers.set(rules, number);
  return number;
}
/** A key for the rules of policies, independent of their order. */
const keyOf = (texts: readonly string[]) => [...new Set(texts.map(numberOf))].sort((a, b) => a - b).join();

const known = new Map<string, readonly boolean[]>();
/** The answers to all questions. */
function answersOf({ isAll, texts }: Power): readonly boolean[] {
  const key = isAll ? "all" : keyOf(texts);
  const found = known.get(key);
  if (found) return found;
  if (known.size > 20_000) known.clear();
  const grants = grantsOf(texts);
  const answers = asks.map((question) => isAll === true || grantsAllow(grants, question) === true);
  known.set(key, answers);
  return answers;
}
const allows = (texts: readonly string[], question: PolicyQuestion) => grantsAllow(grantsOf(texts), question) === true;

const everything = `namespace "*" { capabilities = ${JSON.stringify(granting("namespace"))} variables { path "*" { capabilities =
  ["read", "list", "write", "destroy"] } } } node_pool "*" { policy = "write" } host_volume "*" { policy = "write" } plugin { policy = "read" }
  agent { policy = "write" } node { policy = "write" } quota { policy = "write" } operator { policy = "write" } sentinel { policy = "write" }`;

const ofKind = (things: readonly Thing[], kind: Thing["kind"]) => things.filter((one) => one.kind === kind);
const text = (value: unknown) => (typeof value === "string" ? value : "");
const rulesIn = ({ rules }: Properties) => text(rules).replaceAll(ignoredByServers, "");
const mapping = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)])) : {};

/** One side of a change, which knows the permissions of each holder. */
class Cluster {
  private readonly rules: ReadonlyMap<string, string>;
  private readonly jobs: readonly { readonly job: Properties; readonly rules: string; readonly policy: string }[];
  private readonly managing = new Map<string, boolean>();
  private readonly logins = new Map<string, Power>();
  readonly roles: readonly Thing[];
  readonly access: AccessObjects;

  constructor(
    readonly things: readonly Thing[],
    private readonly others: readonly Thing[],
    private readonly links: ReadonlyMap<string, readonly string[]>,
    /** The rules of every policy outside of the objects. */
    private readonly outside: string,
  ) {
    const policies = ofKind(things, "AclPolicy");
    this.rules = new Map(policies.map(({ properties }) => [text(properties.name), rulesIn(properties)]));
    this.jobs = policies.flatMap(({ properties: { name, jobAcl, rules } }) => {
      const job = mapping(jobAcl);
      return job.namespace ? [{ job, rules: rulesIn({ rules }), policy: text(name) }] : [];
    });
    this.roles = ofKind(things, "AclRole");
    const bound = ofKind(things, "AclBindingRule").map(({ id, properties }) => ({
      id,
      authMethod: text(properties.authMethod),
      selector: text(properties.selector),
      bindType: text(properties.bindType) as LoginRule["bindType"],
      bindName: text(properties.bindName),
    }));
    const named = [...bound.map(({ bindName }) => bindName), "a", "adm", "team-a", "team-b", "team-"];
    this.access = {
      methods: ofKind(things, "AclAuthMethod").map(({ properties }) => {
        const { claimMappings, listClaimMappings } = { claimMappings: {}, listClaimMappings: {}, ...Object(properties.config) };
        return {
          ...{ name: text(properties.name), type: text(properties.type), tokenLocality: text(properties.tokenLocality) },
          ...{ maxTokenTtl: text(properties.maxTokenTtl), tokenNameFormat: text(properties.tokenNameFormat) },
          ...{ claimMappings: mapping(claimMappings), listClaimMappings: mapping(listClaimMappings) },
        };
      }),
      rules: bound,
      roles: Object.fromEntries(this.roles.map(({ properties }) => [text(properties.name), textsIn(properties.policies)])),
      policies: [...this.rules.keys(), ...named.filter((name) => !this.rules.has(name) && !this.hasOther(name))],
    };
  }

  private hasOther(name: string): boolean {
    return ofKind(this.others, "AclPolicy").some(({ properties }) => properties.name === name);
  }

  /** The rules of policies. A policy that only the other side has does not exist on this side. */
  rulesOf(names: readonly string[]): string[] {
    return names.map((name) => this.rules.get(name) ?? (this.hasOther(name) ? "" : this.outside));
  }

  has(policy: string): boolean {
    return this.rules.has(policy);
  }

  /** The policies of these, by their names. */
  private held(policies: readonly string[], from: readonly string[]): Power {
    return { texts: this.rulesOf(policies), from: [...from, ...policies] };
  }

  ofPolicy(name: string): Power {
    return this.held([name], []);
  }

  ofRoles(ids: readonly string[]): Power {
    const roles = this.roles.filter(({ id }) => ids.includes(id));
    return this.held(
      roles.flatMap(({ properties }) => textsIn(properties.policies)),
      roles.flatMap(({ urn, properties: { name } }) => [text(name), placeOf(urn)]),
    );
  }

  ofToken({ urn, hasEnded, properties }: Thing): Power {
    const own = [text(properties.name), placeOf(urn)];
    if (hasEnded) return { texts: [], from: own };
    const valid = { isGlobal: properties.global === true, lifetime: minutes(properties.expirationTtl) };
    if (properties.type === "management") return { isAll: true, texts: [], from: own, ...valid };
    const [direct, ofRoles] = [this.held(textsIn(properties.policies), own), this.ofRoles(this.links.get(urn) ?? [])];
    return { texts: [...direct.texts, ...ofRoles.texts], from: [...direct.from, ...ofRoles.from], ...valid };
  }

  ofLogin(method: string, claims: Claims): Power {
    const key = JSON.stringify([method, claims]);
    const power = this.logins.get(key) ?? this.login(method, claims);
    this.logins.set(key, power);
    return power;
  }

  private login(method: string, claims: Claims): Power {
    const access = methodAccess(this.access, method);
    const login = access && evaluateLogin(access, claims);
    if (!login?.ok) return { texts: [], from: [], method };
    const valid = { isGlobal: login.token.global, lifetime: minutes(access?.method.maxTokenTtl) };
    if (login.token.type === "management") return { isAll: true, texts: [], from: [], method, ...valid };
    const { roles, policies } = login.token;
    const ofRoles = roles.flatMap((name) => this.access.roles[name] ?? []);
    return { ...this.held([...policies, ...ofRoles], roles), method, ...valid };
  }

  ofDefault(claims: Claims): Power {
    const method = ofKind(this.things, "AclAuthMethod").find(({ properties }) => properties.default === true);
    return method ? this.ofLogin(text(method.properties.name), claims) : nothing;
  }

  get jobPolicies(): string[] {
    return this.jobs.map(({ policy }) => policy);
  }

  /** The permissions of the tasks of a place, which have the policies of all enclosing places. */
  ofTasks(place: Properties): Power {
    const jobs = this.jobs.filter(({ job }) => Object.entries(job).every(([level, value]) => place[level] === value));
    return { texts: jobs.map(({ rules }) => rules), from: jobs.map(({ policy }) => policy) };
  }

  /**
   * Whether a holder may do everything: by a right that equals management, or by the tasks of a job that it may submit, directly or through
   * other jobs.
   */
  isManagement({ isAll, texts }: Power, seen: ReadonlySet<string> = new Set()): boolean {
    if (isAll) return true;
    const key = keyOf(texts);
    const found = this.managing.get(key);
    if (found !== undefined) return found;
    const is =
      likeManagement.some((ask) => allows(texts, { ask })) ||
      this.jobs.some(({ job }) => {
        const namespace = String(job.namespace);
        if (seen.has(namespace) || !allows(texts, submits(namespace))) return false;
        return this.jobs.some(
          (one) => one.job.namespace === namespace && this.isManagement(this.ofTasks(one.job), new Set([...seen, namespace])),
        );
      });
    if (seen.size === 0) this.managing.set(key, is);
    return is;
  }
}

const minutes = (ttl: unknown) => (ttl === "10m" ? 10 : ttl === "1h" ? 60 : Number.POSITIVE_INFINITY);

const people: readonly Claims[] = [{ job: "a" }, { team: "a" }, { team: "b", job: "a" }];
const claims = people.flatMap((one) =>
  [[], ["ops"], ["dev"], ["dev", "ops"]].flatMap((groups) => [[], ["dev"]].map((roles): Claims => ({ ...one, groups, roles }))),
);
const places: readonly Properties[] = ["default", "prod", "other"].flatMap((namespace) =>
  [{}, { group: "g" }, { group: "g", task: "t" }].flatMap((inner) => ["j", "k", "l"].map((jobId) => ({ namespace, jobId, ...inner }))),
);

/**
 * The effect of a change on each holder of rights: logins of each method, and logins that name no method, with many claims; tokens; a token
 * made by hand with a role or a policy that exists before and after, or with a policy that goes; the same token together with policies that
 * allow everything, from which denies remove rights; everybody, without a token; the tasks of jobs.
 */
export function fatesOf({ before, after, links, outside }: World, form: Form): Map<string, Fate> {
  const old = new Cluster(before, after, links.before, outside);
  const now = new Cluster(after, before, links.after, outside);
  const fates = new Map<string, Fate>();
  const told = new Map<string, Fate>();
  const fateOf = (was: Power, is: Power) => {
    const key = JSON.stringify([was, is].map(({ texts, lifetime, ...rest }) => [keyOf(texts), `${lifetime}`, rest]));
    const fate = told.get(key) ?? becomes(old, now, was, is);
    told.set(key, fate);
    return fate;
  };
  const put = (who: string, was: Power, is: Power) => void fates.set(who, fateOf(was, is));
  const besides = (who: string, was: Power, is: Power) => {
    const [before, after] = [was, is].map(({ texts, from }) => answersOf({ texts: [everything, ...texts], from }));
    const first = (one = before, other = after) => asks.find((_, index) => deniable[index] && one?.[index] && !other?.[index]);
    const [gains, loses] = [first(after, before), first(before, after)].map((question) => question && JSON.stringify(question));
    fates.set(`others, and ${who}`, { gains, loses, gainsManagement: false, names: [...was.from, ...is.from] });
  };
  for (const method of new Set([...old.access.methods, ...now.access.methods].map(({ name }) => name))) {
    for (const one of claims) put(`login of ${method} ${JSON.stringify(one)}`, old.ofLogin(method, one), now.ofLogin(method, one));
  }
  for (const one of claims) put(`login of the default ${JSON.stringify(one)}`, old.ofDefault(one), now.ofDefault(one));
  const identity = (token: Thing) => (form === "export" ? text(token.properties.name) : form === "full export" ? token.id : token.urn);
  const tokens = (side: readonly Thing[]) => new Map(ofKind(side, "AclToken").map((token) => [identity(token), token]));
  const [oldTokens, newTokens] = [tokens(before), tokens(after)];
  for (const key of new Set([...oldTokens.keys(), ...newTokens.keys()])) {
    const [was, is] = [oldTokens.get(key), newTokens.get(key)];
    put(`token ${key}`, was ? old.ofToken(was) : nothing, is ? now.ofToken(is) : nothing);
  }
  for (const role of old.roles) {
    const twin = now.roles.find((one) => (form === "export" ? one.properties.name === role.properties.name : one.id === role.id));
    if (!twin) continue;
    const [was, is] = [old.ofRoles([role.id]), now.ofRoles([twin.id])];
    put(`role ${role.id}`, was, is);
    besides(`role ${role.id}`, was, is);
  }
  for (const name of new Set(ofKind(before, "AclPolicy").map(({ properties }) => text(properties.name)))) {
    const [was, is] = [old.ofPolicy(name), now.ofPolicy(name)];
    // A policy that goes together with its holders has no line of its own.
    const holders = now.has(name) ? [] : before.filter(({ properties: { policies } }) => textsIn(policies).includes(name));
    const called = holders.flatMap(({ urn, properties }) => [text(properties.name), placeOf(urn)]);
    // The tasks of a job have its policy, and a token may have that policy as well.
    put(`policy ${name}`, { ...was, from: [...was.from, ...called] }, is);
    besides(`policy ${name}`, was, is);
  }
  const everybody = (side: Cluster) => (side.has("anonymous") ? side.ofPolicy("anonymous") : nothing);
  put("everybody", everybody(old), everybody(now));
  for (const place of places) put(`tasks of ${JSON.stringify(place)}`, old.ofTasks(place), now.ofTasks(place));
  return fates;
}

/** The questions that only a deny of the whole place answers with no. A more exact pattern that allows something does not. */
const deniable = asks.map(({ ask }) => /^(namespace|agent|node|quota|operator):read$/.test(ask));

/** The effect of changed permissions. A token that becomes valid in more regions, or for longer, is a gain. */
function becomes(old: Cluster, now: Cluster, was: Power, is: Power): Fate {
  const [before, after] = [answersOf(was), answersOf(is)];
  const more = (one: readonly boolean[], other: readonly boolean[]) => {
    const index = one.findIndex((answer, at) => answer && !other[at]);
    return index < 0 ? undefined : JSON.stringify(asks[index]);
  };
  const isBoth = before.some((answer, index) => answer && after[index]);
  const longer = (one: Power, other: Power) =>
    isBoth && ((one.isGlobal && !other.isGlobal) || (one.lifetime ?? 0) > (other.lifetime ?? 0)) ? "validity" : undefined;
  const gained = more(after, before);
  const gainsManagement = now.isManagement(is) && !old.isManagement(was);
  // A change of the same roles and policies, which the method still gives, is a change of these.
  const isByMethod = gained === undefined || is.isAll !== was.isAll || !isSame(is.from, was.from);
  const methods = isByMethod ? [was, is].flatMap(({ method }) => method ?? []) : [];
  // Who may run a job has the permissions of its tasks.
  const jobs = gainsManagement ? [old, now].flatMap(({ jobPolicies }) => jobPolicies) : [];
  return {
    gains: gained ?? longer(is, was),
    loses: more(before, after) ?? longer(was, is),
    gainsManagement,
    names: [...was.from, ...is.from, ...methods, ...jobs],
  };
}
