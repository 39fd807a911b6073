/** Which resources of a program the policy pack takes for objects of one cluster. */
import { type InProgram, noViolations, unknownStringValue, violations } from "../test/support/policy-pack";

const config = { oidcDiscoveryUrl: "https://login.test", claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } };
const method = (): InProgram => ["AclAuthMethod", "sso", { name: "sso", maxTokenTtl: "8h", config }];
const role = (): InProgram => ["AclRole", "dev", { name: "dev" }];
const rule = (more: Record<string, unknown> = {}, provider = "default"): InProgram => [
  "AclBindingRule",
  "it",
  { authMethod: "sso", selector: "ops in list.groups", bindType: "role", bindName: "dev", ...more },
  provider,
];

test("objects of another cluster do not count", () => {
  const on = ([kind, name, props]: InProgram, cluster: string): InProgram => {
    return [kind, name, props, `urn:pulumi:dev::access::pulumi:providers:agentpool-acl::${cluster}`, `https://${cluster}.test:4646`];
  };
  const program = [on(method(), "east"), on(role(), "east"), on(rule({ selector: "value.tean == ops" }), "west")];
  expect(violations("no-unmapped-claims", program)).toEqual(noViolations);
  expect(violations("no-unknown-roles", program).atEnd).toHaveLength(1);
});

test("dynamic resources may be on the cluster of any provider", () => {
  const urn = (name: string) => `urn:pulumi:dev::access::pulumi:providers:${name}`;
  const [dynamic, plugin, east] = ["pulumi-nodejs::default", "agentpool-acl::default_0_3_0", "agentpool-acl::east"].map(urn);
  const adm: InProgram = ["AclPolicy", "adm", { name: "adm", rules: 'operator { policy = "write" }' }, dynamic];
  const ofToken = (provider: string | undefined): InProgram => [
    "AclToken",
    "ci",
    { type: "client", policies: ["adm"] },
    provider,
    "https://east.test:4646",
  ];
  const other: InProgram = ["AclRole", "dev", { name: "dev" }, east, "https://east.test:4646"];
  for (const program of [
    [adm, ofToken(east)],
    [adm, other, ofToken(plugin)],
    [other, adm, ofToken(plugin)],
  ])
    expect(violations("no-management-tokens", program).atOnce).toEqual([expect.stringContaining("which equals management")]);
  expect(violations("no-management-tokens", [ofToken(east), adm]).atEnd).toEqual([expect.stringContaining("which equals management")]);
});

test("an object of a provider and a dynamic one of the same name are a violation of each policy that asks for their name", () => {
  const urn = (name: string) => `urn:pulumi:dev::access::pulumi:providers:${name}`;
  const ofPlugin = ([kind, name, props]: InProgram, cluster = "east"): InProgram => {
    return [kind, name, props, urn(`agentpool-acl::${cluster}`), `https://${cluster}.test:4646`];
  };
  const dynamic = ([kind, name, props]: InProgram): InProgram => [kind, `old-${name}`, props, urn("pulumi-nodejs::default")];
  const said = /"(old-)?sso": name is also the name of "(old-)?sso", .* Declare both with the plugin/;
  for (const program of [
    [ofPlugin(method()), dynamic(method())],
    [dynamic(method()), ofPlugin(method())],
    [dynamic(method()), ofPlugin(method(), "west"), dynamic(role())],
  ]) {
    for (const policy of ["no-management-for-everyone", "no-unmapped-claims", "no-unbound-tenants"] as const)
      expect(violations(policy, program)).toEqual({ atOnce: [expect.stringMatching(said)], atEnd: [] });
    expect(violations("no-management-tokens", program)).toEqual(noViolations);
  }
  const alone = [ofPlugin(method()), ofPlugin(["AclAuthMethod", "west", method()[2]], "west"), dynamic(role())];
  expect(violations("no-unmapped-claims", alone)).toEqual(noViolations);
});

