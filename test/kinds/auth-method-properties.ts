import { configKeys } from "../../provider/apis/cluster/method-config";
import { propertiesOf } from "../../provider/model/fields";
import { config } from "../../provider/resources/auth-method/config";
import { jwt, oidc, pkce } from "../lifecycle/samples";
import type { Inputs } from "../support/declared";
import { certificates, privateKeys, publicKeys } from "../support/pem";
import type { Property } from "./property";

/** The description of each property of the configuration, and its key on the wire. */
const described = propertiesOf(config);
const keys = new Map(configKeys);

/** Every input of an auth method. */
export function methodProperties(): Property[] {
  return [...ownProperties(), ...configProperties(), ...assertionProperties(), ...keyProperties()];
}

function ownProperties(): Property[] {
  const both = oidc();
  const first = { oidcDiscoveryUrl: "https://one.test" };
  const second = { oidcDiscoveryUrl: "https://two.test" };
  const configOf = (more: Inputs) => oidc(more).config;
  return [
    { path: "name", first: "sso", second: "single", stored: "Name", leftOut: "refused", among: both, replaces: true },
    { path: "type", first: "OIDC", second: "JWT", stored: "Type", leftOut: "refused", among: both, documented: "lacks" },
    { path: "tokenLocality", first: "local", second: "global", stored: "TokenLocality", leftOut: "refused", among: both },
    {
      path: "maxTokenTtl",
      first: "30m",
      second: "120m",
      stored: "MaxTokenTTL",
      storedAs: ["30m0s", "2h0m0s"],
      leftOut: "refused",
      among: both,
    },
    {
      path: "tokenNameFormat",
      first: "one",
      second: "two",
      stored: "TokenNameFormat",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
      leftOut: { becomes: "${auth_method_type}-${auth_method_name}" },
      among: both,
    },
    { path: "default", first: true, second: false, stored: "Default", leftOut: { becomes: false }, among: both },
    { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: both },
    {
      path: "config",
      first,
      second,
      stored: "Config.OIDCDiscoveryURL",
      storedAs: [first.oidcDiscoveryUrl, second.oidcDiscoveryUrl],
      leftOut: "refused",
      among: jwt(),
      documented: { first: configOf(first), second: configOf(second), among: both },
    },
  ];
}

function configProperties(): Property[] {
  const text = (name: string, first: string, second: string, among = jwt()) => inConfig(name, first, second, "", among);
  const flag = (name: string) => inConfig(name, true, false, false);
  const list = (name: string, [one, two]: readonly [string, string] = ["one", "two"]) => inConfig(name, [one], [one, two], null);
  const map = (name: string) => inConfig(name, { claim: "one" }, { claim: "two" }, null);
  const leeway = (name: string): Property => ({ ...inConfig(name, "60s", "-1s", ""), storedAs: ["1m0s", "-1s"] });
  const secret = { first: "secret-one", second: "secret-two", stored: "Config.OIDCClientSecret", leftOut: { becomes: "" }, among: oidc() };
  const special: Property[] = [
    text("oidcDiscoveryUrl", "https://one.test", "https://two.test"),
    text("oidcClientId", "one", "two"),
    { path: "config.oidcClientSecret", ...secret, documented: { hidden: true } },
    text("jwksUrl", "https://one.test/keys", "https://two.test/keys", jwt({ oidcDiscoveryUrl: "https://idp.test" })),
    text("jwksCaCert", ...certificates),
    list("jwtValidationPubKeys", publicKeys),
    list("allowedRedirectUris", ["https://one.test", "https://two.test"]),
    list("discoveryCaPem", certificates),
  ];
  const isListed = (name: string) => special.some(({ path }) => path === `config.${name}`);
  const others = [...described].filter(([name]) => !isListed(name) && name !== "oidcClientAssertion");
  return [
    ...special,
    ...others.map(([name, { shape, traits, schema }]) => {
      if (shape.kind === "list") return list(name);
      if (shape.kind === "map") return map(name);
      if (schema.safeParse(true).success) return flag(name);
      return traits.duration ? leeway(name) : text(name, "one", "two");
    }),
  ];
}

