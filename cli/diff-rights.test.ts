/** Random changes of policies and of their holders: the lines of `diff` about permissions are true, and no change is missing. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { evaluateLogin } from "../access";
import { type AccessObjects, methodAccess } from "../access/graph";
import { granting, grantsAllow, type PolicyQuestion } from "../access/policy/allow";
import { type Grants, grantsOf } from "../access/policy/grants";
import { isFull, sizeOf } from "../test/support/extent";
import { questions, rules } from "../test/support/random-rules";
import { cases } from "../test/support/seed";
import { changeFindings } from "./access/changes";
import type { Finding, FindingKind } from "./access/finding";
import { ledgerOf } from "./access/ledger";
import { plainText } from "./access/markup";
import { toAccessModel } from "./access/read-model";
import type { DenialChange, RightsChange } from "./access/rights-changes";
import { comparedSides } from "./diff";
import { parseExport } from "./inventory/export";

const policyNames = ["anonymous", "a", "b", "c", "team-x"];
const roleNames = ["dev", "ops", "team-x"];
const teams = `team-\${value.team}`;

interface Cluster {
  readonly method: { readonly tokenLocality: string; readonly groups: string };
  readonly policies: Readonly<Record<string, string | undefined>>;
  readonly roles: Readonly<Record<string, readonly string[] | undefined>>;
  readonly tokens: Readonly<Record<string, { type: string; policies: readonly string[]; roles: readonly string[] } | undefined>>;
  readonly rules: Readonly<Record<string, { selector: string; bindType: string; bindName: string } | undefined>>;
}

const some = (names: readonly string[], maxLength = 3) => fc.subarray([...names], { maxLength });
const named = <T>(names: readonly string[], of: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, fc.option(of, { nil: undefined, freq: 5 })])));
// The second text allows no more than the first, so some changes of texts change no permission.
const alike = fc.constantFrom(...["", ', "register-job"'].map((more) => `namespace "prod" { capabilities = ["submit-job"${more}] }`));
const operator = fc.constantFrom('operator { policy = "write" }', 'operator { capabilities = ["snapshot-save"] }');
const cluster: fc.Arbitrary<Cluster> = fc.record({
  method: fc.record({ tokenLocality: fc.constantFrom("local", "local", "global"), groups: fc.constantFrom("groups", "groups", "teams") }),
  policies: named(
    policyNames,
    fc.oneof({ weight: 6, arbitrary: rules }, { weight: 2, arbitrary: alike }, { weight: 1, arbitrary: operator }),
  ),
  roles: named(roleNames, some(policyNames.slice(1))),
  tokens: named(
    ["ci", "cd"],
    fc.record({
      type: fc.constantFrom("client", "client", "client", "management"),
      policies: some(policyNames),
      roles: some(roleNames, 2),
    }),
  ),
  rules: named(
    ["1", "2", "3"],
    fc.record({
      selector: fc.constantFrom("", "dev in list.groups", "ops in list.groups", "value.team == x"),
      bindType: fc.constantFrom("role", "role", "policy", "policy", "management"),
      bindName: fc.constantFrom(...roleNames, ...policyNames, teams),
    }),
  ),
});

/** The first cluster with some parts of the second one: most parts stay as they are. */
function mixed(one: Cluster, other: Cluster, isChanged: readonly boolean[]): Cluster {
  let at = 0;
  const either = <T>(a: T, b: T): T => (isChanged[at++ % isChanged.length] ? b : a);
  const each = <T extends object>(a: T, b: T): T =>
    Object.fromEntries(Object.keys(a).map((name) => [name, either(a[name as keyof T], b[name as keyof T])])) as T;
  return {
    method: either(one.method, other.method),
    policies: each(one.policies, other.policies),
    roles: each(one.roles, other.roles),
    tokens: each(one.tokens, other.tokens),
    rules: each(one.rules, other.rules),
  };
}

