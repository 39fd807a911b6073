// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import type { Policies } from "@pulumi/policy";
import { dynamicType, pluginToken } from "../provider/configuration/tokens";
import { resources } from "../provider/resources";
import { type InProgram, noViolations, unknownStringValue, violations } from "../test/support/policy-pack";
import { accessPolicies } from "./access-policies";
import type { PolicyName } from "./policy";

const config = { oidcDiscoveryUrl: "https://login.test", claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } };
const method = (more: Record<string, unknown> = {}): InProgram => [
  "AclAuthMethod",
  "sso",
  { name: "sso", maxTokenTtl: "8h", config, ...more },
];
const role = (name: unknown = "dev"): InProgram => ["AclRole", "dev", { name }];
const rule = (more: Record<string, unknown> = {}, provider = "default"): InProgram => [
  "AclBindingRule",
  "it",
  { authMethod: "sso", selector: "ops in list.groups", bindType: "role", bindName: "dev", ...more },
  provider,
];
const token = (more: Record<string, unknown> = {}): InProgram => ["AclToken", "ci", { type: "client", policies: ["read"], ...more }];

describe.each([
  ["dynamic resources", dynamicType],
  ["resources of the plugin", pluginToken],
])("of %s", (_, typeOf) => {
  const report = (policy: PolicyName, ...program: InProgram[]) => violations(policy, program, {}, typeOf);

  test.each([
    [
      "no-management-for-everyone",
      rule({ bindType: "management", bindName: undefined, selector: "" }),
      'ACL binding rule "it": selector is empty, so everyone who logs in with "sso" gets management. Write a selector that only administrators match.',
    ],
    [
      "no-management-for-everyone",
      rule({ bindType: "management", bindName: undefined, selector: "contractors not in list.group" }),
      'ACL binding rule "it": selector matches every login, because the method does not map the claims in it: everyone who logs in with "sso" gets management. ' +
        "Write a selector that only administrators match.",
    ],
    [
      "no-unmapped-claims",
      rule({ selector: "value.tean == ops" }),
      'ACL binding rule "it": selector looks at value.tean, which the method does not map: the selector matches no login, and the rule gives nothing. Did you mean value.team?',
    ],
    [
      "no-unmapped-claims",
      rule({ bindName: "team-${value.tean}" }),
      'ACL binding rule "it": bindName interpolates value.tean, which the method does not map to a value: every login that the selector matches fails as a whole, ' +
        "whatever other rules give it. Did you mean value.team?",
    ],
  ] as const)("%s reports a rule at once if it has seen its method before", (policy, wrong, message) => {
    expect(report(policy, method(), role(), wrong)).toEqual({ atOnce: [message], atEnd: [] });
    if (policy === "no-unmapped-claims") {
      expect(report(policy, wrong, method(), role())).toEqual({ atOnce: [], atEnd: [`it: ${message}`] });
    }
    expect(report(policy, method(), role(), rule())).toEqual(noViolations);
  });

  test("no-management-tokens reports a management token at once", () => {
    const message = 'ACL token "ci": type is "management", so the token may do everything. Give type "client" with policies or roles.';
    expect(report("no-management-tokens", token({ type: "management" }))).toEqual({ atOnce: [message], atEnd: [] });
    expect(report("no-management-tokens", token())).toEqual(noViolations);
  });

  test("a role and a method outside of the program are reported at the end, with similar names", () => {
    expect(report("no-unknown-roles", rule({ bindName: "dew" }), method(), role())).toEqual({
      atOnce: [],
      atEnd: [
        'it: ACL binding rule "it": bindName gives the role "dew", which this program does not declare. Did you mean "dev"? If it is declared elsewhere, add it to knownRoles of the policy pack. ' +
          "A role that does not exist gives nothing.",
      ],
    });
    expect(report("no-unknown-methods", rule({ authMethod: "elsewhere" }), method(), role())).toEqual({
      atOnce: [],
      atEnd: [
        'it: ACL binding rule "it": authMethod is "elsewhere", which this program does not declare. If it is declared elsewhere, add it to knownMethods of the policy pack.',
      ],
    });
    for (const policy of ["no-unknown-roles", "no-unknown-methods"] as const)
      expect(report(policy, rule(), method(), role())).toEqual(noViolations);
  });
});

