/** Quoted texts of HCL 1 and of the JSON that its library reads, as servers unquote them. */

const ESCAPE = /^\\(?:([abfnrtv\\"])|([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/;
const CONTROLS: { readonly [letter: string]: number } = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, '"': 34 };

const encoder = new TextEncoder();

/** The text of a quoted one in HCL. An interpolation `${...}` stays as it is. Undefined if it can't be read. */
export function unquotedHcl(quoted: string): string | undefined {
  const body = quoted.slice(1, -1);
  if (!/[${]/.test(body) && body.includes("\n")) return undefined;
  return unquoted(body, interpolationEnd, (code) => (code > 0x10ffff ? undefined : isSurrogate(code) ? 0xfffd : code));
}

/** The text of a quoted one in JSON. An escape of half a character is not valid. */
export function unquotedJson(quoted: string): string | undefined {
  return unquoted(
    quoted.slice(1, -1),
    (_, at) => at,
    (code) => (code > 0x10ffff || isSurrogate(code) ? undefined : code),
  );
}

/**
 * @param skipped where what begins at a position and stays as it is ends: the position itself if nothing does, undefined if it never ends
 * @param character the character of an escape by its number
 */
function unquoted(
  body: string,
  skipped: (body: string, at: number) => number | undefined,
  character: (code: number) => number | undefined,
): string | undefined {
  if (!/[\\$"\n]/.test(body)) return body;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const end = skipped(body, at);
    if (end === undefined) return undefined;
    if (end > at) {
      parts.push(encoder.encode(body.slice(at, end)));
      at = end;
      continue;
    }
    if (body[at] === "\n" || body[at] === '"') return undefined;
    if (body[at] !== "\\") {
      const plain = /^[^\\\n"$]+|^\$/.exec(body.slice(at))?.[0] ?? "";
      parts.push(encoder.encode(plain));
      at += plain.length;
      continue;
    }
    const found = ESCAPE.exec(body.slice(at));
    const bytes = found ? bytesOf(found, character) : undefined;
    if (!found || !bytes) return undefined;
    parts.push(bytes);
    at += found[0].length;
  }
  const bytes = new Uint8Array(parts.flatMap((part) => [...part]));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The bytes of an escape: octal and two hexadecimal digits are one byte each, others a character. */
function bytesOf([, control, octal, byte, short, long]: RegExpExecArray, character: (code: number) => number | undefined) {
  if (control !== undefined) return new Uint8Array([CONTROLS[control] ?? 0]);
  const single = octal === undefined ? Number.parseInt(byte ?? "", 16) : Number.parseInt(octal, 8);
  if (!Number.isNaN(single)) return single > 255 ? undefined : new Uint8Array([single]);
  const code = character(Number.parseInt(short ?? long ?? "", 16));
  return code === undefined ? undefined : encoder.encode(String.fromCodePoint(code));
}

function interpolationEnd(body: string, at: number): number | undefined {
  if (!body.startsWith("${", at)) return at;
  let depth = 1;
  for (let end = at + 2; end < body.length; end++) {
    if (body[end] === "{") depth++;
    if (body[end] === "}") depth--;
    if (depth === 0) return end + 1;
  }
  return undefined;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