function inventoryOf({ method, ...parts }: Cluster, source: string) {
  const list = (all: Readonly<Record<string, object | undefined>>, more: (name: string, object: object) => object) =>
    Object.entries(all).flatMap(([name, object]) => (object === undefined ? [] : [more(name, object)]));
  const { tokenLocality, groups } = method;
  const config = { claimMappings: { team: "team" }, listClaimMappings: { [groups]: "groups" } };
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality, maxTokenTtl: "1h", config }],
    AclPolicy: Object.entries(parts.policies).flatMap(([name, text]) => (text === undefined ? [] : [{ name, rules: text }])),
    AclRole: list(parts.roles, (name, policies) => ({ id: `id-${name}`, name, policies })),
    AclToken: list(parts.tokens, (name, token) => ({ id: name, name, ...token })),
    AclBindingRule: list(parts.rules, (id, rule) => {
      const isManagement = "bindType" in rule && rule.bindType === "management";
      return { id, authMethod: "sso", description: id, ...rule, ...(isManagement && { bindName: "" }) };
    }),
  };
  return parseExport(JSON.stringify({ format: 1, objects }), source);
}

/** The permissions of a holder: management, or the rules of policies. */
type Power = "everything" | Grants;

const rulesIn = ({ policies }: Cluster, names: readonly string[]): Power =>
  grantsOf([...new Set(names)].flatMap((name) => policies[name] ?? []));
const may = (power: Power, question: PolicyQuestion) => power === "everything" || grantsAllow(power, question);

/** What holders of a role may do if others let them read plugins, which permission to write and mount volumes needs. */
function mayWithPlugins(power: Power, question: PolicyQuestion) {
  const isOfOthers =
    power !== "everything" && [undefined, "list"].includes(power.levels.plugin) && /^csi-(write|mount)-volume$/.test(question.ask);
  return may(isOfOthers ? { ...power, levels: { ...power.levels, plugin: "read" } } : power, question);
}

function ofToken(of: Cluster, name: string): Power {
  const { type, policies, roles } = of.tokens[name] ?? { type: "client", policies: [], roles: [] };
  return type === "management" ? "everything" : rulesIn(of, [...policies, ...roles.flatMap((role) => of.roles[role] ?? [])]);
}

function ofLogin(of: Cluster, objects: AccessObjects, claims: Parameters<typeof evaluateLogin>[1]): Power {
  const access = methodAccess(objects, "sso");
  const login = access && evaluateLogin(access, claims);
  if (!login?.ok) return grantsOf([]);
  const { token } = login;
  return token.type === "management"
    ? "everything"
    : rulesIn(of, [...token.policies, ...token.roles.flatMap((role) => of.roles[role] ?? [])]);
}

interface Compared {
  readonly asked: readonly PolicyQuestion[];
  readonly rights: readonly RightsChange[];
  readonly denials: readonly DenialChange[];
  readonly found: readonly Finding[];
}

const gains: readonly FindingKind[] = ["widened", "management", "undecided"];
const losses: readonly FindingKind[] = ["narrowed", "failing", "dangling", "undecided"];
const has = (found: readonly Finding[], kinds: readonly FindingKind[]) =>
  found.some((one) => one.kinds.some((kind) => kinds.includes(kind)));

/** The errors in the report about a holder. */
function wrongOf(key: string, [was, is]: readonly [Power, Power], words: RegExp, { asked, rights, found }: Compared): string[] {
  const change = rights.find(({ holder }) => holder.key === key);
  const ofHolder = found.filter(({ sentence }) => words.test(plainText(sentence)));
  const wrong: string[] = [];
  for (const question of [...asked, ...(change?.differences ?? []).map((one) => one.question)]) {
    // A token with a role may have other policies, or none.
    const pairs = (key.startsWith("role") ? [mayWithPlugins, may] : [may]).map((ask) => [ask(was, question), ask(is, question)] as const);
    const isOpen = change && (change.unknown.length > 0 || change.relation === "undecided");
    for (const [before, after] of pairs) {
      const text = `${key} ${JSON.stringify(question)}: ${before} becomes ${after}`;
      if (after && !before && !has(ofHolder, gains)) wrong.push(`${text} is not said`);
      if (before && !after && !has(ofHolder, losses)) wrong.push(`${text} is not said`);
      if (change && !isOpen && before !== after && change.relation === "equal") wrong.push(`${text}, of equal rights`);
    }
    const said = change?.differences.find((one) => one.question === question);
    const isTrue = said && pairs.some(([before, after]) => said.before === before && said.after === after);
    if (said && !isOpen && !isTrue) wrong.push(`${key} ${JSON.stringify(said)} is not true: ${JSON.stringify(pairs)}`);
  }
  if (change && change.unknown.length === 0 && change.relation !== "undecided") {
    const hasFinding = (kind: FindingKind) => ofHolder.some(({ kinds }) => kinds.includes(kind));
    const [wider, narrower] = [
      ["widened", "changed"],
      ["narrowed", "changed"],
    ].map((of) => of.includes(change.relation));
    // The report about a token does not repeat a role's permissions, or the report about its roles.
    if (!key.startsWith("token") && (hasFinding("widened") !== wider || hasFinding("narrowed") !== narrower))
      wrong.push(`${key} is ${change.relation}, and said: ${textsOf(ofHolder)}`);
  }
  return wrong;
}