/** Properties that the document allows in a create only. A property without a source is not in the document. */
const createOnly = [
  "jwksUrl",
  "jwksCaCert",
  "jwtValidationPubKeys",
  "verboseLogging",
  "expirationLeeway",
  "notBeforeLeeway",
  "clockSkewLeeway",
];
const required = ["oidcDiscoveryUrl", "oidcClientId", "allowedRedirectUris"];

function inConfig(name: string, first: unknown, second: unknown, absent: unknown, among: Inputs = jwt()): Property {
  const leftOut = { becomes: absent };
  // Documented servers update only methods of type OIDC, which require some of the properties.
  const isLacking = createOnly.includes(name) || !described.get(name)?.traits.source;
  const documented = isLacking ? "lacks" : { among: oidc(), leftOut: required.includes(name) ? ("refused" as const) : leftOut };
  return { path: `config.${name}`, first, second, stored: `Config.${keys.get(name)}`, leftOut, among, documented };
}

const assertionPath = "config.oidcClientAssertion";

function assertionProperties(): Property[] {
  const signed = (more: Inputs) => pkce({ oidcClientAssertion: { keySource: "nomad", ...more } });
  const privateKey = { pemKey: privateKeys[0], keyId: "key", keyIdHeader: "kid" };
  const blank = {
    KeySource: "nomad",
    Audience: ["https://idp.test"],
    PrivateKey: null,
    ExtraHeaders: null,
    KeyAlgorithm: "RS256",
    ClientSecret: "",
  };
  const part = (property: string, wire: string, first: unknown, second: unknown, absent: unknown, among = signed({})): Property => ({
    ...{ path: `${assertionPath}.${property}`, first, second, stored: `Config.OIDCClientAssertion.${wire}` },
    ...{ leftOut: { becomes: absent }, among, documented: "lacks" },
  });
  return [
    {
      path: assertionPath,
      first: { keySource: "nomad" },
      second: { keySource: "nomad", audience: ["other"] },
      stored: "Config.OIDCClientAssertion",
      storedAs: [blank, { ...blank, Audience: ["other"] }],
      leftOut: { becomes: null },
      among: pkce(),
      documented: "lacks",
    },
    // Only a method of type JWT may have an assertion without a source.
    part("keySource", "KeySource", "nomad", "private_key", "", {
      ...jwt({ oidcClientId: "cluster", oidcClientAssertion: { keyAlgorithm: "RS256", audience: ["idp"], privateKey } }),
    }),
    part("keyAlgorithm", "KeyAlgorithm", "RS512", "RS384", "RS256"),
    part("audience", "Audience", ["one"], ["two"], ["https://idp.test"]),
    part("extraHeaders", "ExtraHeaders", { typ: "one" }, { typ: "two" }, null),
    {
      ...part("privateKey", "PrivateKey", { pemKeyFile: "/one", keyId: "key" }, { pemKeyFile: "/two", keyId: "key" }, null),
      storedAs: [storedKey({ PemKeyFile: "/one" }), storedKey({ PemKeyFile: "/two" })],
    },
  ];
}

function storedKey(more: Inputs): Inputs {
  return { PemKey: "", PemKeyFile: "", KeyIDHeader: "kid", PemCert: "", PemCertFile: "", KeyID: "key", ...more };
}

/** Servers ignore the key while the source is another one, so its parts can change one by one. */
function keyProperties(): Property[] {
  const part = (
    property: string,
    wire: string,
    absent = "",
    more: Inputs = { keyIdHeader: "kid" },
    [first, second]: readonly [string, string] = ["one", "two"],
  ): Property => ({
    path: `${assertionPath}.privateKey.${property}`,
    first,
    second,
    stored: `Config.OIDCClientAssertion.PrivateKey.${wire}`,
    leftOut: { becomes: absent },
    documented: "lacks",
    among: pkce({ oidcClientAssertion: { keySource: "nomad", privateKey: { pemKeyFile: "/key", ...more } } }),
  });
  return [
    part("pemKey", "PemKey", "", undefined, privateKeys),
    part("pemKeyFile", "PemKeyFile", "", { keyIdHeader: "kid", keyId: "key" }),
    part("pemCert", "PemCert", "", undefined, certificates),
    part("pemCertFile", "PemCertFile"),
    part("keyIdHeader", "KeyIDHeader", "x5t#S256", { pemCert: certificates[0] }),
    part("keyId", "KeyID"),
  ];
}