test("no-management-for-everyone finds a selector that matches every login by its comparisons, also without the method", () => {
  const all = { bindType: "management", bindName: undefined, selector: "value.team == a or value.team != a" };
  const found = (...program: InProgram[]) => violations("no-management-for-everyone", program).atOnce;
  const why = [
    expect.stringContaining('selector matches every login, whatever its claims are: everyone who logs in with "sso" gets management.'),
  ];
  expect(found(method(), rule(all))).toEqual(why);
  expect(found(rule(all))).toEqual(why);
  expect(found(method(), rule({ ...all, selector: "value.team != a or value.team != b" }))).toEqual(why);
  expect(found(method(), rule({ ...all, selector: "value.team == a or value.team == b" }))).toEqual([]);
});

test("a grant by a later role is reported at the end, without the earlier reports", () => {
  const computed = rule({ selector: "", bindName: "${value.team}" });
  const admin = (name: string): InProgram => ["AclPolicy", name, { name, rules: 'operator { policy = "write" }' }];
  const having = (name: string, policies: string[]): InProgram => ["AclRole", name, { name, policies }];
  const { atOnce, atEnd } = violations("no-management-for-everyone", [admin("a"), having("one", ["a"]), computed, having("two", ["a"])]);
  expect(atOnce).toEqual([expect.stringContaining('with "sso", and whose claims turn ${value.team} into that name, gets the role "one"')]);
  expect(atEnd).toEqual([expect.stringContaining('the role "two"')]);
});

describe("no-unbound-tenants", () => {
  const ci = (more: Record<string, unknown> = {}) =>
    method({
      type: "JWT",
      config: {
        jwksUrl: "https://gitlab.com/oauth/discovery/keys",
        boundIssuer: ["https://gitlab.com"],
        claimMappings: { ref: "branch", project_id: "project" },
        ...more,
      },
    });
  const onMain = rule({ selector: "value.branch == main" });
  const ofOurs = rule({ selector: 'value.branch == main and value.project == "4711"' });
  const found = (...program: InProgram[]) => violations("no-unbound-tenants", program);

  test("reports a method on shared keys without an issuer, and a rule without a check of the customer, in both orders", () => {
    const [methodWrong, ruleWrong] = [
      'ACL auth method "sso": config.jwksUrl has keys of gitlab.com, which sign the tokens of all its customers, and config.boundIssuer is not given: ' +
        'who issued a token is not checked. Give config.boundIssuer, such as ["https://gitlab.com"]. ' +
        "All customers have that issuer, so every rule must ask for one of them, too, such as by project_id.",
      'ACL binding rule "it": selector does not identify the customer: gitlab.com signs the tokens of all its customers, and each of them can make a token that matches. ' +
        'Compare it with yours: `value.project == "..."`, joined by `and`.',
    ];
    expect(found(ci({ boundIssuer: undefined }), onMain)).toEqual({ atOnce: [methodWrong, ruleWrong], atEnd: [] });
    expect(found(onMain, ci())).toEqual({ atOnce: [], atEnd: [`it: ${ruleWrong}`] });
    expect(found(ci(), ofOurs)).toEqual(noViolations);
  });

  test("reports nothing for values that are unknown before the update", () => {
    expect(found(ci({ boundIssuer: unknownStringValue }), ofOurs)).toEqual(noViolations);
    expect(found(ci({ boundIssuer: [unknownStringValue] }), onMain)).toEqual(noViolations);
    expect(found(ci({ jwksUrl: unknownStringValue }), onMain)).toEqual(noViolations);
    expect(found(ci({ claimMappings: { ref: unknownStringValue } }), onMain)).toEqual(noViolations);
    expect(found(ci(), rule({ selector: unknownStringValue }))).toEqual(noViolations);
  });
});

