// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself

import {
  addresses,
  certificateLines,
  noBlock,
  notCertificates,
  notPublicKeys,
  redirects,
  selectors,
  templates,
} from "../../test/support/forms";
import { adopt, duration, flag, type InputCase, map, nothing, required, text, texts, ttl, word } from "../../test/support/input-cases";
import { certificates, ellipticKeys, encryptedKey, olderPublicKey, privateKeys, publicKeys } from "../../test/support/pem";
import { operationWith } from "../../test/support/session";
import type { CheckFailure } from "../model/check";
import { formatPath } from "../model/check";
import { changesOf } from "../model/diff";
import type { Field } from "../model/fields";
import type { Properties, Resource } from "../model/resource";
import { isRecord, unknown } from "../model/unknown";
import { aclAuthMethod, aclBindingRule, aclRole, agentPool, resources } from "./index";

interface Tested {
  readonly resource: Resource;
  /** A whole set of inputs that check takes. */
  readonly example: Properties;
  readonly inputs: Readonly<Record<string, InputCase>>;
}

const wrongType = (type: string, got: string) => `is invalid: expected ${type}, received ${got}`;
const notEmpty = "must not be empty";

const poolCases: Tested = {
  resource: agentPool,
  example: { name: "build", organization: "example-org", organizationScoped: true },
  inputs: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z_0", "x".repeat(1000)],
      refuses: ["", "a b", "a.b", "ä", "a\n"].map((name) => [name, "must be one or more letters, digits, dashes or underscores"]),
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
    },
    organization: {
      leftOut: {
        fails: "is required: give it in the program, or set agentpool-acl:organization or the environment variable TFE_ORGANIZATION",
      },
      accepts: ["a", "Example Org"],
      refuses: [
        ["", "must be the name of an organization"],
        [1, wrongType("string", "number")],
      ],
      same: [["a", "a"]],
      change: { from: "a", to: "b" },
      traits: { replaces: true },
    },
    organizationScoped: { ...flag(), leftOut: { value: true }, same: [[true, true]] },
    allowedWorkspaceIds: {
      ...texts(),
      refuses: [...texts().refuses, [["ws-1", ""], "must be the identifier of a workspace", "[1]"]],
      same: [
        [
          ["a", "b"],
          ["b", "a", "b"],
        ],
      ],
      change: { from: undefined, to: [], kind: "add" },
      traits: { set: true, emptyMatters: true },
    },
    forceDestroy: flag({ local: true }),
    drainTimeoutSeconds: {
      leftOut: { value: 0 },
      accepts: [0, 0.5, 86_400],
      refuses: [
        [-1, "must be 0 or more"],
        [-0.001, "must be 0 or more"],
        ["60", wrongType("number", "string")],
        [Number.NaN, wrongType("number", "NaN")],
        [Number.POSITIVE_INFINITY, wrongType("number", "Infinity")],
      ],
      same: [[undefined, 0]],
      change: { from: 0, to: 60 },
      traits: { local: true },
    },
    adopt,
  },
};

const roleCases: Tested = {
  resource: aclRole,
  example: { name: "dev", policies: ["read"] },
  inputs: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z_0", "x".repeat(128)],
      refuses: ["", "a b", "a.b", "x".repeat(129), "a\n"].map((name) => [name, "must be 1 to 128 letters, digits, dashes or underscores"]),
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
    },
    description: {
      leftOut: { value: "" },
      accepts: ["", "x".repeat(256), "\u{1f600}".repeat(256)],
      refuses: [
        ["x".repeat(257), "must be at most 256 characters long"],
        ["\u{1f600}".repeat(257), "must be at most 256 characters long"],
        [1, wrongType("string", "number")],
      ],
      same: [
        [undefined, ""],
        [null, ""],
      ],
      change: { from: "a", to: "" },
    },
    policies: {
      ...texts(),
      leftOut: { value: [] },
      accepts: [[], ["a"], ["b", "a", "b"]],
      refuses: [...texts().refuses, [["a", ""], "must be the name of a policy", "[1]"]],
      same: [
        [
          ["a", "b"],
          ["b", "a", "b"],
        ],
        [undefined, []],
        [null, []],
      ],
    },
    adopt,
  },
};

const ruleCases: Tested = {
  resource: aclBindingRule,
  example: { authMethod: "sso", selector: "", bindType: "role", bindName: "dev" },
  inputs: {
    authMethod: {
      leftOut: required,
      accepts: ["sso", "a method of any name"],
      refuses: [
        ["", "must be the name of an auth method"],
        [1, wrongType("string", "number")],
      ],
      same: [["sso", "sso"]],
      change: { from: "sso", to: "SSO" },
      traits: { replaces: true },
    },
    description: { ...text(), leftOut: { value: "" }, change: { from: "a", to: "" } },
    selector: {
      ...text({ emptyMatters: true }, selectors),
      leftOut: { value: "" },
      change: { from: "a == b", to: "" },
    },
    bindType: {
      ...word(["role", "policy", "management"], 'must be "role", "policy" or "management"'),
      // Management takes no bindName; its own test has it.
      accepts: ["role", "policy"],
    },
    bindName: {
      leftOut: { fails: 'is required when bindType is "role"' },
      accepts: ["a", "team-${value.team}", "$${value.team}-}$", '${value.a == "x" ? value.a : "b-${value.b}"}'],
      refuses: [["", notEmpty], ...templates, [1, wrongType("string", "number")]],
      same: [["a", "a"]],
      change: { from: "a", to: "b" },
    },
    adopt,
  },
};

