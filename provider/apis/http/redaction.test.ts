import fc from "fast-check";
import { sizeOf } from "../../../test/support/extent";
import { oneLine, withheld } from "./redaction";
import { readErrorBody } from "./response";

type Spell = (text: string) => string;
const utf16 = (text: string, pattern: RegExp, form: (code: string) => string) =>
  text.replace(pattern, (one) =>
    [...Array(one.length).keys()].map((at) => form(one.charCodeAt(at).toString(16).padStart(4, "0"))).join(""),
  );
const entity = (text: string, form: (point: number) => string) => [...text].map((one) => form(one.codePointAt(0) ?? 0)).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");

const escapes: Record<string, Spell> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "Go's JSON": (text) => utf16(JSON.stringify(text).slice(1, -1), /[&<>]/g, (code) => `\\u${code}`),
  "PHP's JSON": (text) => utf16(JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"), /[^ -~]/g, (code) => `\\u${code}`),
  "JSON with every letter escaped": (text) => utf16(text, /[\s\S]/g, (code) => `\\u${code.toUpperCase()}`),
  "HTML names": (text) =>
    text.replace(/[&<>"'/]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[one] ?? "&#x2F;"),
  "HTML numbers": (text) => entity(text, (point) => `&#${point};`),
  "HTML hexadecimal numbers": (text) => entity(text, (point) => `&#X${point.toString(16)};`),
  percent: (text) => encodeURIComponent(text),
  "percent in lower case": (text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  "every byte in percent": (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "a form": (text) => new URLSearchParams({ a: text }).toString().slice(2),
  base64: (text) => base64(text),
  "base64 after one byte": (text) => base64(`:${text}:`),
  "base64 after two bytes": (text) => base64(`u:${text}`),
  "base64url without padding": (text) => Buffer.from(`id:${text}`).toString("base64url"),
  "base64 after letters": (text) => `xyz${base64(text)}`,
  "base64 in lines": (text) => base64(`${"x".repeat(60)}${text}`).replace(/.{76}/g, "$&\r\n"),
};
const single = Object.entries(escapes);
const nested = single.flatMap(([outer, spell]) =>
  single.map(([inner, first]) => [`${inner} in ${outer}`, (text: string) => spell(first(text))] as const),
);
const sample = "kX9/vQ&7pL<2mN8+zT4w==";
const odd = `p\u00e4ss w\u00f6rd "\\/" \u{1f511} 'x'`;

test("a secret and each of its lines are removed, and the rest stays", () => {
  expect(oneLine(`refused: (${sample}) and\t(${odd}) are no good`, [odd, sample])).toBe("refused: (<secret>) and (<secret>) are no good");
  const key = `-----BEGIN PRIVATE KEY-----\n${"k".repeat(64)}\n${"l".repeat(20)}\n-----END PRIVATE KEY-----\n`;
  expect(oneLine(JSON.stringify({ key }), [key])).toBe('{"key":"<secret>\\n<secret>\\n<secret>\\n<secret>\\n"}');
});

test.each([...single, ...nested])("a text with a secret in %s is not shown", (_, spell) => {
  for (const secret of [sample, odd]) {
    expect(["<secret>", withheld]).toContain(oneLine(spell(secret), [secret]));
    expect(oneLine(`refused by policy: (${spell(secret)}) is no good`, [secret])).not.toContain(spell(secret));
  }
});

test("the placeholder of a secret is not searched for other secrets, even very short and repeated ones", () => {
  expect(oneLine("unknown token: secret, ecre", ["secret", "ecre", "ecre", "<sec"])).toBe("unknown token: <secret>, <secret>");
});

test.each(["e", "TTL", "\u00fc"])(
  "a text with a secret as short as %s is withheld as a whole, and a text without it stays unchanged",
  (secret) => {
    expect(oneLine("invalid MaxTokenTTL value f\u00fcr 1", [secret])).toBe(withheld);
    expect(oneLine("no pool", [secret, ""])).toBe("no pool");
  },
);

test.each(single)("a body with eight characters of a secret in %s is not shown", (_, spell) => {
  const part = sample.slice(5, 13);
  for (const body of [part, `{"errors":[{"title":"no","detail":"got ${part}"}]}`, `<html><title>Blocked</title>${part}</html>`]) {
    const text = body.replace(part, () => spell(part));
    const { detail, texts } = readErrorBody(text, body.startsWith("<") ? "text/html" : "application/json", [sample]);
    expect({ detail, texts }).toEqual({ detail: withheld, texts: [] });
  }
});

test("a body with a secret in another letter case is not shown", () => {
  for (const text of ["8F2C-A1B7-4D3E", "got 8F2c-A1b7-9"]) {
    expect(readErrorBody(text, "", ["8f2c-a1b7-4d3e"]).detail).toBe(withheld);
  }
});

test("seven characters in a row, and the lines around a key, do not count as a part of a secret", () => {
  expect(readErrorBody(`got ${sample.slice(0, 7)}`, "", [sample]).detail).toBe(`got ${sample.slice(0, 7)}`);
  const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n";
  expect(readErrorBody("expected BEGIN PRIVATE KEY", "", [key]).detail).toBe("expected BEGIN PRIVATE KEY");
});

test("a long text is never cut within a character", () => {
  expect(oneLine(`${"a".repeat(499)}\u{1f511}b`, [])).toBe(`${"a".repeat(499)}...`);
});

test("no random secret in one or two of these encodings is readable in the shown text", () => {
  const secrets = fc.string({ unit: "grapheme", minLength: 8, maxLength: 60 }).filter((text) => text.trim().length > 7);
  fc.assert(
    fc.property(secrets, fc.constantFrom(...single, ...nested), fc.string({ maxLength: 20 }), (secret, [, spell], around) => {
      const { detail, texts } = readErrorBody(`${around}${spell(secret)}${around}`, "", [secret]);
      for (const shown of [detail, ...texts]) {
        expect(shown.includes(secret) || shown.includes(spell(secret))).toBe(false);
        expect([shown, withheld]).toContain(oneLine(shown, [secret]));
      }
    }),
    { numRuns: sizeOf({ quick: 100, full: 300 }) },
  );
});

test.each([
  ["escapes", "\\u0026&amp;%26"],
  ["base64", "aGVsbG8gd29ybGQhISEh"],
  ["backslashes", "\\"],
  ["one letter", "a"],
  ["ampersands", "&#"],
])("a long body of %s takes less than two seconds of processor time", (_, part) => {
  const secrets = [sample, `-----BEGIN PRIVATE KEY-----\n${`${"k".repeat(63)}\n`.repeat(40)}-----END PRIVATE KEY-----\n`];
  const startedAt = process.cpuUsage();
  const text = part.repeat(2_000_000 / part.length);
  const errors = `{"errors":[${Array(10_000).fill('{"detail":"no"}').join()}]}`;
  for (const body of [text, errors]) expect(readErrorBody(body, "", secrets).detail.length).toBeLessThan(1_000);
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});
