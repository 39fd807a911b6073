// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
import * as fc from "fast-check";
import type { Properties } from "../../provider/model/resource";
import type { Kind } from "../lifecycle/harness";
import { certificates, publicKeys } from "../support/pem";

const textOf = (characters: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const text = fc.string({ unit: "grapheme", maxLength: 30 });
const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const url = fc
  .tuple(fc.constantFrom("https", "http"), textOf(`${letters}-.`, 12), fc.nat(65_535))
  .map(([scheme, host, port]) => `${scheme}://${host}:${port}/`);
const texts = fc.array(text, { maxLength: 4 });
const redirects = fc.array(url, { minLength: 1, maxLength: 3 });
const template = fc.oneof(
  word.filter((text) => !text.includes("${")),
  fc.constantFrom("team-${value.team}", "$${", '${value.a == "x" ? 1 : value.b}'),
);
const selector = fc.constantFrom(
  "",
  "engineering in list.groups",
  'value.team == "ops" and not ("a b" in list["first-name"])',
  "all list.x as i, _ { i != 0 }",
);
const claims = fc.dictionary(word, text, { maxKeys: 4 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const adopt = optional(fc.constantFrom<boolean | "overwrite">(true, false, "overwrite"));

/** "60s", "5m", "1h0m0s": the document's three forms, and those between them. */
const duration = fc
  .tuple(fc.nat(100), fc.nat(59), fc.nat(59), fc.boolean())
  .map(([h, m, s, whole]) => (whole ? `${h}h${m}m${s}s` : h > 0 ? `${h}h` : m > 0 ? `${m}m` : `${s}s`));

/** Config fields that any type of login may have. (Access-control interface, Config fields) */
const anyConfig = {
  oidcDisableUserInfo: optional(fc.boolean()),
  oidcEnablePkce: optional(fc.boolean()),
  oidcScopes: optional(texts),
  boundAudiences: optional(texts),
  boundIssuer: optional(texts),
  discoveryCaPem: optional(fc.array(fc.constantFrom("", ...certificates), { maxLength: 3 })),
  jwksCaCert: optional(fc.constantFrom("", ...certificates)),
  signingAlgs: optional(texts),
  expirationLeeway: optional(duration),
  notBeforeLeeway: optional(duration),
  clockSkewLeeway: optional(fc.oneof(duration, fc.constant("-1s"))),
  claimMappings: optional(claims),
  listClaimMappings: optional(claims),
  verboseLogging: optional(fc.boolean()),
};

const oidcConfig = fc.record({
  ...anyConfig,
  oidcDiscoveryUrl: url,
  oidcClientId: word,
  oidcClientSecret: optional(word.filter((secret) => secret !== "redacted")),
  allowedRedirectUris: redirects,
});

const keys = fc.oneof(
  fc.record({ jwksUrl: url }),
  fc.record({ jwtValidationPubKeys: fc.array(fc.constantFrom(...publicKeys), { minLength: 1, maxLength: 3 }) }),
  fc.record({ oidcDiscoveryUrl: url }),
);
const jwtConfig = fc.tuple(fc.record(anyConfig), keys).map(([config, source]) => ({ ...config, ...source }));

const login = fc.oneof(
  fc.record({ type: fc.constant("OIDC"), config: oidcConfig }),
  fc.record({ type: fc.constant("JWT"), config: jwtConfig }),
);

const method = fc
  .tuple(
    login,
    fc.record({
      name: textOf(`${letters}-`, 128),
      tokenLocality: fc.constantFrom("local", "global"),
      // No server takes a life of 0.
      maxTokenTtl: duration.filter((text) => /[1-9]/.test(text)),
      tokenNameFormat: optional(template),
      default: optional(fc.boolean()),
      adopt,
    }),
  )
  .map(([how, rest]) => ({ ...how, ...rest }));

const target = fc.oneof(
  fc.record({ bindType: fc.constantFrom("role", "policy"), bindName: template, selector: optional(selector) }),
  fc.record({ bindType: fc.constant("management"), selector }),
);

/** Inputs that the documents allow, as far as a program can know: whether a method or a policy exists only the server knows. */
export const validInputs: Readonly<Record<Kind, fc.Arbitrary<Properties>>> = {
  AgentPool: fc.record({
    name: textOf(`${letters}-_`, 90),
    organization: word,
    organizationScoped: optional(fc.boolean()),
    allowedWorkspaceIds: optional(fc.array(word, { maxLength: 4 })),
    forceDestroy: optional(fc.boolean()),
    drainTimeoutSeconds: optional(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
    adopt,
  }),
  AclAuthMethod: method,
  AclRole: fc.record({
    name: textOf(`${letters}-_`, 128),
    description: optional(fc.string({ unit: "binary", maxLength: 256 })),
    policies: optional(fc.array(word, { maxLength: 5 })),
    adopt,
  }),
  AclBindingRule: fc
    .tuple(target, fc.record({ authMethod: textOf(`${letters}-`, 128), description: optional(text), adopt }))
    .map(([bind, rest]) => ({ ...bind, ...rest })),
};