const keySources = ["nomad", "private_key", "client_secret"];
const assertion = "config.oidcClientAssertion";

const methodCases: Tested = {
  resource: aclAuthMethod,
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
  inputs: {
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
      refuses: [...text().refuses, ["redacted", 'is the word "redacted", which the API answers in place of a secret, and not a secret']],
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
        [publicKeys[0], "must be a private key in PEM form: what its block holds is none"],
        [encryptedKey, "must be a private key that is not encrypted: there is nowhere to give its passphrase"],
        ["redacted", 'is the word "redacted", which the API answers in place of a secret, and not a secret'],
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
    "config.oidcEnablePkce": flag(),
    "config.oidcDisableUserInfo": flag(),
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
};

const tested = [poolCases, methodCases, roleCases, ruleCases];

test("every resource is in the table", () => {
  expect(tested.map(({ resource }) => resource)).toEqual(resources);
});

describe.each(tested.map((one) => [one.resource.kind, one] as const))("%s", (_, { resource, example, inputs }) => {
  test("every input, at any depth, is in the table", () => {
    expect([...pathsOf(resource.inputs)].sort()).toEqual(Object.keys(inputs).sort());
  });

  test("the example is right", () => {
    expect(check(resource, example).failures).toEqual([]);
  });

  describe.each(Object.entries(inputs))("%s", (path, one) => {
    const at = (value: unknown) => withValue(example, path.split("."), value);
    const diff = (from: unknown, to: unknown) => changesOf(resource.inputs, at(from), at(to));

    test("left out, or null, is its default or is refused", () => {
      for (const absent of [undefined, null]) {
        const checked = check(resource, at(absent));
        if ("fails" in one.leftOut) expect(checked.failures).toEqual([{ path, reason: one.leftOut.fails }]);
        else {
          expect(checked.failures).toEqual([]);
          expect(valueAt(checked.inputs, path.split("."))).toEqual(one.leftOut.value);
        }
      }
    });

    test("accepts what is allowed, to the limits, and leaves it as it is", () => {
      for (const value of one.accepts) {
        const checked = check(resource, at(value));
        expect({ value, failures: checked.failures }).toEqual({ value, failures: [] });
        expect(JSON.stringify(valueAt(checked.inputs, path.split(".")))).toBe(JSON.stringify(value));
      }
    });

    test("refuses what is beyond, by its path", () => {
      for (const [value, reason, below = ""] of one.refuses) {
        const failures = check(resource, at(value)).failures;
        expect({ value, failures }).toEqual({ value, failures: [{ path: `${path}${below}`, reason }] });
      }
    });

    test("accepts what a preview does not know", () => {
      const checked = check(resource, at(unknown));
      expect(checked.failures).toEqual([]);
      expect(valueAt(checked.inputs, path.split("."))).toBe(unknown);
    });

    test("has its traits and a description", () => {
      const field = fieldAt(resource.inputs, path.split("."));
      const { filledIn: __, form: ___, source: ____, ...traits } = field.traits;
      expect(traits).toEqual(one.traits ?? {});
      expect(field.description).toMatch(/\.$/);
    });

    test("makes no difference by its spelling", () => {
      for (const [a, b] of one.same) {
        expect({ a, b, changes: diff(a, b) }).toEqual({ a, b, changes: [] });
        expect({ b, a, changes: diff(b, a) }).toEqual({ b, a, changes: [] });
      }
    });

    test("makes exactly one difference by a change, and says whether it needs a new object", () => {
      const { from, to, kind = "update", below = "" } = one.change;
      const changes = diff(from, to).map((change) => ({ ...change, path: formatPath(change.path) }));
      expect(changes).toEqual([{ path: `${path}${below}`, kind, replaces: one.traits?.replaces === true }]);
    });

    test("may change where a preview does not know", () => {
      expect(diff(one.change.to, unknown).map((change) => formatPath(change.path))).toEqual([path]);
    });
  });
});

function check(resource: Resource, inputs: Properties): { inputs: Properties; failures: CheckFailure[] } {
  return resource.check({ context: operationWith({}).context, olds: {}, resourceName: undefined }, inputs);
}

function* pathsOf(properties: ReadonlyMap<string, Field>, above = ""): Generator<string> {
  for (const [name, { shape }] of properties) {
    yield `${above}${name}`;
    if (shape.kind === "object") yield* pathsOf(shape.properties, `${above}${name}.`);
  }
}

function fieldAt(properties: ReadonlyMap<string, Field>, [name = "", ...rest]: readonly string[]): Field {
  const field = properties.get(name);
  if (!field) throw new Error(`no input ${name}`);
  return rest.length > 0 && field.shape.kind === "object" ? fieldAt(field.shape.properties, rest) : field;
}

function withValue(properties: Properties, [name = "", ...rest]: readonly string[], value: unknown): Properties {
  const below = properties[name];
  return { ...properties, [name]: rest.length > 0 ? withValue(isRecord(below) ? below : {}, rest, value) : value };
}

function valueAt(properties: Properties, [name = "", ...rest]: readonly string[]): unknown {
  const value = properties[name];
  return rest.length > 0 ? valueAt(isRecord(value) ? value : {}, rest) : value;
}
