import { capitalized } from "../../common/label";
import { resources } from "../../provider/internal";
import { type InventoryObject, resourceOf } from "../inventory/inventory";

/** The languages of programs. */
export const languages = ["typescript", "python", "go", "yaml"] as const;
export type Language = (typeof languages)[number];

/** Reserved names: words of the languages, and names that programs or their files use. */
const reserved = new Set([
  ...resources.map(({ kind }) => kind.toLowerCase()),
  ...(
    "abstract and any append as assert async await bool boolean break byte cap case catch chan char class clear close const continue copy debugger declare def default defer del delete do " +
    "elif else enum error eval except export extends fallthrough false finally float for from func function get global go goto id if implements import in input int interface is iota " +
    "is lambda len let list main make map max min module namespace new nil none nonlocal not null number object of open or package panic pass print private protected public raise range " +
    "real recover require return rune select self set static str string struct super switch symbol this throw true try tuple type typeof undefined uint unknown using var void while with " +
    "yield arguments exports acl agentpoolacl config ctx err pulumi settings nan infinity globalthis process console complex complex64 complex128 " +
    "float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 uintptr dict bytes property super object hash iter next sum vars zip pools roles rules methods tokens readfilesync"
  ).split(" "),
]);

/** Windows device names, which no file can have, with any extension. */
const device = /^(aux|con|nul|prn|com\d|lpt\d)$/;

/** Gives out each name once, ignoring letter case. */
export class Names {
  private readonly taken = new Set<string>();

  /** Takes the first free name, or the last one with a number. */
  take(bases: readonly string[]): string {
    const isFree = (name: string) => !this.taken.has(name.toLowerCase());
    const last = bases.at(-1) ?? "object";
    let free = bases.find(isFree) ?? last;
    for (let number = 2; !isFree(free); number += 1) free = /[A-Za-z]$/.test(last) ? `${last}${number}` : `${last}_${number}`;
    this.taken.add(free.toLowerCase());
    return free;
  }
}

/** The word for a kind in names: the last word of its label. */
export function wordOf(kind: string): string {
  return resourceOf(kind)?.label.split(" ").at(-1) ?? kind.toLowerCase();
}

/** The file names for an object in the order of preference. The last one is valid on every system. */
export function fileNamesOf({ kind, name }: InventoryObject): string[] {
  return namesFrom(name, kind).filter((base, index) => index > 0 || !device.test(base.toLowerCase()));
}

/** The names of a resource in the order of preference: the object's name, or a rule's effect. */
export function nameBases({ kind, name, outputs }: InventoryObject): string[] {
  const { authMethod, bindType, bindName, organization } = outputs;
  const what = typeof authMethod === "string" ? `${authMethod}-${bindType === "management" ? "management" : String(bindName)}` : name;
  const [base = "", ...more] = namesFrom(what, kind);
  return [base, ...more, ...(typeof organization === "string" ? [`${slug(organization)}-${base}`] : [])];
}

/** A text as the name of a resource, without and with its kind. */
export function namesFrom(text: string, kind: string): string[] {
  const word = wordOf(kind);
  const base = slug(text) || word;
  return [base, `${base}-${word}`];
}

/** Letters, digits, dashes and underscores of a text. */
function slug(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 140);
}

/** The variables of a resource in the order of preference. */
export function identifierOf(resourceName: string, kind: string, spell: (name: string) => string): string[] {
  const word = wordOf(kind);
  const plain = spell(resourceName);
  const isReserved = reserved.has(plain.toLowerCase()) || device.test(plain.toLowerCase());
  const isUsable = /^[A-Za-z]/.test(plain) && !isReserved;
  const withWord = /^[A-Za-z]/.test(plain) ? spell(`${resourceName}-${word}`) : spell(`${word}-${resourceName}`);
  return isUsable ? [plain, withWord] : [withWord];
}

/** "team-alpha" becomes teamAlpha. */
export function camelCase(name: string): string {
  const [first = "", ...rest] = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  const start = /^[A-Z]+$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1);
  return start + rest.map(capitalized).join("");
}

/** "teamAlpha" and "team-alpha" become team_alpha. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}

/** The singular: "listPoliciesPolicies" becomes "listPoliciesPolicy". */
export function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}

/** The name of an enumeration's value in SDKs: "global" becomes Global, "-name" NameDescending. */
export function enumName(value: string): string {
  return value.replace(/^-(.*)$/, "$1-descending").replace(/(^|[-_])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
