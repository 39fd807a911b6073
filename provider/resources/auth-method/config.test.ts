import { storedSecrets } from "../../apis/cluster/method-config";
import { configFromWire, configToWire } from "./config";

const given = { oidcClientId: "cluster", oidcClientSecret: "hunter2", oidcClientAssertion: { keySource: "client_secret" } };

/** A server's response: a word is in place of secrets, and the server adds a copy of the client secret. */
const returned = {
  OIDCClientID: "cluster",
  OIDCClientSecret: "redacted",
  OIDCClientAssertion: { KeySource: "client_secret", ClientSecret: "redacted" },
};

test("an unset field is absent, for each of its forms in a response", () => {
  const unset = {
    JWKSURL: "",
    JWTValidationPubKeys: null,
    OIDCScopes: [],
    ClaimMappings: null,
    ListClaimMappings: {},
    ExpirationLeeway: "",
    OIDCClientAssertion: null,
  };
  expect(configFromWire(unset, undefined)).toEqual({});
});

test("an update sends neither the server's own copy of the secret nor the word in its place", () => {
  const sent = configToWire(given, given, returned);
  expect(sent).toMatchObject({ OIDCClientSecret: "hunter2", OIDCClientAssertion: { KeySource: "client_secret" } });
  expect(sent.OIDCClientAssertion).not.toHaveProperty("ClientSecret");
});

describe("a secret of the server that the program does not give", () => {
  test("in an unknown field prevents the configuration from being sent", () => {
    expect(() => configToWire(given, given, { ...returned, FutureSecret: "redacted" })).toThrow(/^config\.FutureSecret: /);
  });

  test("is never in a mapping, because keys and values of mappings are the user's", () => {
    const mapping = { ...returned, OIDCClientSecret: "", OIDCClientAssertion: null, ClaimMappings: { a: "redacted" } };
    expect(configToWire({ claimMappings: { a: "b" } }, {}, mapping)).toMatchObject({ ClaimMappings: { a: "b" } });
  });
});

describe("a default that the server adds to an assertion", () => {
  const assertion = (given: Record<string, unknown>) => ({ OIDCDiscoveryURL: "https://idp", OIDCClientAssertion: given });
  const read = (given: Record<string, unknown>, known: Record<string, unknown>) =>
    configFromWire(assertion(given), { oidcDiscoveryUrl: "https://idp", oidcClientAssertion: known }).oidcClientAssertion;

  test("is no drift if the program leaves the property out", () => {
    expect(read({ KeySource: "nomad", KeyAlgorithm: "RS256", Audience: ["https://idp"] }, { keySource: "nomad" })).toEqual({
      keySource: "nomad",
    });
    expect(read({ KeySource: "client_secret", KeyAlgorithm: "HS256" }, {})).toEqual({ keySource: "client_secret" });
    expect(read({ KeySource: "private_key", PrivateKey: { KeyID: "k", KeyIDHeader: "kid" } }, { privateKey: { keyId: "k" } })).toEqual({
      keySource: "private_key",
      privateKey: { keyId: "k" },
    });
    expect(read({ PrivateKey: { PemCert: "c", KeyIDHeader: "x5t#S256" } }, {})).toEqual({ privateKey: { pemCert: "c" } });
  });

  test("stays if the program gives the same value", () => {
    const known = { keySource: "nomad", keyAlgorithm: "RS256", audience: ["https://idp"] };
    expect(read({ KeySource: "nomad", KeyAlgorithm: "RS256", Audience: ["https://idp"] }, known)).toEqual(known);
  });

  test("is drift if the server has another value", () => {
    expect(read({ KeySource: "nomad", KeyAlgorithm: "HS256", Audience: ["https://other"] }, { keySource: "nomad" })).toEqual({
      keySource: "nomad",
      keyAlgorithm: "HS256",
      audience: ["https://other"],
    });
  });
});

test("the secrets of a server are found at any depth, also in unknown fields, but not in mappings", () => {
  const paths = (wire: Record<string, unknown>) => storedSecrets(wire).map((path) => path.join("."));
  expect(paths({ OIDCClientID: "cluster", OIDCClientSecret: "redacted" })).toEqual(["config.oidcClientSecret"]);
  expect(paths({ OIDCClientAssertion: { ClientSecret: "redacted", PrivateKey: { PemKey: "redacted" } } })).toEqual([
    "config.oidcClientAssertion.privateKey.pemKey",
  ]);
  expect(paths({ Future: { Key: "redacted" }, Other: "redacted" })).toEqual(["config.Future.Key", "config.Other"]);
  expect(paths({ OIDCClientSecret: "", OIDCClientID: "redacted-app", ClaimMappings: { a: "redacted" } })).toEqual([]);
});
