/** Limits on ACL policies. access-policies.test.ts tests the pack's other policies, and what all of them have in common. */
import { granting, knownAsks } from "../access/policy/allow";
import { dynamicType, pluginToken } from "../provider/configuration/tokens";
import { type InProgram, noViolations, unknownStringValue, violations } from "../test/support/policy-pack";
import { accessPolicies } from "./access-policies";
import type { PolicyName } from "./policy";
import type { RightsLimits } from "./rights-limits";

const policy = (rules: unknown, name: unknown = "ops"): InProgram => ["AclPolicy", String(name), { name, rules }];
const role = (policies: unknown = ["ops"], name: unknown = "dev"): InProgram => ["AclRole", "dev", { name, policies }];
const rule = (more: Record<string, unknown> = {}): InProgram => [
  "AclBindingRule",
  "it",
  { authMethod: "ci", bindType: "role", bindName: "dev", ...more },
];

const report = (name: PolicyName, limits: readonly RightsLimits[] | undefined, program: readonly InProgram[], typeOf = pluginToken) =>
  violations(name, program, limits ? { limits } : {}, typeOf);

/** The violations of one ACL policy at once. */
const found = (name: PolicyName, limit: RightsLimits, rules: unknown) => report(name, [limit], [policy(rules)]).atOnce;
const listed = (allowedCapabilities: readonly string[], rules: string) => found("no-unlisted-capabilities", { allowedCapabilities }, rules);
const foreign = (ownNamespaces: readonly string[], rules: string) => found("no-foreign-variables", { ownNamespaces }, rules);
const wildcard = (rules: string, allowedInAllNamespaces: readonly string[] = []) =>
  found("no-wildcard-namespaces", { allowedInAllNamespaces }, rules);

describe.each([
  ["dynamic resources", dynamicType],
  ["resources of the plugin", pluginToken],
])("of %s", (_, typeOf) => {
  test.each([
    [
      "no-unlisted-capabilities",
      { allowedCapabilities: ["namespace:read", "submit-job"] },
      'namespace "prod" { policy = "read" capabilities = ["submit-job", "alloc-exec"] } node { policy = "write" }',
      'ACL policy "ops": rules allow alloc-exec in the namespace "prod"; node:write: allowedCapabilities of the policy pack does not list that. ' +
        "Take it out of the policy, or add it there.",
    ],
    [
      "no-foreign-variables",
      { ownNamespaces: ["web"] },
      'namespace "prod" { variables { path "db/*" { capabilities = ["read"] } } }',
      'ACL policy "ops": rules allow variables:read of the path "db/*" in the namespace "prod": ownNamespaces of the policy pack does not list the namespace. ' +
        "Take the path out of the policy, or add the namespace there.",
    ],
    [
      "no-wildcard-namespaces",
      {},
      'namespace "*" { capabilities = ["submit-job"] }',
      'ACL policy "ops": rules allow submit-job in the namespace "*": that means all namespaces, including later ones. ' +
        "Name the namespaces, or add the capability to allowedInAllNamespaces of the policy pack.",
    ],
  ] as const)("%s reports an ACL policy at once, and for logins the rule that gives it", (name, limit, rules, message) => {
    expect(report(name, [limit], [policy(rules)], typeOf)).toEqual({ atOnce: [message], atEnd: [] });
    const byRule = message.replace(
      'ACL policy "ops": rules allow',
      'ACL binding rule "it": bindName gives the role "dev" with the policy "ops", by which logins of "ci" get',
    );
    const ofCi = [{ ...limit, loginsOf: ["ci"] }];
    expect(report(name, ofCi, [policy(rules), role(), rule()], typeOf)).toEqual({ atOnce: [byRule], atEnd: [] });
    expect(report(name, ofCi, [rule(), role(), policy(rules)], typeOf)).toEqual({ atOnce: [], atEnd: [`it: ${byRule}`] });
    expect(report(name, ofCi, [policy(rules), role(), rule({ authMethod: "sso" })], typeOf)).toEqual(noViolations);
  });
});

