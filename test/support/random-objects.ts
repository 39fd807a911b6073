// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
/** Random objects of both services, including odd ones, as the bodies of the requests that make them. */
import * as fc from "fast-check";
import { lostInYaml } from "../../cli/import/keys";
import type { Simulator } from "../../testing/simulator";
import type { PoolChange } from "../../testing/simulator/pools/store";
import { samples } from "../kinds";
import { letters, textOf } from "../kinds/arbitraries";
import { hostile as anyHostile } from "./hostile-texts";
import { certificates, olderPublicKey, privateKeys, publicKeys } from "./pem";
import { printedSeed } from "./seed";

/** How many objects of each kind. */
export interface Counts {
  readonly pools: number;
  readonly methods: number;
  /** Must be at least one if there are roles, rules or tokens. */
  readonly policies: number;
  readonly roles: number;
  readonly rules: number;
  /** Default: none. */
  readonly tokens?: number;
}

type Body = Readonly<Record<string, unknown>>;
type Named = Body & { readonly Name: string };

export interface RandomObjects {
  readonly pools: readonly ({ readonly organization: string; readonly name: string } & PoolChange)[];
  readonly policies: readonly Named[];
  readonly methods: readonly Named[];
  readonly roles: readonly Named[];
  readonly rules: readonly Body[];
  readonly tokens: readonly Body[];
  /** The names of auth methods that are deleted after everything is made, so their rules are orphans. */
  readonly deleted: readonly string[];
}

/** Hostile texts, without those that no Pulumi.yaml can hold: `import` refuses them for YAML, and other tests show that. */
const hostile = anyHostile.filter((text) => !lostInYaml.test(text));

/**
 * Names as the API takes them: of letters, digits and dashes. Some are keywords of a language, and some turn into the same variable or file
 * as another name.
 */
const name = fc.oneof(
  { weight: 4, arbitrary: textOf(`${letters}-`, 24) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...letters, "-"), { minLength: 128, maxLength: 128 }).map((all) => all.join("")) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["default", "class", "No", "null", "y", "on", "import", "package", "constructor", "toString", "hasOwnProperty", "self", "err"],
      ...["-", "--", "0", "1e3", "2fa", "team-alpha", "teamAlpha", "TeamAlpha", "TEAM-ALPHA", "team--alpha", "a-1", "a1", "A1", "pulumi"],
    ),
  },
);
const isShort = (text: string) => Buffer.byteLength(text) <= 256;
const description = fc.oneof(hostile, fc.string({ unit: "grapheme", maxLength: 64 }), fc.constant("é".repeat(128))).filter(isShort);
const texts = fc.array(hostile, { maxLength: 3 });

/** Values for MaxTokenTTL: one minute to a day, in every unit, with fractions, and as a number of nanoseconds. */
const ttl = fc.constantFrom<string | number>(
  ...["60s", "5m", "1h0m0s", "90m", "1.5h", "1h30m", "0.25h", "24h", "86400s", "5400000ms", "3600000000us", "90000000µs", "60000000000ns"],
  ...["+2h", "1h0.5s", "100m0.000000001s", 3_600_000_000_000, 60_000_000_001],
);
const leeway = fc.constantFrom<string | number>(
  ...["", "0", "0s", "-1s", "1h", "1.5s", "250ms", "1us", "7ns", "1h2m3.5s", 1_000_000_000, 0],
);

/**
 * Keys of claims, without those that a language of Pulumi can't have: `import` refuses them for that language, and other tests show that.
 */
const claim = fc
  .oneof(hostile, fc.webUrl(), fc.constantFrom("https://example.com/groups", "http://schemas.xmlsoap.org/claims/Group", "groups"))
  .filter((key) => !/^(<<|__proto__|fn::.*)$/is.test(key));
const claims = fc.dictionary(claim, fc.oneof(hostile, fc.constantFrom("team", "groups", "a_b")), { maxKeys: 4, noNullPrototype: true });

const shared = {
  BoundAudiences: texts,
  BoundIssuer: texts,
  SigningAlgs: fc.subarray(["RS256", "ES256", "PS512", "EdDSA"]),
  DiscoveryCaPem: fc.subarray([...certificates]),
  ExpirationLeeway: leeway,
  NotBeforeLeeway: leeway,
  ClockSkewLeeway: leeway,
  ClaimMappings: claims,
  ListClaimMappings: claims,
  VerboseLogging: fc.boolean(),
};

