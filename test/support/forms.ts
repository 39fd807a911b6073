// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
import { certificates, ellipticKeys, encryptedKey, privateKeys, publicKeys } from "./pem";

/** Selectors of a valid form, and selectors of a wrong form with the message of the check. */
export const selectors = {
  right: ['value.team == "ops"', "any list.groups as g { g matches `^ops-` }"],
  wrong: [["a ==", "must be a boolean expression: expected a value, at its end (column 5)"]],
} as const;

const unread = 'must be a template: between "${" and "}", a name such as "${value.team}" is expected, but the content can\'t be read, at';
export const templates = [
  [
    "team-${value.team",
    'must be a template: a "${" is not closed; if the characters themselves are meant, write "$${"; at its end (column 18)',
  ],
  ["team-${}", `${unread} column 8 ("}")`],
  ["a\n-${value team}", `${unread} line 2, column 10 ("t")`],
  ["${1a}", `${unread} column 3 ("1")`],
] as const;

const noAddress = "must be an address like https://idp.example.com";
export const addresses = {
  right: ["https://idp.example.com/x", "HTTP://user@[::1]:8080/?q#f"],
  wrong: [
    ["idp.example.com", noAddress],
    ["ftp://idp.example.com", noAddress],
    ["https:idp.example.com", noAddress],
    ["https:///x", noAddress],
    ["https://idp.example.com/\n", noAddress],
    ["https://idp example.com", "must not have a space in its host"],
    ["https://idp.example.com:port", "must have a number for its port"],
  ],
} as const;
export const redirects = {
  right: ["http://localhost:4649/oidc/callback", "https://ui.example.com/callback"],
  wrong: [
    ["", "must be a whole address, like http://localhost:4649/oidc/callback"],
    ["/oidc/callback", "must be a whole address, like http://localhost:4649/oidc/callback"],
  ],
} as const;

export const noBlock = (label: string) => `it has no block between -----BEGIN ${label}----- and -----END ${label}-----`;
export const notCertificates = [
  ["hunter2", `must be a certificate in PEM form: ${noBlock("CERTIFICATE")}`],
  [publicKeys[0], "must be a certificate in PEM form: its block contains something else"],
] as const;
const onLines = (label: string) => `-----BEGIN ${label}----- and -----END ${label}----- must be lines of their own`;
export const certificateLines = [
  certificates[0].replaceAll("\n", ""),
  `must be a certificate in PEM form: ${onLines("CERTIFICATE")}`,
] as const;
const isPrivate =
  "must be a public key: this is a private one, which everybody who may read the method would see. It is no longer secret: make a new pair";
export const notPublicKeys = [
  ["", `must be a public key in PEM form: ${noBlock("PUBLIC KEY")}`],
  ["hunter2", `must be a public key in PEM form: ${noBlock("PUBLIC KEY")}`],
  [
    `-----BEGIN PUBLIC KEY-----\nhunter2\n-----END PUBLIC KEY-----\n`,
    "must be a public key in PEM form: its block contains something else",
  ],
  [publicKeys[0].replaceAll("\n", ""), `must be a public key in PEM form: ${onLines("PUBLIC KEY")}`],
  [privateKeys[0], isPrivate],
  [encryptedKey, isPrivate],
  [ellipticKeys.privateKey, isPrivate],
] as const;