describe("a permission that equals management", () => {
  const admin = 'operator { capabilities = ["snapshot-save"] }';
  const policy = (name: string, rules: unknown, more: Record<string, unknown> = {}): InProgram => [
    "AclPolicy",
    name,
    { name, rules, ...more },
  ];
  const having = (name: unknown, policies: unknown): InProgram => ["AclRole", `role ${String(name)}`, { name, policies }];
  const adm = policy("adm", admin);
  const everyone = (more: Record<string, unknown> = {}) => rule({ selector: "", ...more });
  const ofRules = (...program: InProgram[]) => violations("no-management-for-everyone", program);
  const ofTokens = (...program: InProgram[]) => violations("no-management-tokens", program);
  const equal = "whose rules allow operator:snapshot-save, which equals management";

  test("may not be given to everyone by a role or a policy, in any order", () => {
    const start = 'ACL binding rule "it": selector is empty, so everyone who logs in with "sso" gets';
    const end = `, ${equal}. Write a selector that only administrators match.`;
    const role = having("dev", ["read", "adm"]);
    const byRole = `${start} the role "dev" with "adm"${end}`;
    expect(ofRules(method(), adm, role, everyone())).toEqual({ atOnce: [byRole], atEnd: [] });
    expect(ofRules(everyone(), method(), role, adm)).toEqual({ atOnce: [], atEnd: [`it: ${byRole}`] });
    expect(ofRules(adm, everyone({ bindType: "policy", bindName: "adm" })).atOnce).toEqual([`${start} the policy "adm"${end}`]);
    expect(ofRules(method(), adm, role, rule({ selector: "contractors not in list.group" })).atOnce).toEqual([
      expect.stringContaining("selector matches every login"),
    ]);
    // For some logins only, or with another policy that takes it away.
    expect(ofRules(method(), adm, role, rule())).toEqual(noViolations);
    const deny = policy("deny", 'operator { policy = "deny" }');
    expect(ofRules(method(), adm, deny, having("dev", ["deny", "adm"]), everyone())).toEqual(noViolations);
  });

  test("may not be in the policy that everybody has without a token", () => {
    const told =
      'ACL policy "anonymous": rules allow operator:snapshot-save, which equals management, and everybody has the policy "anonymous", without a token. Take that out of it.';
    expect(ofRules(policy("anonymous", admin))).toEqual({ atOnce: [told], atEnd: [] });
    expect(ofRules(adm, policy("anonymous", 'node { policy = "read" }'))).toEqual(noViolations);
  });

  test("may not be given to a token of the type client, by policies or by roles", () => {
    const told = `ACL token "ci": policies and roles give "adm", ${equal}, so the token may do everything. Give it some that allow less.`;
    expect(ofTokens(adm, token({ policies: ["adm"] }))).toEqual({ atOnce: [told], atEnd: [] });
    expect(ofTokens(token({ policies: [], roles: ["dev"] }), having("dev", ["adm"]), adm)).toEqual({ atOnce: [], atEnd: [`ci: ${told}`] });
    expect(ofTokens(adm, token())).toEqual(noViolations);
  });

  test("may not be kept from a token by a role alone, which it loses when others make that role anew", () => {
    const deny = policy("deny", 'operator { policy = "deny" }');
    const told = `ACL token "ci": policies and roles give "adm", ${equal}, so the token may do everything if it loses a role that denies this. Give it some that allow less.`;
    const limits = having("limits", ["deny"]);
    const ofRole = token({ policies: ["adm"], roles: ["limits"] });
    expect(ofTokens(adm, deny, limits, ofRole)).toEqual({ atOnce: [told], atEnd: [] });
    const both = token({ policies: [], roles: ["dev", "limits"] });
    expect(ofTokens(adm, deny, limits, having("dev", ["adm"]), both)).toEqual({ atOnce: [told], atEnd: [] });
    expect(ofTokens(adm, deny, token({ policies: ["adm", "deny"], roles: [] }))).toEqual(noViolations);
  });

  test("may not be given to a job that others may submit", () => {
    const deploy = policy("deploy", 'namespace "prod" { capabilities = ["submit-job"] }');
    const job = (jobAcl: unknown) => policy("of-job", 'operator { policy = "write" }', { jobAcl });
    const [byJob] = ofTokens(deploy, job({ namespace: "prod", jobId: "backup" }), token({ policies: ["deploy"] })).atOnce;
    expect(byJob).toContain('whose rules allow submitting a job whose policy "of-job" allows operator:write, which equals management');
    expect(ofTokens(deploy, job({ namespace: "dev" }), token({ policies: ["deploy"] }))).toEqual(noViolations);
    expect(ofTokens(deploy, job({ namespace: "prod", jobId: unknownStringValue }), token({ policies: ["deploy"] }))).toEqual(noViolations);
  });

  test("is no violation if it is unknown before the update", () => {
    const hidden = [policy("adm", unknownStringValue), policy(unknownStringValue, admin), having("dev", unknownStringValue)];
    expect(ofRules(method(), ...hidden, everyone())).toEqual(noViolations);
    expect(ofTokens(...hidden, token({ policies: ["adm", unknownStringValue], roles: unknownStringValue }))).toEqual(noViolations);
    expect(ofTokens(adm, token({ type: unknownStringValue, policies: ["adm"] }))).toEqual(noViolations);
  });
});

