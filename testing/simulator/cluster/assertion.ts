import { isAbsolute } from "node:path";
import type { AuthMethodConfig, ClientAssertion, ClientAssertionKey } from "./objects";

/** An assertion with the server's defaults, and with fields inherited from the method. */
export function canonicalAssertion(assertion: ClientAssertion, config: AuthMethodConfig): ClientAssertion {
  const algorithm = { client_secret: "HS256", nomad: "RS256", private_key: "RS256" }[assertion.KeySource] ?? "";
  return {
    ...assertion,
    Audience: assertion.Audience?.length ? assertion.Audience : [config.OIDCDiscoveryURL],
    PrivateKey: assertion.PrivateKey && { ...assertion.PrivateKey, KeyIDHeader: keyIdHeader(assertion.PrivateKey) },
    KeyAlgorithm: assertion.KeyAlgorithm || algorithm,
    ClientSecret: config.OIDCClientSecret,
  };
}

function keyIdHeader(key: ClientAssertionKey): string {
  if (key.KeyIDHeader !== "") return key.KeyIDHeader;
  if (key.PemCert !== "" || key.PemCertFile !== "") return "x5t#S256";
  return key.KeyID === "" ? "" : "kid";
}

export function redactedAssertion(assertion: ClientAssertion): ClientAssertion {
  const { ClientSecret, PrivateKey } = assertion;
  return {
    ...assertion,
    PrivateKey: PrivateKey && { ...PrivateKey, PemKey: PrivateKey.PemKey === "" ? "" : "redacted" },
    ClientSecret: ClientSecret === "" ? "" : "redacted",
  };
}

/** The first error in the fields of an assertion; undefined if there is none. */
export function invalidAssertion(assertion: ClientAssertion): string | undefined {
  if (!assertion.Audience?.[0]) return "missing Audience";
  switch (assertion.KeySource) {
    case "nomad":
      return undefined;
    case "client_secret":
      return assertion.ClientSecret === "" ? "OIDCClientSecret is required for `client_secret` KeySource" : undefined;
    case "private_key": {
      if (assertion.PrivateKey === null) return "PrivateKey is required for `private_key` KeySource";
      const problem = invalidKey(assertion.PrivateKey);
      return problem && `invalid PrivateKey: ${problem}`;
    }
    default:
      return `invalid KeySource ${JSON.stringify(assertion.KeySource)}`;
  }
}

function invalidKey(key: ClientAssertionKey): string | undefined {
  if (key.PemKey === "" && key.PemKeyFile === "") return "missing PemKey or PemKeyFile";
  if (key.PemKey !== "" && key.PemKeyFile !== "") return "require only one of PemKey or PemKeyFile";
  if (key.PemKeyFile !== "" && !isAbsolute(key.PemKeyFile)) return `invalid PemKeyFile: must be absolute; got: ${key.PemKeyFile}`;
  const ids = [key.PemCert, key.PemCertFile, key.KeyID].filter((id) => id !== "").length;
  if (ids === 0) return "missing PemCert, PemCertFile, or KeyID";
  if (ids > 1) return "require only one of PemCert, PemCertFile, or KeyID";
  if (key.PemCertFile !== "" && !isAbsolute(key.PemCertFile)) return `invalid PemCertFile: must be absolute; got: ${key.PemCertFile}`;
  if (key.KeyID !== "" && key.KeyIDHeader !== "kid") return 'invalid KeyIDHeader; key header for key ID must be "kid"';
  if (key.KeyID === "" && !["x5t", "x5t#S256"].includes(key.KeyIDHeader)) {
    return 'invalid KeyIDHeader; certificate-derived key header must be one of: "x5t#S256", "x5t"';
  }
  return undefined;
}

const SECRET_BYTES = new Map([
  ["HS256", 32],
  ["HS384", 48],
  ["HS512", 64],
]);

/** The reason why the server can't sign with an assertion; undefined if it can. The server signs at every write. Keys are not read here. */
export function checkedAssertion(clientId: string, assertion: ClientAssertion): string | undefined {
  // The assertion of a JWT method is validated here only.
  const invalid = invalidAssertion(assertion);
  if (invalid !== undefined) return invalid;
  const problems = clientId === "" ? ["missing client ID"] : [];
  const fromSecret = assertion.KeySource === "client_secret";
  if (fromSecret) problems.push(...secretProblems(assertion));
  if (assertion.KeySource === "private_key" && !/^RS(256|384|512)$/.test(assertion.KeyAlgorithm)) {
    problems.push(`RSAlgorithm.Validate: unsupported algorithm ${JSON.stringify(assertion.KeyAlgorithm)} for for RSA key`);
  }
  if ("kid" in (assertion.ExtraHeaders ?? {})) problems.push('WithHeaders: "kid" not allowed in WithHeaders; use WithKeyID instead');
  if (problems.length === 0) return undefined;
  return `clientassertion.${fromSecret ? "NewJWTWithHMAC" : "NewJWTWithRSAKey"}: ${problems.join("\n")}`;
}

function secretProblems({ KeyAlgorithm, ClientSecret }: ClientAssertion): string[] {
  const length = SECRET_BYTES.get(KeyAlgorithm);
  const algorithm = JSON.stringify(KeyAlgorithm);
  if (length === undefined) return [`HSAlgorithm.Validate: unsupported algorithm ${algorithm} for client secret`];
  if (Buffer.byteLength(ClientSecret) >= length) return [];
  return [`HSAlgorithm.Validate: invalid secret length for algorithm: ${algorithm} must be at least ${length} bytes long`];
}