/** The configurations of auth methods of type OIDC. Many hold a client secret or a private key, which the API does not return. */
const oidc = fc
  .tuple(
    fc.record(
      {
        ...shared,
        OIDCClientSecret: fc.constant("canary-theirs-".repeat(4)),
        OIDCEnablePKCE: fc.boolean(),
        OIDCDisableUserInfo: fc.boolean(),
        OIDCScopes: texts,
      },
      { requiredKeys: [] },
    ),
    fc.record({
      OIDCDiscoveryURL: fc.webUrl(),
      OIDCClientID: hostile.filter((text) => text !== ""),
      AllowedRedirectURIs: fc.uniqueArray(fc.webUrl(), { minLength: 1, maxLength: 3 }),
    }),
    fc.option(fc.constantFrom("nomad", "private_key", "client_secret"), { nil: undefined, freq: 3 }),
    texts,
  )
  .map(([more, config, source, audience]) => ({ ...more, ...config, ...assertionBy(source, "OIDCClientSecret" in more, audience) }));

function assertionBy(KeySource: string | undefined, hasSecret: boolean, audience: readonly string[]): object {
  if (KeySource === undefined || (KeySource === "client_secret" && !hasSecret)) return {};
  const PrivateKey = { PemKey: privateKeys[0], KeyID: "key-1" };
  const Audience = audience.filter((text) => text !== "");
  return { OIDCClientAssertion: { KeySource, Audience, ...(KeySource === "private_key" && { PrivateKey }) } };
}

const jwt = fc
  .tuple(
    fc.record(shared, { requiredKeys: [] }),
    fc.oneof(
      fc.record({ JWKSURL: fc.webUrl(), JWKSCACert: fc.constantFrom("", ...certificates) }),
      fc.record({ JWTValidationPubKeys: fc.subarray([...publicKeys, olderPublicKey], { minLength: 1 }) }),
      fc.record({ OIDCDiscoveryURL: fc.webUrl() }),
    ),
  )
  .map(([config, keys]) => ({ ...config, ...keys }));

const method = fc
  .tuple(
    fc.oneof(fc.record({ Type: fc.constant("OIDC"), Config: oidc }), fc.record({ Type: fc.constant("JWT"), Config: jwt })),
    fc.record(
      {
        Name: name,
        TokenLocality: fc.constantFrom("local", "global"),
        MaxTokenTTL: ttl,
        TokenNameFormat: fc.constantFrom("${auth_method_type}-${auth_method_name}", "login-${auth_method_name}", "a $${b} `c`", "é"),
      },
      { requiredKeys: ["Name", "TokenLocality", "MaxTokenTTL"] },
    ),
  )
  .map(([how, rest]) => ({ ...rest, ...how }));

/** The text of a comment in a policy: characters that mean something in the languages of programs. */
const comment = fc.constantFrom("all of it", "é ü €", '"""', "${a} $${b} %{c}", "`x` 'y' \\n \\", "\ttab */ end", "it's \u2028 one");
const block = fc.oneof(
  textOf(letters, 12).map((namespace) => `namespace "${namespace}" { policy = "read" }`),
  textOf(letters, 12).map((namespace) => `namespace "${namespace}-*" {\n  capabilities = ["read-job", "list-jobs"]\n}`),
  fc.constantFrom('node { policy = "read" }', 'agent {\n\tpolicy = "write"\n}', 'operator {\r\n  policy = "read"\r\n}'),
);
const hcl = fc.tuple(fc.option(comment), fc.uniqueArray(block, { selector: (text) => text.split(/\W/)[0], minLength: 1, maxLength: 3 }));
const rules = fc.oneof(
  { weight: 6, arbitrary: hcl.map(([above, blocks]) => [...(above === null ? [] : [`# ${above}`]), ...blocks, ""].join("\n")) },
  { weight: 3, arbitrary: block },
  { weight: 2, arbitrary: textOf(letters, 12).map((name) => JSON.stringify({ namespace: { [name]: { policy: "read" } } }, undefined, 2)) },
  { weight: 1, arbitrary: fc.constantFrom("", '{"node": {"policy": "read"}}') },
);
const jobAcl = fc
  .tuple(textOf(letters, 8), fc.nat({ max: 4 }))
  .map(([text, levels]) => Object.fromEntries(["Namespace", "JobID", "Group", "Task"].slice(0, levels).map((level) => [level, text])));
