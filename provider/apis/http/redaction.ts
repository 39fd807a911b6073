/**
 * Takes secrets out of texts that a server or a proxy wrote. Either may repeat a part of a request, escaped as its own language does. So the
 * text is compared in every form that its escapes can be read as, and a secret is taken out where it stands in the text as it came.
 */

/** A shorter secret occurs in many words by chance: removing it would spoil the text, and show where it was. */
export const shortestSecret = 4;

/** Shorter lines of a secret occur in any text. */
const shortestLine = 16;

/** So many characters of a secret in a row are taken for a part of it. */
const partLength = 8;

/** The rest of a longer text is neither read nor shown: a hostile one costs no more than this. */
const longestRead = 4_000;

const leftOut = "(not shown: it holds the letters of a secret that is too short to be taken out)";

/** The text without the secrets. Of a text longer than 4,000 characters the beginning. */
export function withoutSecrets(given: string, secrets: readonly string[]): string {
  // Bodies are compared once more without any secret, to decide what an error means.
  if (!secrets.some((secret) => secret !== "")) return given;
  const text = given.slice(0, longestRead).replaceAll("\0", " ");
  if (secrets.some((secret) => secret !== "" && secret.length < shortestSecret && text.includes(secret))) return leftOut;
  const whole = secrets.filter((secret) => secret.length >= shortestSecret);
  const lines = whole.flatMap((secret) => secret.split(/\r?\n/)).filter((line) => line.length >= shortestLine);
  const needles = [...new Set([...whole, ...lines])].map(bytesOf);
  const original = viewOf(text);
  const places = viewsOf(original).flatMap((view) => needles.flatMap((needle) => placesOf(needle, view)));
  return textOf(cutOut(original.bytes, places));
}

/** Whether eight characters in a row of a secret are in the text, in any letter case. The text has no whole secret any more. */
export function holdsPart(text: string, secrets: readonly string[]): boolean {
  const parts = new Map<number, Set<string>>();
  for (const secret of secrets) {
    // The first and last line of a key are the same in all of them.
    const characters = [...secret.replace(/-----(BEGIN|END) [A-Z0-9 ]+-----/g, "\n")];
    for (let at = 0; at + partLength <= characters.length; at++) {
      const part = bytesOf(characters.slice(at, at + partLength).join("")).toLowerCase();
      parts.set(part.length, (parts.get(part.length) ?? new Set()).add(part));
    }
  }
  if (parts.size === 0) return false;
  const views = viewsOf(viewOf(text.slice(0, longestRead).replaceAll("<secret>", "\0")));
  return views.some((view) => {
    const bytes = view.bytes.toLowerCase();
    return [...parts].some(([length, set]) => {
      for (let at = 0; at + length <= bytes.length; at++) if (set.has(bytes.slice(at, at + length))) return true;
      return false;
    });
  });
}

/** A reading of the text: its UTF-8 bytes as characters, and for each the bytes of the original text that it stands for. */
interface View {
  readonly bytes: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function viewOf(text: string): View {
  const bytes = bytesOf(text);
  const from = Array.from(bytes, (_, at) => at);
  return { bytes, from, to: from.map((at) => at + 1) };
}

type Decoder = (view: View) => View | undefined;

/** The text as it is, decoded once, and decoded twice: a page may hold JSON, and a log line the JSON of JSON. */
function viewsOf(original: View): View[] {
  const once = decoders.flatMap((decode) => decode(original) ?? []);
  const twice = once.flatMap((view) => decoders.flatMap((decode) => decode(view) ?? []));
  return [original, ...once, ...twice];
}

const escapes: readonly (readonly [pattern: RegExp, decode: (match: RegExpExecArray) => string | undefined])[] = [
  // JSON, and the strings of most languages.
  [
    /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([^ux]))/gi,
    ([, high, low, unit, point, byte, plain]) => {
      if (high && low) return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
      if (byte) return String.fromCharCode(Number.parseInt(byte, 16));
      return plain === undefined ? character(unit ?? point, 16) : (controls.get(plain) ?? plain);
    },
  ],
  // HTML and XML.
  [
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi,
    ([, hexadecimal, decimal, name = ""]) =>
      hexadecimal ? character(hexadecimal, 16) : decimal ? character(decimal, 10) : entities.get(name),
  ],
  // Addresses, and forms, which have a plus for a space.
  [/%([0-9a-f]{2})/gi, ([, byte = ""]) => String.fromCharCode(Number.parseInt(byte, 16))],
  [/%([0-9a-f]{2})|\+/gi, ([, byte]) => (byte ? String.fromCharCode(Number.parseInt(byte, 16)) : " ")],
];

