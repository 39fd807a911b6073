/** What policies are told about resources at the end of a preview or an update, apart from what they were asked before. */
import { pluginToken } from "../provider/configuration/tokens";
import { unknownCheckingProxy, unknownStringValue } from "../test/support/policy-pack";
import { accessPolicies } from "./access-policies";
import type { PolicyName, ResourceArgs } from "./policy";

const held = (kind: string, urn: string, props: Record<string, unknown>): ResourceArgs => {
  return { type: pluginToken(kind), urn, name: urn, props: unknownCheckingProxy(props) };
};
const submit = held("AclPolicy", "submit", { name: "submit", rules: 'namespace "prod" { capabilities = ["submit-job"] }' });
const ci = held("AclToken", "ci", { type: "client", policies: ["submit"] });

/** The violations of a policy that is asked about some resources, and is told others at the end. */
function found(name: PolicyName, asked: readonly ResourceArgs[], atEnd: readonly ResourceArgs[]): string[] {
  const all = accessPolicies();
  const told: string[] = [];
  const report = (of: PolicyName) => (message: string) => void (of === name && told.push(message));
  for (const one of asked) for (const policy of all) policy.validateResource(one, report(policy.name));
  for (const policy of all) policy.validateStack({ resources: atEnd }, report(policy.name));
  return told;
}

describe("with --target, a name", () => {
  const of = (urn: string, rules: string) => held("AclPolicy", urn, { name: "j", rules, jobAcl: { namespace: "prod" } });
  const taker = of("new", 'operator { policy = "write" }');
  const loser = of("old", 'operator { policy = "read" }');
  const foundIn = (updated: readonly ResourceArgs[], outside: readonly ResourceArgs[]) =>
    found("no-management-tokens", updated, [...updated, ...outside]);

  test("means the resource of the update that takes over the object of one outside", () => {
    expect(foundIn([submit, ci, taker], [loser])).toEqual([expect.stringContaining("which equals management")]);
  });

  test("is a violation if two resources outside have it", () => {
    const violation = 'name is also the name of "new", and both are on one cluster';
    expect(foundIn([submit, ci], [taker, loser])).toEqual([expect.stringContaining(violation)]);
  });
});

describe("a new object of a replacement, which does not keep to ignoreChanges,", () => {
  const policy = (rules: unknown, more: Record<string, unknown> = {}) => held("AclPolicy", "p", { name: "adm", rules, ...more });
  const token = (props: Record<string, unknown>) => held("AclToken", "t", { type: "client", policies: ["adm"], ...props });
  const [reads, manages] = ['node { policy = "read" }', 'operator { policy = "write" }'];
  const everywhere = 'namespace "*" { policy = "read" }';
  const equal = [expect.stringContaining("which equals management")];

  test("counts for those who name it", () => {
    expect(found("no-management-tokens", [policy(reads), token({})], [token({}), policy(manages)])).toEqual(equal);
    const job = { jobAcl: { namespace: "prod" } };
    expect(found("no-management-tokens", [submit, policy(reads, job), ci], [ci, policy(manages, job), submit])).toEqual(equal);
  });

  test("is checked itself, with one report for each violation", () => {
    const management = [expect.stringContaining('type is "management"')];
    const managing = token({ type: "management", policies: [] });
    expect(found("no-management-tokens", [token({})], [managing])).toEqual(management);
    expect(found("no-management-tokens", [managing], [managing])).toEqual(management);
    expect(found("no-wildcard-namespaces", [policy(reads)], [policy(everywhere)])).toEqual([
      expect.stringContaining("that means all namespaces"),
    ]);
  });

  test("counts together with others, as a renamed method with a rule without its selector", () => {
    const method = (maxTokenTtl: string) => held("AclAuthMethod", "m", { name: "sso2", maxTokenTtl });
    const rule = (selector: string) => held("AclBindingRule", "r", { authMethod: "sso2", bindType: "policy", bindName: "adm", selector });
    const [asked, atEnd] = [
      [policy(manages), method("1h"), rule("value.team == admin")],
      [rule(""), method("24h"), policy(manages)],
    ];
    expect(found("no-management-for-everyone", asked, atEnd)).toEqual(equal);
    expect(found("max-token-ttl", asked, atEnd)).toEqual([expect.stringContaining("maxTokenTtl is 24h")]);
  });

  test("lacks what the program leaves out of config", () => {
    const method = (more: Record<string, unknown>) =>
      held("AclAuthMethod", "m", { name: "ci", type: "JWT", config: { jwksUrl: "https://gitlab.com/oauth/discovery/keys", ...more } });
    expect(found("no-unbound-tenants", [method({ boundIssuer: ["https://gitlab.com"] })], [method({})])).toEqual([
      expect.stringContaining("config.boundIssuer is not given"),
    ]);
  });

  test("has the values of before if a preview lacks them", () => {
    for (const inPreview of [held("AclPolicy", "p", {}), policy(unknownStringValue)])
      expect(found("no-management-tokens", [token({}), policy(manages)], [token({}), inPreview])).toEqual(equal);
  });
});