/** A policy can't be called "self", because its address is another endpoint. */
const policyName = name.filter((text) => text !== "self");
const policy = fc.record({ Name: policyName, Description: description, Rules: rules, JobACL: jobAcl }, { requiredKeys: ["Name", "Rules"] });

/** A role. The numbers in `policies` choose its policies from the drawn ones. */
const role = fc.record(
  { Name: name, Description: description, policies: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) },
  { requiredKeys: ["Name", "policies"] },
);

/** A text as selectors write it. The grammar allows no quote in a text in quotes, and no backtick in a text in backticks. */
const quoted = fc.oneof(
  hostile.map((text) => JSON.stringify(text.replaceAll('"', "'"))),
  hostile.map((text) => `\`${text.replaceAll("`", "'")}\``),
);
const comparison = fc.oneof(
  quoted.map((text) => `${text} in list.groups`),
  quoted.map((text) => `value.team != ${text}`),
  quoted.map((text) => `list[${text}] is not empty`),
  fc.constant("any list.groups as g { g matches `^ops-\\d+$` }"),
);
const selector = fc.oneof(
  fc.constant(""),
  comparison,
  fc.tuple(comparison, comparison).map(([a, b]) => `(${a})\n\tand\r\n  not (${b})`),
);

/** A binding rule. The numbers choose its auth method and its role from the drawn ones. */
const rule = fc.record({
  description,
  selector,
  method: fc.nat(),
  role: fc.nat(),
  target: fc.constantFrom("role", "role", "role", "no role", "computed role", "policy", "computed policy", "management"),
});

/** A token, whose name need not be unique. The numbers choose its policies and its roles from the drawn ones. */
const token = fc.record({
  Name: description,
  Type: fc.constantFrom("client", "client", "client", "management"),
  Global: fc.boolean(),
  policies: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  roles: fc.array(fc.nat(), { maxLength: 3 }),
});

const pool = fc.record({
  organization: fc.nat(),
  name: fc.oneof(textOf(`${letters}-_`, 90), fc.constantFrom("build", "deploy", "team-alpha", "team_alpha", "default")),
  organizationScoped: fc.boolean(),
  allowedWorkspaceIds: fc.uniqueArray(
    textOf(letters, 16).map((text) => `ws-${text}`),
    { maxLength: 3 },
  ),
});

/** Draws this number of values, no two of which have the same key. */
function draw<T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number, keyOf: (value: T) => unknown = (value) => value): T[] {
  const all = new Map(fc.sample(arbitrary, { seed, numRuns: 3 * count + 100 }).map((value) => [keyOf(value), value]));
  if (all.size < count) throw new Error(`${all.size} of ${count} values differ`);
  return [...all.values()].slice(0, count);
}

const deleted = ["gone", "gone-too"];
const soonDeleted = deleted.map((Name) => ({
  ...{ Name, Type: "JWT", TokenLocality: "local", MaxTokenTTL: "1h" },
  Config: { JWKSURL: "https://idp.example.com" },
}));

/** Draws objects: the same ones for the same seed. @param organizations the organizations for the pools */
export function randomObjects(seed: number, counts: Counts, organizations: readonly string[] = []): RandomObjects {
  const placed = pool.map((one) => ({ ...one, organization: organizations[one.organization % organizations.length] ?? "" }));
  const pools = draw(placed, counts.pools, seed, ({ organization, name }) => `${organization}/${name}`);
  const drawn = draw(method, counts.methods, seed, ({ Name }) => Name);
  const methods = drawn.map((one, index) => (index === 0 ? { ...one, Default: true } : one));
  const policies = draw(policy, counts.policies, seed, ({ Name }) => Name);
  const at = (index: number) => policies[index % policies.length]?.Name ?? "";
  const roles = draw(role, counts.roles, seed, ({ Name }) => Name).map(({ policies: chosen, ...one }) => ({
    ...one,
    Policies: [...new Set(chosen.map(at))].map((Name) => ({ Name })),
  }));
  const namesOf = (all: readonly { readonly Name: string }[]) => all.map(({ Name }) => Name);
  const names = { methods: [...namesOf(methods), ...deleted], policies: namesOf(policies), roles: namesOf(roles) };
  return {
    pools,
    policies,
    methods: [...methods, ...soonDeleted],
    roles,
    rules: draw(rule, counts.rules, seed).map((one) => ruleOf(one, names)),
    tokens: draw(token, counts.tokens ?? 0, seed).map((one) => tokenOf(one, names)),
    deleted,
  };
}

