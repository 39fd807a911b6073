import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/repository";

/** A key pair for tests. The keys are short: every suite that loads the kinds makes them, and 2048 bits take up to half a second. */
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
/** A text in PEM form, and the same text with a line of comment, so the two differ only as texts. */
const commented = (pem: string) => [pem, `# another text of the same\n${pem}`] as const;

export const privateKeys = commented(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
export const publicKeys = commented(publicKey.export({ type: "spki", format: "pem" }).toString());
export const certificates = commented(readFileSync(join(root, "test/support/http/cert.pem"), "utf8"));
/** The public key of the pair in the older form of PEM. */
export const olderPublicKey = publicKey.export({ type: "pkcs1", format: "pem" }).toString();
/** The private key of the pair, encrypted. */
export const encryptedKey = privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }).toString();
/** A key pair of another type. */
export const ellipticKeys = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "sec1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