const controls = new Map(Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }));

/** The characters that need or often get a name in HTML. */
const entities = new Map(
  Object.entries({
    ...{ amp: "&", AMP: "&", lt: "<", LT: "<", gt: ">", GT: ">", quot: '"', QUOT: '"', apos: "'", grave: "`", sol: "/", bsol: "\\" },
    ...{
      plus: "+",
      equals: "=",
      lowbar: "_",
      colon: ":",
      semi: ";",
      comma: ",",
      period: ".",
      excl: "!",
      quest: "?",
      num: "#",
      dollar: "$",
    },
    ...{ percnt: "%", ast: "*", midast: "*", lpar: "(", rpar: ")", lsqb: "[", lbrack: "[", rsqb: "]", rbrack: "]", lcub: "{", lbrace: "{" },
    ...{ rcub: "}", rbrace: "}", verbar: "|", vert: "|", Hat: "^", commat: "@", Tab: "\t", NewLine: "\n", nbsp: " " },
  }),
);

function character(digits: string | undefined, base: number): string | undefined {
  const code = Number.parseInt(digits ?? "", base);
  return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : undefined;
}

/** In base64 a secret may begin at any of three places of a group, and other letters may stand before the group. */
const decoders: readonly Decoder[] = [
  ...escapes.map(
    ([pattern, decode]): Decoder =>
      (view) =>
        decodeEscapes(view, pattern, decode),
  ),
  ...[0, 1, 2, 3].map(
    (shift): Decoder =>
      (view) =>
        decodeBase64(view, shift),
  ),
];

function decodeEscapes(view: View, pattern: RegExp, decode: (match: RegExpExecArray) => string | undefined): View | undefined {
  const [parts, from, to]: [string[], number[], number[]] = [[], [], []];
  let done = 0;
  const keep = (end: number) => {
    parts.push(view.bytes.slice(done, end));
    for (let at = done; at < end; at++) {
      from.push(view.from[at] ?? 0);
      to.push(view.to[at] ?? 0);
    }
  };
  for (const match of view.bytes.matchAll(pattern)) {
    const decoded = decode(match);
    if (decoded === undefined) continue;
    const end = match.index + match[0].length;
    keep(match.index);
    parts.push(decoded);
    for (let byte = 0; byte < decoded.length; byte++) {
      from.push(view.from[match.index] ?? 0);
      to.push(view.to[end - 1] ?? 0);
    }
    done = end;
  }
  if (done === 0) return undefined;
  keep(view.bytes.length);
  return { bytes: parts.join(""), from, to };
}

/** In both alphabets; eight bytes have eleven letters. Long ones are broken into lines. */
const base64Run = /[\w+/-]{11,}={0,2}(?:\r?\n[\w+/-]+={0,2})*/g;

function decodeBase64({ bytes, from, to }: View, shift: number): View | undefined {
  const decoded: [string[], number[], number[]] = [[], [], []];
  for (const { index, 0: run } of bytes.matchAll(base64Run)) {
    const letters = [...run].flatMap((letter, at) => (/[\r\n=]/.test(letter) ? [] : [index + at])).slice(shift);
    const read = Buffer.from(letters.map((at) => bytes[at]).join(""), "base64");
    decoded[0].push(read.toString("latin1"), "\0");
    for (let byte = 0; byte <= read.length; byte++) {
      const [first = 0, last = 0] = [
        letters[Math.floor((byte * 4) / 3)],
        letters[Math.min(Math.floor((byte * 4 + 5) / 3), letters.length - 1)],
      ];
      decoded[1].push(from[first] ?? 0);
      decoded[2].push(to[last] ?? 0);
    }
  }
  return decoded[0].length === 0 ? undefined : { bytes: decoded[0].join(""), from: decoded[1], to: decoded[2] };
}

type Place = readonly [from: number, to: number];

/** Where a text stands in a view, as places of the original. */
function placesOf(needle: string, { bytes, from, to }: View): Place[] {
  const places: Place[] = [];
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
    places.push([from[at] ?? 0, to[at + needle.length - 1] ?? 0]);
  }
  return places;
}

function cutOut(bytes: string, places: readonly Place[]): string {
  const parts: string[] = [];
  let done = 0;
  let isOpen = false;
  for (const [from, to] of [...places].sort(([a, b], [c, d]) => a - c || d - b)) {
    if (isOpen && from < done) {
      done = Math.max(done, to);
      continue;
    }
    parts.push(bytes.slice(done, from), "<secret>");
    done = to;
    isOpen = true;
  }
  return [...parts, bytes.slice(done)].join("");
}
