import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/repository";

/**
 * Texts in PEM form, for tests only. Two of each kind differ only in a comment line. The keys are short: every suite that loads the kinds makes them,
 * and 2048 bits take up to half a second.
 */
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const commented = (pem: string) => [pem, `# another text of the same\n${pem}`] as const;

export const privateKeys = commented(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
export const publicKeys = commented(publicKey.export({ type: "spki", format: "pem" }).toString());
export const certificates = commented(readFileSync(join(root, "test/support/http/cert.pem"), "utf8"));
/** The same key in the older form, and a key of another type. */
export const olderPublicKey = publicKey.export({ type: "pkcs1", format: "pem" }).toString();
export const encryptedKey = privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString();
export const ellipticKeys = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "sec1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