const everything = `namespace "*" { capabilities = ${JSON.stringify(granting("namespace"))} variables { path "*" { capabilities =
  ["read", "list", "write", "destroy"] } } } node_pool "*" { policy = "write" } host_volume "*" { policy = "write" } plugin { policy = "read" }
  agent { policy = "write" } node { policy = "write" } quota { policy = "write" } operator { policy = "write" }`;

/** The errors in the report about a policy, next to one that allows everything. */
function wrongBeside(name: string, [before, after]: readonly [Cluster, Cluster], compared: Compared): string[] {
  const texts = [before, after].map((side) => side.policies[name] ?? "");
  const besides = (others: readonly string[]) => texts.map((text) => grantsOf([...others, text]));
  const answersOf = (sides: readonly Grants[], question: PolicyQuestion) => sides.map((one) => may(one, question));
  const ofAll = besides([everything]);
  // Other policies may have the same patterns that the policy denies.
  const patterns = [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/(namespace|node_pool|host_volume) ("[^"]+")/g)].map(([one]) => one))),
  ];
  const full = (pattern: string) =>
    pattern.startsWith("namespace")
      ? `${pattern} { capabilities = ${JSON.stringify(granting("namespace"))} }`
      : `${pattern} { policy = "write" }`;
  // The other policies have no pattern, all, or one: a more exact pattern would hide the rights of another one.
  const ofOthers = [[], patterns, ...patterns.map((one) => [one])].map((some) => besides([everything, ...some.map(full)]));
  const answers = (question: PolicyQuestion) => answersOf(ofAll, question);
  const said = compared.denials.filter((one) => one.kind === "policy" && one.name === name).flatMap(({ differences }) => differences);
  const wrong = said.flatMap((one) => {
    // These rights have no pattern: other policies may have single capabilities of operators, which are not tried here.
    const isOther = /^(operator|sentinel):/.test(one.ask);
    const isTrue = ofOthers.some((sides) => isDeepStrictEqual(answersOf(sides, one.question), [one.before, one.after]));
    return isOther || isTrue ? [] : [`${name} with others: ${JSON.stringify(one)} is not true`];
  });
  for (const { namespace } of before.policies[name] === undefined ? [] : compared.asked) {
    if (namespace === undefined) continue;
    const [old, now] = answers({ ask: "namespace:read", namespace });
    const text = `what ${name} denies in ${namespace} is ${old} and becomes ${now}, which is not said`;
    if (!old && now && !has(compared.found, gains)) wrong.push(text);
    if (old && !now && !has(compared.found, losses)) wrong.push(text);
  }
  return wrong;
}

function textsOf(found: readonly Finding[]): string {
  return found.map(({ kinds, sentence }) => `${plainText(sentence)} [${kinds.join(", ")}]`).join("\n");
}

const claims = ["x", "y"].flatMap((team) => [["dev"], ["ops"], ["dev", "ops"], []].map((groups) => ({ team, groups, teams: groups })));
const equal = [{ ask: "operator:write" }, { ask: "operator:snapshot-save" }];

