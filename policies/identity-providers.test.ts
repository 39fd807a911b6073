/** The policies about the addresses and keys of identity providers. */
import { type InProgram, noViolations, violations } from "../test/support/policy-pack";

const method = (config: Record<string, unknown>): InProgram => ["AclAuthMethod", "sso", { name: "sso", type: "JWT", config }];

test.each([
  ["oidcDiscoveryUrl", "http://login.test", {}, 1],
  ["jwksUrl", "HTTP://127.0.0.1:8080/keys", {}, 1],
  ["jwksUrl", "http://127.0.0.1:8080/keys", { allowLoopbackHttp: true }, 0],
  ["oidcDiscoveryUrl", "http://localhost", { allowLoopbackHttp: true }, 0],
  ["jwksUrl", "http://127.0.0.1.test", { allowLoopbackHttp: true }, 1],
  ["jwksUrl", "https://login.test/keys", {}, 0],
  ["jwksUrl", "no address", {}, 0],
  ["jwksUrl", "http://[fe80::1%25eth0]/keys", { allowLoopbackHttp: true }, 1],
])("config.%s %s with %j: %i violations, which do not show the address", (property, address, options, count) => {
  const { atOnce, atEnd } = violations("no-plain-http-identity-providers", [method({ [property]: address })], options);
  expect(atOnce).toHaveLength(count);
  expect(atEnd).toEqual([]);
  if (count > 0)
    expect(atOnce).toEqual([`ACL auth method "sso": config.${property} is an address of plain http. Give one that begins with https://.`]);
});

test("the audiences of a method bind the customer of a vendor that sets them", () => {
  const of = (more: object) =>
    violations("no-unbound-tenants", [method({ oidcDiscoveryUrl: "https://securetoken.google.com/acme", ...more })]);
  expect(of({ boundAudiences: ["acme"] })).toEqual(noViolations);
  expect(of({}).atOnce).toEqual([expect.stringContaining("has keys of Firebase")]);
});
