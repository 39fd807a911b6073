/** What a version may change: docs/versions.md. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { described } from "../../tools/engines/changes";
import { adapterNames, engineNames } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { namingVersion, withVersion } from "../../tools/generate/version";
import { recordedAddresses, recordRelease, releases, stateFile } from "../../tools/release/states";
import { root } from "../../tools/repository";
import { isFull } from "../support/extent";
import { whyWithoutCli } from "../support/without-cli";
import { allowsBreaks, breaks } from "./schema-breaks";

const { version } = z.object({ version: z.string() }).parse(jest.requireActual("../../package.json"));
const schema = readFileSync(join(root, "schema.json"), "utf8");
/** None before the first release. */
const versions = existsSync(releases) ? readdirSync(releases).sort((a, b) => a.localeCompare(b, "en", { numeric: true })) : [];

/** This version as `npm run release -- --record` keeps it. */
const recorded = mkdtempSync(join(tmpdir(), "agentpool-acl-release-"));
beforeAll(() => recordRelease(version, recorded));
afterAll(() => rmSync(recorded, { recursive: true }));

test("schema.json breaks no program of the last release, unless the version says so", () => {
  for (const last of versions.slice(-1).filter((one) => !allowsBreaks(one, version))) {
    expect(breaks(JSON.parse(readFileSync(join(releases, last, "schema.json"), "utf8")), JSON.parse(schema))).toEqual([]);
  }
});

test.each(namingVersion())("%s names this version of the package, if any (npm run generate)", (path) => {
  const text = readFileSync(join(root, path), "utf8");
  expect(text).toBe(withVersion(text, version));
});

test.each(namingVersion())(
  "%s names the next version everywhere after `npm run generate`, and neither this one nor an earlier release",
  (path) => {
    const next = withVersion(readFileSync(join(root, path), "utf8"), "9.8.7");
    const named = [...next.matchAll(/(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)/g)].map(([name]) => name);
    expect(named.filter((name) => name === version || versions.includes(name))).toEqual([]);
  },
);

const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");

/** A release is kept in test/releases after it was made: the commit of its tag has its section, and not yet its folder. */
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
  "$what has a section for what is not released yet, and one for each release, the latest first",
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

test("what is new, or said in other words, breaks nothing", () => {
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

/** Nothing listens there: a preview without a refresh sends no request. */
const configuration = {
  config: {
    "agentpool-acl:poolsAddress": recordedAddresses.pools,
    "agentpool-acl:organization": "example-org",
    "agentpool-acl:clusterAddress": recordedAddresses.cluster,
  },
  secretConfig: { "agentpool-acl:poolsToken": "never-sent", "agentpool-acl:clusterToken": "never-sent" },
};

const states = [...versions, "this version"].flatMap((release) => adapterNames.map((adapter) => ({ release, adapter })));
const folderOf = (release: string) => (release === "this version" ? recorded : join(releases, release));

describe.each(states)("the state that $release writes through the $adapter adapter", ({ release, adapter }) => {
  test.each(engineNames)("is no change for the same program: %s", async (engineName) => {
    const reason = engineName === "cli" && whyWithoutCli();
    if (reason) return console.log(`The state of the Pulumi CLI was left out, because ${reason}.`);
    const folder = folderOf(release);
    const state = readFileSync(join(folder, "states", stateFile(engineName, adapter)), "utf8");
    const project = { folder: join(folder, "program"), adapter, ...configuration };
    await withEngine(engineName, project, async (engine) => {
      await engine.restore(state);
      expect(await engine.resources()).toHaveLength(10);
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
      if (!isFull) return;
      const index = join(engine.folder, "index.js");
      writeFileSync(index, readFileSync(index, "utf8").replaceAll('"read-only"', '"read-write"'));
      const { changes } = await engine.run("preview");
      expect(changes.map(described).sort()).toEqual([
        "update AclBindingRule policy",
        "update AclRole developers",
        "update AclRole ignored",
      ]);
    });
  });
});

test("the kept states have no path of the machine that wrote them, and no secret that can be read", () => {
  const folders = [...versions, "this version"].map((release) => join(folderOf(release), "states"));
  const kept = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  expect(kept.length).toBeGreaterThanOrEqual(2 * folders.length);
  for (const text of kept.map((path) => readFileSync(path, "utf8"))) {
    expect(text).not.toMatch(/secret-of-the-program|127\.0\.0\.1|file:\/\/|project:\/\/\/\.\.|"\/(home|root|tmp|Users)\//);
  }
});