test("the report on permissions of roles, tokens, policies and everybody is true and complete, and no gain or loss of a login is missing", () => {
  const counted = { gains: 0, losses: 0, proven: 0, management: 0, denials: 0, "no change": 0 };
  fc.assert(
    fc.property(
      cluster,
      cluster,
      fc.array(
        fc.nat(9).map((one) => one === 0),
        { minLength: 17, maxLength: 17 },
      ),
      fc.array(questions, { minLength: 20, maxLength: 20 }),
      (before, other, isChanged, drawn) => {
        const after = mixed(before, other, isChanged);
        const [old, now] = [inventoryOf(before, "before"), inventoryOf(after, "after")];
        const compared = comparedSides({ before: old, after: now, unchanged: new Set() });
        const { findings: found, accounts } = ledgerOf(compared, changeFindings(compared));
        const { rights, denials } = compared.policies;
        const all: Compared = { asked: [...drawn, ...equal], rights, denials, found };
        const wrong: string[] = [];
        for (const name of roleNames.filter((role) => before.roles[role] && after.roles[role])) {
          const sides = [rulesIn(before, before.roles[name] ?? []), rulesIn(after, after.roles[name] ?? [])] as const;
          wrong.push(...wrongOf(`role ${name}`, sides, new RegExp(`^(tokens with )?the role \`${name}\``), all));
        }
        for (const name of Object.keys(before.tokens)) {
          // The report about a token does not repeat the report about its roles.
          const words = new RegExp(`^the token \`${name}\`|^tokens with the role`);
          wrong.push(...wrongOf(`token ${name}`, [ofToken(before, name), ofToken(after, name)], words, all));
        }
        wrong.push(...wrongOf("everybody anonymous", [rulesIn(before, ["anonymous"]), rulesIn(after, ["anonymous"])], /^everybody/, all));
        counted.denials += denials.length;
        for (const name of policyNames) wrong.push(...wrongBeside(name, [before, after], all));
        for (const { kind, name, closedBy } of accounts) {
          if (kind !== "AclPolicy" || !("proof" in closedBy)) continue;
          counted.proven++;
          for (const { holder } of rights.filter(({ changed }) => changed.includes(name))) {
            // A holder that gets or loses the policy has a line of its own.
            const { name: of, kind: ofKind } = holder;
            const heldIn = ({ roles, tokens }: Cluster) =>
              ofKind === "role" ? roles[of] : ofKind === "token" ? tokens[of] : holder.policies;
            if (!isDeepStrictEqual(heldIn(before), heldIn(after))) continue;
            const [was, is] = [before, after].map((side) => rulesIn(side, holder.policies));
            if (was && is && all.asked.some((question) => may(was, question) !== may(is, question)))
              wrong.push(`${name} is proven to change no right`);
          }
        }
        const models = [
          toAccessModel(old, { policies: Object.keys(before.policies).filter((name) => before.policies[name] !== undefined) }),
          toAccessModel(now, { policies: Object.keys(after.policies).filter((name) => after.policies[name] !== undefined) }),
        ] as const;
        for (const login of claims) {
          const [was, is] = [ofLogin(before, models[0], login), ofLogin(after, models[1], login)];
          for (const question of all.asked) {
            const [could, can] = [may(was, question), may(is, question)];
            if (can && !could) {
              counted.gains++;
              if (!has(found, gains)) wrong.push(`a login ${JSON.stringify(login)} gains ${JSON.stringify(question)}`);
              // A holder of one of these had management before.
              const hadAll = equal.some((one) => may(was, one) === true);
              if (equal.includes(question) && is !== "everything" && !hadAll) {
                counted.management++;
                if (!has(found, ["management", "undecided"]))
                  wrong.push(`a login ${JSON.stringify(login)} gains ${JSON.stringify(question)}`);
              }
            }
            if (could && !can) {
              counted.losses++;
              if (!has(found, losses)) wrong.push(`a login ${JSON.stringify(login)} loses ${JSON.stringify(question)}`);
            }
          }
        }
        if (found.length === 0) counted["no change"]++;
        if (wrong.length > 0) throw new Error([...wrong.slice(0, 5), "diff says:", textsOf(found)].join("\n"));
      },
    ),
    cases({ endOnFailure: true, numRuns: Number(process.env.CHANGES ?? sizeOf({ quick: 60, full: 3_000 })) }),
  );
  // A few changes may be without a change of a text, or have only gains or only losses of logins.
  const { gains: gained, losses: lost, denials: denied } = counted;
  expect(Math.min(...(isFull ? Object.values(counted) : [gained + lost, denied, counted["no change"]]))).toBeGreaterThan(0);
  if (process.env.CHANGES !== undefined) console.log(JSON.stringify(counted));
});
