import { configKeys, storedSecrets } from "../../apis/cluster/method-config";
import { aclAuthMethod } from "../acl-auth-method";
import { configFromWire, configToWire } from "./config";

const examples = {
  oidcDiscoveryUrl: "https://idp.example.com",
  oidcClientId: "cluster",
  oidcClientSecret: "hunter2",
  oidcClientAssertion: {
    keySource: "private_key",
    keyAlgorithm: "RS512",
    audience: ["a"],
    privateKey: { pemKey: "hunter3", pemKeyFile: "f", pemCert: "c", pemCertFile: "cf", keyIdHeader: "kid", keyId: "k" },
    extraHeaders: { H: "1", h: "2" },
  },
  oidcEnablePkce: true,
  oidcDisableUserInfo: true,
  oidcScopes: ["groups"],
  jwtValidationPubKeys: ["PEM"],
  jwksUrl: "https://keys",
  jwksCaCert: "PEM",
  boundAudiences: ["aud"],
  boundIssuer: ["iss"],
  allowedRedirectUris: ["http://localhost"],
  discoveryCaPem: ["PEM"],
  signingAlgs: ["RS256"],
  expirationLeeway: "1s",
  notBeforeLeeway: "2s",
  clockSkewLeeway: "-1s",
  claimMappings: { Foo: "a", foo: "b" },
  listClaimMappings: { groups: "g" },
  verboseLogging: true,
};

/** Properties without an example have no form of their own. */
const plain = configKeys.filter(([property]) => !Object.hasOwn(examples, property));
const everything = { ...examples, ...Object.fromEntries(plain.map(([property]) => [property, "any"])) };

/** A server's response: secrets are a word, and the server adds its copy. */
const returned = {
  ...Object.fromEntries(plain.map(([, key]) => [key, "any"])),
  OIDCDiscoveryURL: "https://idp.example.com",
  OIDCClientID: "cluster",
  OIDCClientSecret: "redacted",
  OIDCClientAssertion: {
    KeySource: "private_key",
    KeyAlgorithm: "RS512",
    Audience: ["a"],
    PrivateKey: { PemKey: "redacted", PemKeyFile: "f", PemCert: "c", PemCertFile: "cf", KeyIDHeader: "kid", KeyID: "k" },
    ExtraHeaders: { H: "1", h: "2" },
    ClientSecret: "redacted",
  },
  OIDCEnablePKCE: true,
  OIDCDisableUserInfo: true,
  OIDCScopes: ["groups"],
  JWTValidationPubKeys: ["PEM"],
  JWKSURL: "https://keys",
  JWKSCACert: "PEM",
  BoundAudiences: ["aud"],
  BoundIssuer: ["iss"],
  AllowedRedirectURIs: ["http://localhost"],
  DiscoveryCaPem: ["PEM"],
  SigningAlgs: ["RS256"],
  ExpirationLeeway: "1s",
  NotBeforeLeeway: "2s",
  ClockSkewLeeway: "-1s",
  ClaimMappings: { Foo: "a", foo: "b" },
  ListClaimMappings: { groups: "g" },
  VerboseLogging: true,
};

test("the example holds every property of the configuration", () => {
  const shape = aclAuthMethod.inputs.get("config")?.shape;
  expect(Object.keys(everything).sort()).toEqual(shape?.kind === "object" ? [...shape.properties.keys()].sort() : []);
});

test("every property is sent under the API's key, and read back from it with the state's secrets", () => {
  const sent = configToWire(everything, undefined, undefined);
  const { ClientSecret: _, ...assertion } = returned.OIDCClientAssertion;
  expect(sent).toEqual({
    ...returned,
    OIDCClientSecret: "hunter2",
    OIDCClientAssertion: { ...assertion, PrivateKey: { ...assertion.PrivateKey, PemKey: "hunter3" } },
  });
  expect(configFromWire(returned, everything)).toEqual(everything);
});

test("without a state the secrets are not known, and the word in their place is never taken for one", () => {
  const read = configFromWire(returned, undefined);
  expect(read).not.toHaveProperty("oidcClientSecret");
  expect(read).not.toHaveProperty("oidcClientAssertion.privateKey.pemKey");
  expect(JSON.stringify(read)).not.toContain("redacted");
});

test("a field that is not set is absent, in each of the forms of a response", () => {
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

describe("a field of a server that this version does not know", () => {
  const remote = { ...returned, FutureField: { a: 1 }, OIDCClientAssertion: { ...returned.OIDCClientAssertion, FutureToo: true } };

  test("that is the server's own copy of the secret is not sent back", () => {
    expect(configToWire(everything, everything, remote).OIDCClientAssertion).not.toHaveProperty("ClientSecret");
  });
});

describe("a secret that the server holds and the program does not give", () => {
  test("in a field that this version does not know keeps the configuration from being sent", () => {
    expect(() => configToWire(everything, everything, { ...returned, FutureSecret: "redacted" })).toThrow(/^config\.FutureSecret: /);
  });

  test("is not seen in a mapping, whose keys and values are the user's", () => {
    const mapping = { ...returned, OIDCClientSecret: "", OIDCClientAssertion: null, ClaimMappings: { a: "redacted" } };
    expect(configToWire({ claimMappings: { a: "b" } }, {}, mapping)).toMatchObject({ ClaimMappings: { a: "b" } });
  });
});

describe("what a server fills in for an assertion", () => {
  const assertion = (given: Record<string, unknown>) => ({ OIDCDiscoveryURL: "https://idp", OIDCClientAssertion: given });
  const read = (given: Record<string, unknown>, known: Record<string, unknown>) =>
    configFromWire(assertion(given), { oidcDiscoveryUrl: "https://idp", oidcClientAssertion: known }).oidcClientAssertion;

  test("is no drift where the program leaves it out", () => {
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

  test("stays where the program gives it", () => {
    const known = { keySource: "nomad", keyAlgorithm: "RS256", audience: ["https://idp"] };
    expect(read({ KeySource: "nomad", KeyAlgorithm: "RS256", Audience: ["https://idp"] }, known)).toEqual(known);
  });

  test("is drift where it is something else", () => {
    expect(read({ KeySource: "nomad", KeyAlgorithm: "HS256", Audience: ["https://other"] }, { keySource: "nomad" })).toEqual({
      keySource: "nomad",
      keyAlgorithm: "HS256",
      audience: ["https://other"],
    });
  });
});

test("the secrets that a server holds are seen at any depth, also in what this version does not know, and not in mappings", () => {
  const paths = (wire: Record<string, unknown>) => storedSecrets(wire).map((path) => path.join("."));
  expect(paths({ OIDCClientID: "cluster", OIDCClientSecret: "redacted" })).toEqual(["config.oidcClientSecret"]);
  expect(paths({ OIDCClientAssertion: { ClientSecret: "redacted", PrivateKey: { PemKey: "redacted" } } })).toEqual([
    "config.oidcClientAssertion.privateKey.pemKey",
  ]);
  expect(paths({ Future: { Key: "redacted" }, Other: "redacted" })).toEqual(["config.Future.Key", "config.Other"]);
  expect(paths({ OIDCClientSecret: "", OIDCClientID: "redacted-app", ClaimMappings: { a: "redacted" } })).toEqual([]);
});
