/** The rules of docs/versions.md: allowed changes of a version. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { namingVersion, withVersion } from "../../tools/generate/version";
import { releases } from "../../tools/release/states";
import { root } from "../../tools/repository";
import { allowsBreaks, breaks } from "./schema-breaks";

const { version } = z.object({ version: z.string() }).parse(jest.requireActual("../../package.json"));
const schema = readFileSync(join(root, "schema.json"), "utf8");
/** The kept releases. There are none before the first release. */
const versions = existsSync(releases) ? readdirSync(releases).sort((a, b) => a.localeCompare(b, "en", { numeric: true })) : [];

test("schema.json breaks no program of the last release, unless the version says so", () => {
  for (const last of versions.slice(-1).filter((one) => !allowsBreaks(one, version))) {
    expect(breaks(JSON.parse(readFileSync(join(releases, last, "schema.json"), "utf8")), JSON.parse(schema))).toEqual([]);
  }
});

test("documents and examples name this version of the package, if any (npm run generate)", () => {
  for (const path of namingVersion()) {
    const text = readFileSync(join(root, path), "utf8");
    expect({ path, text }).toEqual({ path, text: withVersion(text, version) });
  }
});

test("after `npm run generate`, documents and examples name the next version, and neither this one nor an earlier release", () => {
  for (const path of namingVersion()) {
    const next = withVersion(readFileSync(join(root, path), "utf8"), "9.8.7");
    const named = [...next.matchAll(/(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)/g)].map(([name]) => name);
    expect({ path, named: named.filter((name) => name === version || versions.includes(name)) }).toEqual({ path, named: [] });
  }
});

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");

/**
 * The folder of a release in test/releases is made after the release: the commit of the tag has the section of the changelog, but not yet
 * the folder.
 */
const changelogs = [
  { what: "CHANGELOG.md", text: changelog, next: version, released: versions },
  {
    what: "CHANGELOG.md of a commit to be tagged",
    text: "## [Unreleased]\n\n## [9.8.7] - 2026-11-22\n\n## [9.8.6] - 2026-11-21\n",
    next: "9.8.7",
    released: ["9.8.6"],
  },
];

test.each(changelogs)(
  "$what has a section for unreleased changes, and one for each release, the latest first",
  ({ text, next, released }) => {
    const headings = [...text.matchAll(/^## \[(.*?)\](?: - \d{4}-\d\d-\d\d)?$/gm)].map(([, name]) => name);
    const isAboutToBeReleased = headings[1] === next && !released.includes(next);
    expect(headings).toEqual(["Unreleased", ...(isAboutToBeReleased ? [next] : []), ...[...released].reverse()]);
  },
);

const role = "resources.agentpool-acl:index:AclRole";

test.each<[expected: string, from: string, to: string]>([
  ["name", '"name": "agentpool-acl"', '"name": "acl"'],
  ["resources.agentpool-acl:index:AclRole", '"agentpool-acl:index:AclRole": {', '"agentpool-acl:index:Role": {'],
  [`${role}.inputProperties.policies`, '"policies": {', '"policyNames": {'],
  [`${role}.inputProperties.name.type`, '"type": "string"', '"type": "integer"'],
  [`${role}.aliases: {"type":"pulumi-nodejs:dynamic/agentpool-acl:AclRole"}`, "dynamic/agentpool-acl:AclRole", "dynamic/acl:AclRole"],
  [`${role}.requiredInputs: "description"`, '"requiredInputs": [', '"requiredInputs": ["description",'],
  [`${role}.inputProperties.description.default`, '"default": ""', '"default": "none"'],
  [`${role}.inputProperties.name.replaceOnChanges`, '"name": {', '"name": { "replaceOnChanges": true,'],
])("a made-up break of a program is found at %s", (expected, from, to) => {
  const [owner = ""] = /^\w+\.(?:agentpool-acl:index:\w+)?/.exec(expected) ?? [];
  const begin = owner === "" ? 0 : schema.indexOf(`"${owner.slice(owner.indexOf(".") + 1)}": {`);
  const rest = schema.slice(begin);
  const at = expected.includes("inputProperties") ? rest.indexOf(from, rest.indexOf('"inputProperties"')) : rest.indexOf(from);
  expect(at).toBeGreaterThanOrEqual(0);
  const changed = schema.slice(0, begin) + rest.slice(0, at) + to + rest.slice(at + from.length);
  expect(breaks(JSON.parse(schema), JSON.parse(changed))).toContain(expected);
});

test("a new function and new descriptions break nothing", () => {
  const other = schema
    .replaceAll(/"description": "/g, '"description": "In other words: ')
    .replace('"functions": {', '"functions": { "agentpool-acl:index:getNote": {},');
  expect(breaks(JSON.parse(schema), JSON.parse(other))).toEqual([]);
});

test.each([
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.1.9", false],
  ["0.1.0", "0.2.0", true],
  ["0.9.1", "1.0.0", true],
  ["1.2.3", "1.3.0", false],
  ["1.2.3", "2.0.0", true],
  ["1.2.3", "0.9.0", false],
])("between %s and %s breaks are allowed: %s", (from, to, isAllowed) => {
  expect(allowsBreaks(from, to)).toBe(isAllowed);
});
