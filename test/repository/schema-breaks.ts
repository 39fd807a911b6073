import { isRecord } from "../../common/unknown";

/** The parts of schema.json that programs and states rely on; the other parts are for people and for SDK generators. */
const parts = ["name", "config", "provider", "resources", "functions", "types"];
const texts = new Set(["description", "isOverlay", "overlaySupportedLanguages"]);
/** The keys whose addition breaks programs, too. */
const restrictions = new Set(["default", "replaceOnChanges", "plain"]);

/** The places where a newer schema.json lacks or restricts a part of the older one. A required property that becomes optional counts as a break. */
export function breaks(older: unknown, newer: unknown): string[] {
  if (!isRecord(older) || !isRecord(newer)) throw new Error("a schema is an object");
  return parts.flatMap((part) => differences(older[part], newer[part], part));
}

/** Whether semantic versioning allows breaks between two versions: a new major version, or before 1.0.0 a new minor one. */
export function allowsBreaks(from: string, to: string): boolean {
  const [older, newer] = [from, to].map((version) => version.split(".").map(Number));
  const [[fromMajor = 0, fromMinor = 0] = [], [toMajor = 0, toMinor = 0] = []] = [older, newer];
  return toMajor > fromMajor || (toMajor === 0 && fromMajor === 0 && toMinor > fromMinor);
}

function differences(older: unknown, newer: unknown, path: string): string[] {
  if (Array.isArray(older) && Array.isArray(newer)) {
    const all: unknown[] = /\.required\w*$/.test(path) ? [...older, ...newer] : older;
    const [was, is] = [older, newer].map((list) => new Set(list.map((one: unknown) => JSON.stringify(one))));
    return all.map((one) => JSON.stringify(one)).flatMap((one) => (was?.has(one) && is?.has(one) ? [] : [`${path}: ${one}`]));
  }
  if (isRecord(older) && isRecord(newer)) {
    const added = Object.keys(newer).filter((key) => restrictions.has(key) && !(key in older));
    const kept = Object.keys(older).filter((key) => !texts.has(key) || isRecord(older[key]));
    return [...kept, ...added].flatMap((key) => differences(older[key], newer[key], `${path}.${key}`));
  }
  return JSON.stringify(older) === JSON.stringify(newer) ? [] : [path];
}
