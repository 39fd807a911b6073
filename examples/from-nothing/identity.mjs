/**
 * A stand-in for an identity provider, to try the example without one.
 *
 *     node identity.mjs key                         makes the key in identity-key.pem, unless it is there, and prints its public half
 *     node identity.mjs token people/engineer.json  prints a token with these claims, which is good for ten minutes
 */
import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const keyFile = "identity-key.pem";
const pem = { type: "pkcs8", format: "pem" };

function publicKey() {
  if (!existsSync(keyFile)) {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048, privateKeyEncoding: pem });
    writeFileSync(keyFile, privateKey, { mode: 0o600, flag: "wx" });
  }
  return createPublicKey(readFileSync(keyFile, "utf8")).export({ type: "spki", format: "pem" });
}

function makeToken(claimsFile) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { ...JSON.parse(readFileSync(claimsFile, "utf8")), iat: now, nbf: now, exp: now + 600 };
  const parts = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = sign("sha256", Buffer.from(parts.join(".")), readFileSync(keyFile, "utf8"));
  return `${[...parts, signature.toString("base64url")].join(".")}\n`;
}

const [command, file] = process.argv.slice(2);
if (command === "key") process.stdout.write(publicKey());
else if (command === "token" && file) process.stdout.write(makeToken(file));
else throw new Error("give `key`, or `token` and the file of the claims");
