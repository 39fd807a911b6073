/** What a version may change: docs/versions.md. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { isRecord } from "../../common/unknown";
import { described } from "../../tools/engines/changes";
import { adapterNames, engineNames } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { namingVersion, withVersion } from "../../tools/generate/version";
import { recordedAddresses, releases, stateFile } from "../../tools/release/states";
import { root } from "../../tools/repository";
import { isFull } from "../support/extent";
import { whyWithoutCli } from "../support/without-cli";
import { allowsBreaks, breaks } from "./schema-breaks";

const { version } = z.object({ version: z.string() }).parse(jest.requireActual("../../package.json"));
const schema = readFileSync(join(root, "schema.json"), "utf8");
const versions = readdirSync(releases).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
const last = versions.at(-1) ?? "";
const lastSchema = readFileSync(join(releases, last, "schema.json"), "utf8");

test("schema.json breaks no program of the last release, unless the version says so", () => {
  if (allowsBreaks(last, version)) return;
  expect(breaks(lastSchema, schema)).toEqual([]);
});

test("each release is a folder of its own, whose schema has its version", () => {
  expect(versions).toContain("0.1.0");
  for (const one of versions) {
    expect(JSON.parse(readFileSync(join(releases, one, "schema.json"), "utf8"))).toMatchObject({ version: one });
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
  { what: "CHANGELOG.md", text: changelog, next: version },
  {
    what: "CHANGELOG.md of a commit to be tagged",
    text: `## [Unreleased]\n\n## [9.8.7] - 2026-11-22\n\n${changelog.slice(changelog.indexOf(`## [${last}]`))}`,
    next: "9.8.7",
  },
];

test.each(changelogs)("$what has a section for what is not released yet, and one for each release, the latest first", ({ text, next }) => {
  const headings = [...text.matchAll(/^## \[(.*?)\](?: - \d{4}-\d\d-\d\d)?$/gm)].map(([, name]) => name);
  const released = [...versions].reverse();
  const isAboutToBeReleased = headings[1] === next && !released.includes(next);
  expect(headings).toEqual(["Unreleased", ...(isAboutToBeReleased ? [next] : []), ...released]);
});

type Edit = readonly [path: readonly string[], value?: unknown];

/** The last release's schema with these values set; without a value, the entry is removed. */
function edited(...edits: readonly Edit[]): string {
  const whole: unknown = JSON.parse(lastSchema);
  for (const [path, value] of edits) {
    const [name = "", ...owners] = [...path].reverse();
    const owner = owners.reverse().reduce((value, key) => (isRecord(value) ? value[key] : undefined), whole);
    if (!isRecord(owner)) throw new Error(`the schema has no ${path.join(" ")}`);
    if (value === undefined && !(name in owner)) throw new Error(`the schema has no ${path.join(" ")}`);
    owner[name] = value;
  }
  return JSON.stringify(whole);
}

const token = (name: string) => `agentpool-acl:index:${name}`;
const role = ["resources", token("AclRole")];
const config = ["types", token("AclAuthMethodConfig")];

