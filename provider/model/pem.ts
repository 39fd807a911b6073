import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";

/**
 * Checks of texts in PEM form. They report an error only if it is certain. A text may have several blocks. One valid block is enough,
 * because it is unknown which one a server uses. No message repeats a part of the text, which may be a key.
 */

/** The error of a signer's key: the text must be a public key or a certificate. */
export function publicKeyProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  const isPublic = (block: Block) => isPublicKey(block) || isCertificate(block);
  if (blocks.some((block) => block.isOnLines && isPublic(block))) return undefined;
  if (blocks.some((block) => isPrivateKey(block) || isEncrypted(block)))
    return "must be a public key: this is a private one, which everybody who may read the method would see. It is no longer secret: make a new pair";
  return problemOf(blocks, isPublic, "public key", "PUBLIC KEY");
}

/** The error of a text with the certificates of authorities. */
export function authoritiesProblem(text: string): string | undefined {
  const blocks = blocksOf(text);
  const isRight = text.trim() === "" || blocks.some((block) => block.isOnLines && isCertificate(block));
  return isRight ? undefined : problemOf(blocks, isCertificate, "certificate", "CERTIFICATE");
}

/** The error of a signing key's certificate. Line breaks are not checked, neither here nor in the private key: servers repair them. */
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
  /** Whether the BEGIN and END of the block are lines of their own, as the form requires. */
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
  // As PKCS #1, the library also accepts a private key, and would use its public part.
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
    // The library's message is left out, because it might repeat the text.
    return false;
  }
}