type DrawnRule = typeof rule extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function ruleOf(
  { description, selector, method, role, target }: DrawnRule,
  names: Readonly<Record<"methods" | "policies" | "roles", string[]>>,
): Body {
  const at = (all: readonly string[], index: number) => all[index % all.length] ?? "";
  const binds: Readonly<Record<typeof target, object>> = {
    role: { BindType: "role", BindName: at(names.roles, role) },
    "no role": { BindType: "role", BindName: `no-role-${role % 9}` },
    "computed role": { BindType: "role", BindName: "team-${value.team}" },
    policy: { BindType: "policy", BindName: at(names.policies, role) },
    "computed policy": { BindType: "policy", BindName: "$${x}-${value.team}" },
    management: { BindType: "management" },
  };
  return { AuthMethod: at(names.methods, method), Description: description, Selector: selector, ...binds[target] };
}

type DrawnToken = typeof token extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function tokenOf({ policies, roles, ...drawn }: DrawnToken, names: Readonly<Record<"policies" | "roles", string[]>>): Body {
  if (drawn.Type === "management") return drawn;
  const at = (all: readonly string[], index: number) => all[index % all.length] ?? "";
  const links = names.roles.length === 0 ? [] : roles.map((index) => ({ Name: at(names.roles, index) }));
  return { ...drawn, Policies: policies.map((index) => at(names.policies, index)), Roles: links };
}

/** Three hundred objects of all kinds of {@link RandomObjects}. A command reads the tokens only if `--only` names their kind. */
export const threeHundred = { pools: 30, methods: 50, policies: 30, roles: 60, rules: 110, tokens: 20 } satisfies Counts;

/** The options of a command that choose all kinds of {@link RandomObjects}. */
export const everyKind = samples.flatMap(({ kind }) => ["--only", kind]);
export const everyClusterKind = samples.flatMap(({ kind, resource }) => (resource.api === "cluster" ? ["--only", kind] : []));

const otherOrganization = "other-org";

/** The options of a command that name the organizations of the simulator's pools. */
export const bothOrganizations = ({ organization }: Simulator) => ["--organization", organization, "--organization", otherOrganization];

/** Fills a simulator with random objects, whose pools are in two organizations, and prints the seed. */
export async function fill(simulator: Simulator, counts: Counts): Promise<void> {
  const { organization, pools, cluster, clusterAddress: address, clusterToken: token } = simulator;
  const objects = randomObjects(printedSeed("the random objects", "OBJECTS_SEED"), counts, [organization, otherOrganization]);
  pools.addOrganization(otherOrganization);
  // The policies that every simulator of the tests has are deleted, because `counts` does not include them.
  for (const { Name } of cluster.policies.list()) cluster.policies.delete(Name);
  for (const pool of objects.pools) pools.put(pool);
  await makeOnCluster({ address, token }, objects);
  simulator.journal.clear();
}

/** A cluster's API: the simulator's, or a real one. */
export interface ClusterApi {
  readonly address: string;
  readonly token: string;
}

/** Makes the cluster's objects by requests to its API. @throws an error with the response, if a request is refused */
export async function makeOnCluster(
  { address, token }: ClusterApi,
  { policies, methods, roles, rules, tokens, deleted }: RandomObjects,
): Promise<void> {
  const send = async (method: string, path: string, body?: Body) => {
    const options = { method, headers: { "X-Nomad-Token": token }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${address}/v1/acl/${path}`, options);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text} for ${options.body}`);
  };
  for (const body of policies) await send("POST", `policy/${body.Name}`, body);
  for (const body of methods) await send("POST", "auth-method", body);
  for (const body of roles) await send("POST", "role", body);
  for (const body of rules) await send("POST", "binding-rule", body);
  for (const body of tokens) await send("POST", "token", body);
  for (const name of deleted) await send("DELETE", `auth-method/${name}`);
}