test("two objects of one cluster with one name are a violation of each policy that asks for their name", () => {
  const [plugin, dynamic] = ["agentpool-acl::", "pulumi-nodejs::"].map((name) => `urn:pulumi:dev::access::pulumi:providers:${name}`);
  const of = (kind: string, resource: string, name: unknown, provider: string, host: string): InProgram => {
    return [kind, resource, { name }, provider, `https://${host}.test:4646`];
  };
  const [said, remedy] = ['ACL role "b": name is also the name of "a", and both are on one cluster, so', "`pulumi state delete`"];
  const ofRoles = (...names: [string, string, string, string]) => {
    const [one, other, oneHost, otherHost] = names;
    return [of("AclRole", "a", "dev", one, oneHost), of("AclRole", "b", "dev", other, otherHost)];
  };
  for (const program of [
    ofRoles(`${plugin}east`, `${plugin}west`, "nomad", "NOMAD"),
    ofRoles(`${plugin}east`, `${plugin}east`, "nomad", "nomad"),
    ofRoles(`${dynamic}default`, `${dynamic}default`, "nomad", "nomad"),
  ]) {
    for (const policy of ["no-management-for-everyone", "no-management-tokens"] as const) {
      const { atOnce, atEnd } = violations(policy, program);
      expect([...atOnce, ...atEnd]).toEqual([expect.stringMatching(`^${said}.*${remedy}\\.$`)]);
    }
    expect(violations("no-unmapped-claims", program)).toEqual(noViolations);
  }
  for (const program of [
    ofRoles(`${plugin}east`, `${plugin}west`, "east", "west"),
    [of("AclRole", "a", "dev", `${plugin}east`, "nomad"), of("AclPolicy", "b", "dev", `${plugin}west`, "nomad")],
    [of("AclRole", "a", unknownStringValue, `${plugin}east`, "nomad"), of("AclRole", "b", unknownStringValue, `${plugin}west`, "nomad")],
  ])
    expect(violations("no-management-tokens", program)).toEqual(noViolations);
});

test("objects of default providers, or of providers with one address, are of one cluster", () => {
  const urn = (name: string) => `urn:pulumi:dev::access::pulumi:providers:${name}`;
  const [dynamic, old, plugin] = ["pulumi-nodejs::default", "agentpool-acl::default_0_2_0", "agentpool-acl::default_0_3_0"].map(urn);
  const program: InProgram[] = [
    ["AclPolicy", "adm", { name: "adm", rules: 'operator { policy = "write" }' }, old],
    ["AclRole", "dev", { name: "dev", policies: ["adm"] }, dynamic],
    ["AclAuthMethod", "sso", method()[2], dynamic],
    rule({ selector: "" }, plugin),
  ];
  expect(violations("no-management-for-everyone", program).atOnce).toEqual([expect.stringContaining("which equals management")]);
  expect(violations("no-unknown-roles", program)).toEqual(noViolations);
  const at = (...addresses: string[]) =>
    program.map(([kind, name, props], index): InProgram => {
      return [kind, name, props, urn(`agentpool-acl::cluster${index}`), addresses[index % addresses.length]];
    });
  const same = at("https://nomad.test:4646", "https://NOMAD.test:4646//v1/");
  expect(violations("no-management-for-everyone", same).atOnce).toEqual([expect.stringContaining("which equals management")]);
  // The URN of a provider in a component has the types of both.
  const inComponent = at("https://nomad.test:4646").map(([kind, name, props, , address], index): InProgram => {
    return [kind, name, props, `urn:pulumi:dev::access::my:index:Team$pulumi:providers:agentpool-acl::cluster${index}`, address];
  });
  expect(violations("no-management-for-everyone", inComponent).atOnce).toEqual([expect.stringContaining("which equals management")]);
  // Providers without an address have the one of the environment.
  const [west, regular] = [urn("agentpool-acl::west"), urn("agentpool-acl::default_0_3_0")];
  process.env.NOMAD_ADDR = "https://nomad.test:4646";
  try {
    for (const address of [undefined, ""]) {
      const unaddressed = program.map(([kind, name, props], index): InProgram => {
        return index % 2 ? [kind, name, props, west, address] : [kind, name, props, regular];
      });
      expect(violations("no-management-for-everyone", unaddressed).atOnce).toEqual([expect.stringContaining("which equals management")]);
    }
  } finally {
    delete process.env.NOMAD_ADDR;
  }
  const named = program.map(
    ([kind, name, props], index): InProgram => [kind, name, props, urn(`agentpool-acl::default_2_west${index}`), unknownStringValue],
  );
  expect(violations("no-management-for-everyone", named)).toEqual(noViolations);
  const addressed = program.map(([kind, name, props], index): InProgram => {
    return [kind, name, props, urn("agentpool-acl::default"), `https://nomad${index}.test:4646`];
  });
  expect(violations("no-management-for-everyone", addressed)).toEqual(noViolations);
  const others = at("https://nomad.test:4646", "https://other.test:4646", unknownStringValue);
  expect(violations("no-management-for-everyone", others)).toEqual(noViolations);
});