const madeUp: readonly (readonly [expected: string, path: readonly string[], value?: unknown])[] = [
  ["the package agentpool-acl is called acl", ["name"], "acl"],
  ["the resource agentpool-acl:index:AclRole is missing", role],
  [`${token("AclRole")}: the alias pulumi-nodejs:dynamic/agentpool-acl:AclRole is missing`, [...role, "aliases"], []],
  [`the input ${token("AclRole")}.policies is missing`, [...role, "inputProperties", "policies"]],
  [`the output ${token("AclRole")}.hash is missing`, [...role, "properties", "hash"]],
  [`the input ${token("AclRole")}.description is required`, [...role, "requiredInputs"], ["name", "description"]],
  [
    `the output ${token("AclRole")}.name may have no value`,
    [...role, "required"],
    ["policies", "description", "adopt", "createIndex", "modifyIndex", "server"],
  ],
  [
    `the type of the input ${token("AclRole")}.policies[] was string, and is integer`,
    [...role, "inputProperties", "policies", "items"],
    { type: "integer" },
  ],
  [`the type of the output ${token("AclRole")}.hash was string, and is integer`, [...role, "properties", "hash"], { type: "integer" }],
  [`the input ${token("AclRole")}.adopt can't be string`, [...role, "inputProperties", "adopt", "oneOf"], [{ type: "boolean" }]],
  [
    `the output ${token("AclRole")}.adopt may be number`,
    [...role, "properties", "adopt", "oneOf"],
    [{ type: "boolean" }, { type: "string" }, { type: "number" }],
  ],
  [`the input ${token("AclRole")}.name causes a replacement`, [...role, "inputProperties", "name", "replaceOnChanges"], true],
  [
    `the default of the input ${token("AclRole")}.description was "", and is "none given"`,
    [...role, "inputProperties", "description", "default"],
    "none given",
  ],
  [
    `the input ${token("AclAuthMethodConfig")}.oidcClientSecret is no secret any more`,
    [...config, "properties", "oidcClientSecret", "secret"],
    false,
  ],
  [`the input ${token("AclAuthMethodConfig")}.oidcClientId is required`, [...config, "required"], ["oidcClientId"]],
  [
    `the type ${token("AclAuthMethodType")} lacks the value "JWT"`,
    ["types", token("AclAuthMethodType"), "enum"],
    [{ name: "OIDC", value: "OIDC" }],
  ],
  [`the type ${token("AclAuthMethodType")} is missing`, ["types", token("AclAuthMethodType")]],
  ["the input configuration.clusterAddress is missing", ["config", "variables", "clusterAddress"]],
  ["the input configuration.clusterAddress is required", ["config", "required"], ["clusterAddress"]],
  ["the input provider.organization is missing", ["provider", "inputProperties", "organization"]],
  [`the function ${token("getRole")} is missing`, ["functions", token("getRole")]],
  [`the input ${token("getRole")}.name is missing`, ["functions", token("getRole"), "inputs", "properties", "name"]],
  [`the output ${token("getRole")}.policies is missing`, ["functions", token("getRole"), "outputs", "properties", "policies"]],
  ['python: packageName was "pulumi_agentpool_acl", and is "acl"', ["language", "python", "packageName"], "acl"],
  ["go: generateResourceContainerTypes was true, and is none", ["language", "go", "generateResourceContainerTypes"]],
  ['nodejs: compatibility was none, and is "tfbridge20"', ["language", "nodejs", "compatibility"], "tfbridge20"],
  ['csharp: rootNamespace was "Pulumi", and is none', ["language", "csharp"]],
  [
    `the value "JWT" of the type ${token("AclAuthMethodType")} was called JWT, and is called Jwt`,
    ["types", token("AclAuthMethodType"), "enum"],
    [
      { name: "OIDC", value: "OIDC" },
      { name: "Jwt", value: "JWT" },
    ],
  ],
  [`the type ${token("AclAuthMethodType")} was string, and is integer`, ["types", token("AclAuthMethodType"), "type"], "integer"],
  [
    `the type of the input ${token("AclAuthMethodConfig")}.claimMappings was map of string, and is object`,
    [...config, "properties", "claimMappings", "additionalProperties"],
  ],
  [`the type of the output ${token("AclRole")}.policies was array of string, and is array`, [...role, "properties", "policies", "items"]],
  [`the input ${token("AclRole")}.name can't be an output any more`, [...role, "inputProperties", "name", "plain"], true],
  [
    `the input ${token("AclRole")}.policies[] can't be an output any more`,
    [...role, "inputProperties", "policies", "items"],
    { type: "string", plain: true },
  ],
];

test.each(madeUp.map(([expected, path, value]) => ({ expected, path, value })))(
  "a made-up break is found: $expected",
  ({ expected, path, value }) => {
    expect(breaks(lastSchema, edited([path, value]))).toContain(expected);
  },
);

test("what is new, optional or laxer breaks nothing", () => {
  const hash = { type: "string", description: "Another." };
  const laxer = edited(
    [["resources", token("AclNote")], { inputProperties: { text: hash }, requiredInputs: ["text"] }],
    [["functions", token("getNote")], { inputs: { properties: { id: hash }, required: ["id"] } }],
    [["config", "variables", "more"], hash],
    [[...role, "inputProperties", "more"], hash],
    [[...role, "properties", "more"], hash],
    [[...role, "requiredInputs"], []],
    [[...role, "inputProperties", "name", "description"], "In other words."],
    [[...role, "inputProperties", "name", "secret"], true],
    [
      [...role, "inputProperties", "adopt", "oneOf"],
      [{ type: "boolean" }, { type: "string" }, { type: "number" }],
    ],
    [[...config, "properties", "more"], hash],
    [["language", "python", "pyproject"], { enabled: false }],
    [["language", "java"], { basePackage: "com.example" }],
    [["types", token("AclAuthMethodType"), "enum"], ["OIDC", "JWT", "SAML"].map((value) => ({ name: value, value }))],
  );
  expect(breaks(lastSchema, laxer)).toEqual([]);
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

const states = versions.flatMap((one) => adapterNames.map((adapter) => ({ release: one, adapter })));

describe.each(states)("the state that $release wrote through the $adapter adapter", ({ release, adapter }) => {
  test.each(engineNames)("is no change for the same program: %s", async (engineName) => {
    const reason = engineName === "cli" && whyWithoutCli();
    if (reason) return console.log(`The state of the Pulumi CLI was left out, because ${reason}.`);
    const folder = join(releases, release);
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
  const kept = versions.flatMap((one) => readdirSync(join(releases, one, "states")).map((name) => join(releases, one, "states", name)));
  expect(kept.length).toBeGreaterThanOrEqual(4);
  for (const text of kept.map((path) => readFileSync(path, "utf8"))) {
    expect(text).not.toMatch(/secret-of-the-program|127\.0\.0\.1|file:\/\/|project:\/\/\/\.\.|"\/(home|root|tmp|Users)\//);
  }
});
