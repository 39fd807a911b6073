import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { object, text, textMap, texts } from "./body";
import type { AuthMethodConfig, ClientAssertion, ClientAssertionKey } from "./objects";

const key = object({ PemKey: text, PemKeyFile: text, KeyIDHeader: text, PemCert: text, PemCertFile: text, KeyID: text });

export const assertionForm = object({
  KeySource: text,
  Audience: texts,
  PrivateKey: key.nullable().default(null),
  ExtraHeaders: textMap,
  KeyAlgorithm: text,
  ClientSecret: text,
});

/** An assertion with the server's defaults, and with the fields that it inherits from the method. */
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

/** Why the server can't sign with a valid assertion; undefined if it can. The server signs once at every write. */
export function checkedAssertion(clientId: string, assertion: ClientAssertion): string | undefined {
  // The assertion of a JWT method is validated here only.
  const invalid = invalidAssertion(assertion);
  if (invalid !== undefined) return invalid;
  const problems = clientId === "" ? ["missing client ID"] : [];
  const fromSecret = assertion.KeySource === "client_secret";
  if (fromSecret) problems.push(...secretProblems(assertion));
  if (assertion.KeySource === "private_key" && assertion.PrivateKey) {
    const unreadable = keyProblem(assertion.PrivateKey);
    if (unreadable !== undefined) return unreadable;
    if (!/^RS(256|384|512)$/.test(assertion.KeyAlgorithm)) {
      problems.push(`RSAlgorithm.Validate: unsupported algorithm ${JSON.stringify(assertion.KeyAlgorithm)} for for RSA key`);
    }
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

function keyProblem(key: ClientAssertionKey): string | undefined {
  const source = key.PemKeyFile === "" ? "PemKey" : "PemKeyFile";
  const pem = pemText(source, key.PemKey, key.PemKeyFile);
  if ("problem" in pem) return pem.problem;
  try {
    if (createPrivateKey(pem.text).asymmetricKeyType !== "rsa") return `error parsing ${source}: key is not a valid RSA private key`;
  } catch {
    return `error parsing ${source}: invalid key: Key must be a PEM encoded PKCS1 or PKCS8 key`;
  }
  return key.KeyID === "" ? certificateProblem(key) : undefined;
}

function certificateProblem(key: ClientAssertionKey): string | undefined {
  const source = key.PemCertFile === "" ? "PemCert" : "PemCertFile";
  const pem = pemText(source, key.PemCert, key.PemCertFile);
  if ("problem" in pem) return pem.problem;
  if (!pem.text.includes("-----BEGIN")) return `failed to decode ${source} PEM block`;
  try {
    const { validFrom, validTo } = new X509Certificate(pem.text);
    const valid = Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
    return valid ? undefined : "certificate has expired or is not yet valid";
  } catch {
    return `failed to parse ${source} bytes: x509: malformed certificate`;
  }
}

/** A key or certificate from the body, or from a file on the server's machine, which this process reads. */
function pemText(source: string, text: string, file: string): { text: string } | { problem: string } {
  if (file === "") return { text: withLines(text) };
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return { problem: `error reading ${source}: open ${file}: no such file or directory` };
  if (found.isDirectory()) return { problem: `error reading ${source}: read ${file}: is a directory` };
  return { text: withLines(readFileSync(file, "utf8")) };
}

/** The server accepts PEM text in one line, too, because many forms produce it. */
function withLines(pem: string): string {
  const lines = pem.replace(/-----(BEGIN|END)/g, "\n$&").replace(/(KEY|CERTIFICATE)-----/g, "$&\n");
  // An empty line would end the header of the block.
  return lines.replace(/\s*\n\s*/g, "\n").trim();
}
