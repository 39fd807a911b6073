import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";

/**
 * Checks of texts in PEM form, which report certain errors only. A text may have several blocks. One valid block is enough, because it is
 * unknown which one a server uses. No message repeats a part of the text, which may be a key.
 */

/** The public key of a signer: a public key, or a certificate with one. */
export function publicKeyProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  const isPublic = (block: Block) => isPublicKey(block) || isCertificate(block);
  if (blocks.some((block) => block.isOnLines && isPublic(block))) return undefined;
  if (blocks.some((block) => isPrivateKey(block) || isEncrypted(block)))
    return "must be a public key: this is a private one, which everybody who may read the method would see. It is no longer secret: make a new pair";
  return problemOf(blocks, isPublic, "public key", "PUBLIC KEY");
}

/** Certificates of authorities, in one text. */
export function authoritiesProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  const isRight = text.trim() === "" || blocks.some((block) => block.isOnLines && isCertificate(block));
  return isRight ? undefined : problemOf(blocks, isCertificate, "certificate", "CERTIFICATE");
}

/** The certificate of a signing key. Servers repair the line breaks in it, and in the key. */
export function certificateProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  return text === "" || blocks.some(isCertificate) ? undefined : problemOf(blocks, isCertificate, "certificate", "CERTIFICATE");
}

export function privateKeyProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  if (text === "" || blocks.some(isPrivateKey)) return undefined;
  if (blocks.some(isEncrypted)) return "must be a private key that is not encrypted: its passphrase can't be given";
  return problemOf(blocks, isPrivateKey, "private key", "PRIVATE KEY");
}

function problemOf(blocks: readonly Block[], isRight: (block: Block) => boolean, what: string, label: string): string {
  const lines = `-----BEGIN ${label}----- and -----END ${label}-----`;
  if (blocks.length === 0) return `must be a ${what} in PEM form: it has no block between ${lines}`;
  if (blocks.some(isRight)) return `must be a ${what} in PEM form: ${lines} must be lines of their own`;
  return `must be a ${what} in PEM form: its block contains something else`;
}

interface Block {
  readonly label: string;
  readonly headers: string;
  readonly der: Buffer;
  /** Whether its first and last line stand alone, which the form requires. */
  readonly isOnLines: boolean;
}

function blocksOf(text: string): Block[] {
  const [before = "", ...begun] = text.split("-----BEGIN ");
  return begun.flatMap((rest, index): Block[] => {
    const [, label, body] = /^(.*?)-----([\s\S]*?)-----END /.exec(rest) ?? [];
    if (label === undefined || body === undefined) return [];
    const isHeader = (line: string) => line.includes(":");
    const lines = body.split("\n");
    const above = begun[index - 1] ?? before;
    return [
      {
        label,
        headers: lines.filter(isHeader).join("\n"),
        der: Buffer.from(lines.filter((line) => !isHeader(line)).join(""), "base64"),
        isOnLines: /(^|\n)$/.test(above) && /^[ \t\r]*\n/.test(body) && body.endsWith("\n"),
      },
    ];
  });
}

function isPublicKey(block: Block): boolean {
  const readsAs = (type: "spki" | "pkcs1") => succeeds(() => createPublicKey({ key: block.der, format: "der", type }));
  // In the older form, the library would also accept a private key and use its public part.
  return readsAs("spki") || (readsAs("pkcs1") && !isPrivateKey(block));
}

function isPrivateKey({ der }: Block): boolean {
  return (["pkcs8", "pkcs1", "sec1"] as const).some((type) => succeeds(() => createPrivateKey({ key: der, format: "der", type })));
}

function isCertificate({ der }: Block): boolean {
  return succeeds(() => new X509Certificate(der));
}

function isEncrypted({ label, headers }: Block): boolean {
  return label.startsWith("ENCRYPTED ") || /\bENCRYPTED\b/.test(headers);
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    // Without the library's message, which might repeat the text.
    return false;
  }
}
