import * as fc from "fast-check";
import { type Field, propertiesOf } from "../../provider/model/fields";
import { config } from "../../provider/resources/auth-method/config";
import { certificates, publicKeys } from "../support/pem";
import * as some from "./arbitraries";

const url = fc
  .tuple(fc.constantFrom("https", "http"), some.textOf(`${some.letters}-.`, 12), fc.nat(65_535))
  .map(([scheme, host, port]) => `${scheme}://${host}:${port}/`);
const texts = fc.array(some.text, { maxLength: 4 });
const redirects = fc.array(url, { minLength: 1, maxLength: 3 });
const claims = fc.dictionary(some.word, some.text, { maxKeys: 4 });
/** Durations in seconds, minutes or hours, such as "5m", or in all three units, such as "1h0m0s". */
const duration = fc
  .tuple(fc.nat(100), fc.nat(59), fc.nat(59), fc.boolean())
  .map(([h, m, s, whole]) => (whole ? `${h}h${m}m${s}s` : h > 0 ? `${h}h` : m > 0 ? `${m}m` : `${s}s`));

/** The properties that need values of their own, or belong to one type of login. */
const isOfOneType = new Set([
  ...["oidcDiscoveryUrl", "oidcClientId", "oidcClientSecret", "oidcClientAssertion"],
  ...["allowedRedirectUris", "jwksUrl", "jwtValidationPubKeys"],
]);

function valuesOf({ shape, traits, schema }: Field): fc.Arbitrary<unknown> {
  if (shape.kind === "list") return texts;
  if (shape.kind === "map") return claims;
  if (schema.safeParse(true).success) return fc.boolean();
  return traits.duration ? duration : some.text;
}

/** Config fields that any type of login may have. (Access-control interface, Config fields) */
const anyConfig = {
  ...Object.fromEntries(
    [...propertiesOf(config)].filter(([name]) => !isOfOneType.has(name)).map(([name, field]) => [name, some.optional(valuesOf(field))]),
  ),
  discoveryCaPem: some.optional(fc.array(fc.constantFrom("", ...certificates), { maxLength: 3 })),
  jwksCaCert: some.optional(fc.constantFrom("", ...certificates)),
  clockSkewLeeway: some.optional(fc.oneof(duration, fc.constant("-1s"))),
};

const oidcConfig = fc.record({
  ...anyConfig,
  oidcDiscoveryUrl: url,
  oidcClientId: some.word,
  oidcClientSecret: some.optional(some.word.filter((secret) => secret !== "redacted")),
  allowedRedirectUris: redirects,
});

const keys = fc.oneof(
  fc.record({ jwksUrl: url }),
  fc.record({ jwtValidationPubKeys: fc.array(fc.constantFrom(...publicKeys), { minLength: 1, maxLength: 3 }) }),
  fc.record({ oidcDiscoveryUrl: url }),
);
const jwtConfig = fc.tuple(fc.record(anyConfig), keys).map(([given, source]) => ({ ...given, ...source }));

const login = fc.oneof(
  fc.record({ type: fc.constant("OIDC"), config: oidcConfig }),
  fc.record({ type: fc.constant("JWT"), config: jwtConfig }),
);

/** Inputs of an auth method that the check accepts. */
export const method = fc
  .tuple(
    login,
    fc.record({
      name: some.textOf(`${some.letters}-`, 128),
      tokenLocality: fc.constantFrom("local", "global"),
      // No server accepts a lifetime of 0.
      maxTokenTtl: duration.filter((text) => /[1-9]/.test(text)),
      tokenNameFormat: some.optional(some.template),
      default: some.optional(fc.boolean()),
      adopt: some.adopt,
    }),
  )
  .map(([how, rest]) => ({ ...how, ...rest }));