describe("a limit on logins of a method", () => {
  const wide = policy('namespace "*" { policy = "read" }');
  const ofCi = (...program: InProgram[]) => report("no-wildcard-namespaces", [{ loginsOf: ["ci"] }], [wide, ...program]);

  test("covers policies of rules: through roles, directly, and by computed names", () => {
    const byItself = 'ACL binding rule "it": bindName gives the policy "ops", by which logins of "ci" get ';
    expect(ofCi(rule({ bindType: "policy", bindName: "ops" })).atOnce).toEqual([expect.stringContaining(byItself)]);
    const computed = "o$" + "{value.team}";
    expect(ofCi(rule({ bindType: "policy", bindName: computed })).atOnce).toEqual([expect.stringContaining(byItself)]);
    expect(ofCi(rule({ bindType: "policy", bindName: `x${computed}` }))).toEqual(noViolations);
    expect(ofCi(role(["other"]), rule())).toEqual(noViolations);
    expect(ofCi(role(), rule({ bindName: "other" }))).toEqual(noViolations);
    expect(ofCi(role())).toEqual(noViolations);
  });

  test.each([
    ["no-wildcard-namespaces", {}],
    ["no-unlisted-capabilities", { allowedCapabilities: [] }],
    ["no-foreign-variables", { ownNamespaces: [] }],
  ] as const)("covers management, which %s would have to allow", (name, limit) => {
    const management = rule({ bindType: "management", bindName: undefined });
    const wrong = 'ACL binding rule "it": bindType gives management to logins of "ci", to which limits of the policy pack apply. ';
    expect(report(name, [{ loginsOf: ["ci"], ...limit }], [management]).atOnce).toEqual([expect.stringContaining(wrong)]);
    expect(report(name, [{ loginsOf: ["sso"], ...limit }], [management])).toEqual(noViolations);
    if (name !== "no-wildcard-namespaces") expect(report(name, [{ loginsOf: ["ci"] }], [management])).toEqual(noViolations);
  });

  test("reports only policies that are known before the update", () => {
    expect(ofCi(role(unknownStringValue), rule())).toEqual(noViolations);
    expect(ofCi(role(["ops", unknownStringValue]), rule()).atOnce).toHaveLength(1);
    expect(ofCi(role(["ops"], unknownStringValue), rule())).toEqual(noViolations);
    for (const property of ["authMethod", "bindType", "bindName"])
      expect(ofCi(role(), rule({ [property]: unknownStringValue }))).toEqual(noViolations);
    expect(report("no-wildcard-namespaces", [{ loginsOf: ["ci"] }], [policy(wide[2].rules, unknownStringValue), role(), rule()])).toEqual(
      noViolations,
    );
  });
});

test("rules that are unknown in a preview, or allow nothing, are no violation", () => {
  for (const name of ["no-unlisted-capabilities", "no-foreign-variables", "no-wildcard-namespaces"] as const) {
    const limit = { allowedCapabilities: [], ownNamespaces: [] };
    for (const rules of [unknownStringValue, undefined, "", 'namespace "*" { policy = "deny" } plugin { policy = "write" }']) {
      expect(found(name, limit, rules)).toEqual([]);
    }
  }
});

describe("no-unlisted-capabilities", () => {
  const rulesFor = (ask: string) => {
    const [kind = "", action = ""] = ask.split(":");
    if (!ask.includes(":")) return `namespace "a" { capabilities = ["${ask}"] }`;
    if (kind === "variables") return `namespace "a" { variables { path "p" { capabilities = ["${action}"] } } }`;
    if (kind === "node_pool" || kind === "host_volume") return `${kind} "a" { capabilities = ["${action}"] }`;
    if (ask === "plugin:list-csi") return 'plugin { policy = "list" }';
    const isLevel = action === "read" || action === "write";
    return isLevel ? `${kind} { policy = "${action}" }` : `${kind} { capabilities = ["${action}"] }`;
  };

  test("reports every capability by its name, and accepts a list with it", () => {
    for (const ask of knownAsks.filter((one) => !["management", "namespace:read"].includes(one))) {
      expect(listed([], rulesFor(ask))).toEqual([expect.stringMatching(new RegExp(`rules allow ${ask}( |:)`))]);
      expect(listed([ask], rulesFor(ask))).toEqual([]);
    }
  });

  test("expands shorthands, and accepts capabilities that another one implies", () => {
    for (const level of ["read", "write", "scale"]) {
      expect(listed([`namespace:${level}`], `namespace "a" { policy = "${level}" }`)).toEqual([]);
    }
    expect(listed(["submit-job"], 'namespace "a" { capabilities = ["register-job", "scale-job"] }')).toEqual([]);
    expect(listed(["operator:write"], 'operator { policy = "read" capabilities = ["snapshot-save"] }')).toEqual([]);
    expect(listed(["operator:read"], 'operator { policy = "write" }')[0]).toContain("rules allow operator:write: ");
    expect(listed(["namespace:read"], 'namespace "a" { policy = "scale" }')[0]).toContain(
      "rules allow scale-job, submit-recommendation in",
    );
  });

  test("counts volumes that need another policy's permission to read plugins", () => {
    expect(listed(["plugin:read"], 'namespace "a" { capabilities = ["csi-write-volume"] }')[0]).toContain(
      "rules allow csi-write-volume in",
    );
  });

  test("reports undecidable parts with the reason", () => {
    const all = knownAsks.filter((ask) => ask !== "management");
    const update = "Correct it, or update pulumi-agentpool-acl in the policy pack, if servers know it.";
    expect(listed([], 'namespace "a" {\n  capabilities = ["read-job", "fly"]\n}')).toEqual([
      expect.stringContaining('rules allow read-job in the namespace "a": '),
      `ACL policy "ops": rules allow something undecidable: line 2: namespace "a": the capability "fly" is not known. ${update}`,
    ]);
    const undecided = [expect.stringContaining("rules allow something undecidable: line 1: ")];
    for (const word of [
      'namespace "a" { capabilities = ["fly"] }',
      'operator { capabilities = ["fly"] }',
      'agent { policy = "read" } garden {}',
    ]) {
      expect(listed(all, word)).toEqual(undecided);
    }
    expect(listed([], 'node { policy = "fly" }')).toEqual([expect.stringContaining("something undecidable: line 1: node: the policy")]);
    expect(listed(all, "garden {}")).toEqual(undecided);
  });
});

