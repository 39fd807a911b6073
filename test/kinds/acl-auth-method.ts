// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
import { aclAuthMethod as resource } from "../../provider/resources/acl-auth-method";
import { clientSecret, oidc } from "../lifecycle/samples";
import { addresses, certificateLines, noBlock, notCertificates, notPublicKeys, redirects, templates } from "../support/forms";
import { certificates, ellipticKeys, encryptedKey, olderPublicKey, privateKeys, publicKeys } from "../support/pem";
import { method } from "./auth-method-arbitrary";
import { methodProperties } from "./auth-method-properties";
import { adopt, duration, flag, map, nothing, required, text, texts, ttl, word, wrongType } from "./input-cases";
import { content, noPreparation, type Sample } from "./kind";

const keySources = ["nomad", "private_key", "client_secret"];
const assertion = "config.oidcClientAssertion";

export const aclAuthMethod: Sample = {
  kind: "AclAuthMethod",
  resource,
  example: {
    name: "sso",
    type: "OIDC",
    tokenLocality: "global",
    maxTokenTtl: "1h",
    config: {
      oidcDiscoveryUrl: "https://idp.example.com",
      oidcClientId: "cluster",
      allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    },
  },
  cases: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z-0", "x".repeat(128)],
      refuses: ["", "a_b", "a b", "x".repeat(129), "a\n"].map((name) => [name, "must be 1 to 128 letters, digits or dashes"]),
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
      traits: { replaces: true },
    },
    type: word(["OIDC", "JWT"], 'must be "OIDC" or "JWT"'),
    tokenLocality: word(["local", "global"], 'must be "local" or "global"'),
    maxTokenTtl: ttl(required),
    tokenNameFormat: {
      leftOut: { value: "${auth_method_type}-${auth_method_name}" },
      accepts: ["a", "${auth_method_type}-${auth_method_name}", "x".repeat(500)],
      refuses: [...templates, ["", "must not be empty; leave it out for the default"], [1, wrongType("string", "number")]],
      same: [[undefined, "${auth_method_type}-${auth_method_name}"]],
      change: { from: undefined, to: "${auth_method_name}" },
    },
    default: flag(),
    config: {
      leftOut: required,
      accepts: [],
      refuses: [
        ["https://idp.example.com", "must be an object, not a string"],
        [[], "must be an object, not a list"],
      ],
      same: [[{ oidcEnablePkce: false, oidcScopes: [], claimMappings: {}, oidcClientId: "" }, {}]],
      change: { from: { oidcClientId: "a" }, to: { oidcClientId: "b" }, below: ".oidcClientId" },
    },
    "config.oidcDiscoveryUrl": { ...text({}, addresses), leftOut: { fails: "is required for OIDC" }, accepts: addresses.right },
    "config.oidcClientId": { ...text(), leftOut: { fails: "is required for OIDC" }, accepts: ["a", "ä"] },
    "config.oidcClientSecret": {
      ...text({ secret: true }),
      refuses: [...text().refuses, ["redacted", 'is the word "redacted", which the API returns instead of a secret']],
    },
    [assertion]: {
      leftOut: nothing,
      accepts: [{ keySource: "nomad" }],
      refuses: [["private_key", "must be an object, not a string"]],
      same: [[undefined, { audience: [], privateKey: {}, keySource: "" }]],
      change: { from: undefined, to: { keySource: "nomad" }, kind: "add" },
    },
    [`${assertion}.keySource`]: word(keySources, `must be "nomad", "private_key" or "client_secret"`, nothing),
    [`${assertion}.keyAlgorithm`]: text(),
    [`${assertion}.audience`]: texts(),
    [`${assertion}.privateKey`]: {
      leftOut: nothing,
      accepts: [{}, { pemKey: privateKeys[0] }],
      refuses: [[privateKeys[0], "must be an object, not a string"]],
      same: [[undefined, {}]],
      change: { from: { pemKeyFile: "/a" }, to: { pemKeyFile: "/b" }, below: ".pemKeyFile" },
    },
    [`${assertion}.privateKey.pemKey`]: {
      ...text({ secret: true }),
      accepts: ["", ...privateKeys, ellipticKeys.privateKey, privateKeys[0].replaceAll("\n", "")],
      refuses: [
        ...text().refuses,
        ["hunter2", `must be a private key in PEM form: ${noBlock("PRIVATE KEY")}`],
        [publicKeys[0], "must be a private key in PEM form: its block contains something else"],
        [encryptedKey, "must be a private key that is not encrypted: its passphrase can't be given"],
        ["redacted", 'is the word "redacted", which the API returns instead of a secret'],
      ],
    },
    [`${assertion}.privateKey.pemKeyFile`]: text(),
    [`${assertion}.privateKey.pemCert`]: {
      ...text({}, { right: certificates, wrong: notCertificates }),
      accepts: ["", ...certificates, certificates[0].replaceAll("\n", "")],
    },
    [`${assertion}.privateKey.pemCertFile`]: text(),
    [`${assertion}.privateKey.keyIdHeader`]: text(),
    [`${assertion}.privateKey.keyId`]: text(),
    [`${assertion}.extraHeaders`]: map(),
    "config.oidcEnablePkce": flag({ onlyWhere: { input: "type", is: "OIDC" } }),
    "config.oidcDisableUserInfo": flag({ onlyWhere: { input: "type", is: "OIDC" } }),
    "config.oidcScopes": texts(),
    "config.jwtValidationPubKeys": {
      ...texts({ right: publicKeys, wrong: notPublicKeys }),
      accepts: [
        [],
        [...publicKeys, olderPublicKey, ellipticKeys.publicKey, certificates[0]],
        [publicKeys[1], publicKeys[0], publicKeys[1]],
      ],
    },
    "config.jwksUrl": text({}, addresses),
    "config.jwksCaCert": text({}, { right: certificates, wrong: [...notCertificates, certificateLines] }),
    "config.boundAudiences": texts(),
    "config.boundIssuer": texts(),
    "config.allowedRedirectUris": {
      ...texts(redirects),
      leftOut: { fails: "must hold at least one address for OIDC" },
      accepts: [[...redirects.right], ["com.example.app:/callback"]],
    },
    "config.discoveryCaPem": {
      ...texts(),
      accepts: [[], [""], [...certificates], certificates[0].split("\n"), ["", certificates[0]]],
      refuses: [
        ...texts({ right: certificates, wrong: [] }).refuses,
        ...[...notCertificates, certificateLines].map(([value, reason]) => [[value], reason, "[0]"] as const),
      ],
    },
    "config.signingAlgs": texts(),
    "config.expirationLeeway": duration(nothing, [[undefined, "0s"]]),
    "config.notBeforeLeeway": duration(nothing, [[undefined, "0s"]]),
    "config.clockSkewLeeway": duration(nothing, [[undefined, "0s"]]),
    "config.claimMappings": map(),
    "config.listClaimMappings": map(),
    "config.verboseLogging": flag(),
    adopt,
  },
  valid: () => method,
  inputs: oidc({ oidcClientSecret: "its-secret" }),
  change: { maxTokenTtl: "2h" },
  create: "/v1/acl/auth-method",
  isIdName: true,
  prepare: noPreparation,
  objects: ({ cluster }) => cluster.methods.list().map(({ Name }) => ({ id: Name })),
  rows: ({ cluster }) => cluster.methods.list(),
  stored: ({ cluster }, id) => content(cluster.methods.get(id)),
  edit: ({ cluster }, id, change) => cluster.methods.put({ ...change, Name: id }),
  remove: ({ cluster }, id) => cluster.methods.delete(id),
  properties: methodProperties(),
  changes: [
    ["tokenNameFormat", "new"],
    ["maxTokenTtl", "3h"],
  ],
  faults: {
    inputs: oidc({ oidcClientSecret: clientSecret }),
    change: oidc({ oidcClientSecret: clientSecret, oidcScopes: ["groups"] }),
    replacement: { name: "new" },
    prepare: noPreparation,
    drift: ({ cluster }) => void cluster.methods.put({ Name: "sso", MaxTokenTTL: "2h" }),
    theirs: ({ cluster }) => void cluster.methods.put({ Name: "sso", Config: { OIDCClientID: "theirs" } }),
  },
};