test("the kinds that the policies look at exist, and a resource of another package is no violation", () => {
  const kinds = resources.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["AclAuthMethod", "AclRole", "AclBindingRule", "AclToken"]));
  const foreign: InProgram = ["aws:s3/bucket:Bucket", "b", { bindType: "management", selector: "" }];
  expect(violations("no-management-for-everyone", [foreign], {}, (kind) => kind)).toEqual(noViolations);
});

test("roles and methods in the pack's options are known, and so are resources outside of --target, which come only at the end", () => {
  const elsewhere = rule({ authMethod: "ci", bindName: "auditors" });
  const options = { knownRoles: ["auditors"], knownMethods: ["ci"] };
  expect(violations("no-unknown-roles", [elsewhere], options)).toEqual(noViolations);
  expect(violations("no-unknown-methods", [elsewhere], options)).toEqual(noViolations);
  const [policy] = accessPolicies().filter(({ name }) => name === "no-unknown-roles");
  const found: string[] = [];
  const known = (kind: string, props: Record<string, unknown>) => ({ type: pluginToken(kind), urn: kind, name: kind, props });
  policy?.validateResource(known("AclBindingRule", rule()[2]), (message) => found.push(message));
  policy?.validateStack({ resources: [known("AclRole", { name: "dev" })] }, (message) => found.push(message));
  expect(found).toEqual([]);
});

test("a computed role is a violation only if no role fits its name", () => {
  const computed = rule({ bindName: "team-${value.team}" });
  expect(violations("no-unknown-roles", [method(), computed, role("team-ops")])).toEqual(noViolations);
  expect(violations("no-unknown-roles", [method(), computed, role("dev")]).atEnd).toEqual([expect.stringContaining("team-${value.team}")]);
  const invalid = rule({ bindName: "team_${value.team}" });
  expect(violations("no-unknown-roles", [method(), invalid, role("team-ops")]).atEnd).toEqual([
    expect.stringContaining("team_${value.team}"),
  ]);
});

describe("a name that servers ignore within a block changes nothing", () => {
  const report = (name: PolicyName, ...program: InProgram[]) => violations(name, program).atOnce;
  const of = (name: string, rules: string, jobAcl?: object): InProgram => ["AclPolicy", name, { name, rules, jobAcl }];
  const manages = [expect.stringMatching(/ allow operator:(write|snapshot-save), which equals management, and /)];

  test.each([
    'operator { policy = "write" owner = "ops-team" }',
    'Operator { capabilities = ["snapshot-save"] note = "x" }',
    '{"\\u006fperator": {"policy": "write", "_comment": "x"}}',
  ])("of %s, which equals management", (rules) => {
    expect(report("no-management-for-everyone", of("anonymous", rules))).toEqual(manages);
    expect(report("no-management-tokens", of("read", rules), token())).toEqual([expect.stringContaining("which equals management")]);
  });

  test.each(['namespace "operator" { policy = "read" description = "x" }', 'operator { policy = "read" owner = "x" }'])(
    "of %s, which does not",
    (rules) => {
      expect(report("no-management-for-everyone", of("anonymous", rules))).toEqual([]);
    },
  );

  test("of a policy by which a token may submit a job that equals management", () => {
    const jobs = [
      of("first", 'node { policy = "read" note = "x" }', { namespace: "default" }),
      of("of-job", 'operator { policy = "write" }', { namespace: "default" }),
    ];
    const submits = of("read", 'namespace "default" { policy = "write" description = "deployments" }');
    expect(report("no-management-tokens", ...jobs, submits, token())).toEqual([
      expect.stringContaining('submitting a job whose policy "of-job" allows operator:write, which equals management'),
    ]);
  });
});