describe("no-foreign-variables", () => {
  const variables = (namespace: string, ...capabilities: string[]) =>
    `namespace "${namespace}" { policy = "write" variables { path "*" { capabilities = ${JSON.stringify(capabilities)} } } }`;

  test("accepts own namespaces, and patterns within them", () => {
    for (const namespace of ["web", "team-a", "team-*", "team-*-dev"]) {
      expect(foreign(["web", "team-*"], variables(namespace, ...granting("path")))).toEqual([]);
    }
    for (const namespace of ["web2", "*", "team*", "*-a"]) {
      expect(foreign(["web", "team-*"], variables(namespace, "list"))).toEqual([
        expect.stringContaining(`rules allow variables:list of the path "*" in the namespace "${namespace}": `),
      ]);
    }
  });

  test("accepts rules of other namespaces that allow no variables, and reports undecidable ones", () => {
    expect(foreign([], variables("web", "deny"))).toEqual([]);
    expect(foreign([], 'namespace "web" { policy = "write" } node_pool "*" { policy = "write" }')).toEqual([]);
    expect(foreign([], variables("web", "fly"))).toEqual([
      expect.stringContaining('something undecidable: line 1: path "*" of namespace "web": '),
    ]);
  });
});

describe("no-wildcard-namespaces", () => {
  test("reports capabilities and variables of all namespaces, but not of single ones", () => {
    const narrow = 'namespace "prod" { policy = "write" } node { policy = "write" }';
    expect(wildcard(`namespace "*" { policy = "deny" } ${narrow}`)).toEqual([]);
    expect(wildcard(`namespace "*" { capabilities = ["list-jobs"] } ${narrow}`)[0]).toContain(
      'rules allow list-jobs in the namespace "*": ',
    );
    expect(wildcard('namespace "*" { variables { path "*" { capabilities = ["list"] } } }')).toHaveLength(1);
    expect(wildcard('namespace "**" { policy = "read" }')).toHaveLength(1);
    expect(wildcard('namespace "team-*" { policy = "write" } node_pool "*" { policy = "write" } node { policy = "write" }')).toEqual([]);
  });

  test("accepts the capabilities that the pack allows there, and applies if limits is left out, but not if it is empty", () => {
    expect(wildcard('namespace "*" { policy = "read" }', ["namespace:read"])).toEqual([]);
    expect(wildcard('namespace "*" { policy = "scale" }', ["namespace:read"])[0]).toContain(
      "rules allow scale-job, submit-recommendation in",
    );
    expect(report("no-wildcard-namespaces", undefined, [policy('namespace "*" { policy = "read" }')]).atOnce).toHaveLength(1);
    expect(report("no-wildcard-namespaces", [], [policy('namespace "*" { policy = "read" }')])).toEqual(noViolations);
  });
});

test("options without a meaning are errors", () => {
  const made = (limit: RightsLimits) => () => accessPolicies({ limits: [limit] });
  expect(made({ allowedCapabilities: ["submit-jobs"] })).toThrow(
    'accessPolicies: allowedCapabilities has "submit-jobs", which is unknown. Did you mean submit-job?',
  );
  expect(made({ allowedInAllNamespaces: ["management"] })).toThrow(
    'accessPolicies: allowedInAllNamespaces has "management", which is unknown. It has names like submit-job, variables:read and namespace:read.',
  );
  expect(made({ ownNamespaces: ['a" {}'] })).toThrow(/^accessPolicies: ownNamespaces has "a\\" {}": /);
  expect(made({ loginsOf: [] })).toThrow(/^accessPolicies: loginsOf of limits is empty: /);
  expect(made(JSON.parse('{ "allowedCapabilites": [] }'))).toThrow(
    "accessPolicies: there is no option allowedCapabilites. Did you mean allowedCapabilities?",
  );
  expect(made(JSON.parse('{ "namespaces": ["a"] }'))).toThrow(
    "accessPolicies: there is no option namespaces. The options are loginsOf, allowedCapabilities, ownNamespaces, allowedInAllNamespaces.",
  );
});