test.each([
  ["no-management-for-everyone", rule({ bindType: "management", selector: unknownStringValue })],
  ["no-management-for-everyone", rule({ bindType: unknownStringValue, selector: "" })],
  ["no-management-tokens", token({ type: unknownStringValue })],
  ["no-unmapped-claims", rule({ selector: unknownStringValue, bindName: unknownStringValue })],
  ["no-unmapped-claims", rule({ authMethod: unknownStringValue, selector: "value.tean == ops" })],
  ["no-unknown-roles", rule({ bindName: unknownStringValue })],
  ["no-unknown-methods", rule({ authMethod: unknownStringValue })],
  ["no-plain-http-identity-providers", method({ config: { oidcDiscoveryUrl: unknownStringValue } })],
  ["no-plain-http-identity-providers", method({ config: unknownStringValue })],
  ["max-token-ttl", method({ maxTokenTtl: unknownStringValue })],
] as const)("%s finds nothing in unknown values of a preview", (policy, declared) => {
  expect(violations(policy, [method(), role(), declared])).toEqual(noViolations);
});

test("unknown values of a method or a role in a preview are assumed to be right", () => {
  const half = method({ config: { ...config, claimMappings: { team: unknownStringValue } } });
  expect(violations("no-unmapped-claims", [half, role(), rule({ selector: "value.tean == ops" })])).toEqual(noViolations);
  expect(violations("no-unknown-roles", [method(), role(unknownStringValue), rule({ bindName: "x" })])).toEqual(noViolations);
  expect(violations("no-unknown-methods", [method({ name: unknownStringValue }), rule({ authMethod: "x" })])).toEqual(noViolations);
});

test.each([
  ["12h", {}, 0],
  ["12h0m1s", {}, 1],
  ["61m", { maxTokenTtl: "1h" }, 1],
  ["60m", { maxTokenTtl: "1h" }, 0],
])("the maxTokenTtl %s with %j: %i violations", (maxTokenTtl, options, count) => {
  expect(violations("max-token-ttl", [method({ maxTokenTtl })], options).atOnce).toHaveLength(count);
});

test("a name format that breaks every login is a violation", () => {
  expect(violations("no-unmapped-claims", [method({ tokenNameFormat: "${value.tean}" })]).atOnce).toEqual([
    expect.stringMatching(/^ACL auth method "sso": tokenNameFormat interpolates value\.tean/),
  ]);
});

test("@pulumi/policy takes the policies, with names, descriptions and levels", () => {
  const policies: Policies = accessPolicies({ enforcementLevel: "advisory", enforcementLevels: { "max-token-ttl": "disabled" } });
  expect(policies.map(({ name, enforcementLevel }) => `${name} ${enforcementLevel}`)).toEqual([
    "no-management-for-everyone advisory",
    "no-management-tokens advisory",
    "no-unmapped-claims advisory",
    "no-unbound-tenants advisory",
    "no-unknown-roles advisory",
    "no-unknown-methods advisory",
    "no-plain-http-identity-providers advisory",
    "max-token-ttl disabled",
    "no-unlisted-capabilities advisory",
    "no-foreign-variables advisory",
    "no-wildcard-namespaces advisory",
  ]);
  for (const { description } of policies) expect(description).toMatch(/^[A-Z].*\.$/);
  expect(accessPolicies().map(({ enforcementLevel }) => enforcementLevel)).toEqual(Array(policies.length).fill("mandatory"));
});

test("options without a meaning are errors", () => {
  expect(() => accessPolicies({ maxTokenTtl: "a day" })).toThrow('accessPolicies: maxTokenTtl must be a duration like "8h", not "a day".');
  const enforcementLevels = JSON.parse('{ "no-managment": "advisory" }');
  expect(() => accessPolicies({ enforcementLevels })).toThrow(
    /^accessPolicies: enforcementLevels names no-managment, but the policies are no-management-for-everyone, /,
  );
  const strange = { '{ "maxTokenTTL": "1h" }': "there is no option maxTokenTTL. Did you mean maxTokenTtl?" };
  const noList = { '{ "knownRoles": "auditors" }': "knownRoles must be a list.", '{ "limits": {} }': "limits must be a list." };
  const noType = { '{ "allowLoopbackHttp": "false" }': "allowLoopbackHttp must be", '{ "maxTokenTtl": null }': "maxTokenTtl must be" };
  for (const [options, message] of Object.entries({ ...strange, ...noList, ...noType }))
    expect(() => accessPolicies(JSON.parse(options))).toThrow(`accessPolicies: ${message}`);
});
