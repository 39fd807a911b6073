/** The states that releases have written: docs/versions.md. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { described } from "../../tools/engines/changes";
import { adapterNames, engineNames } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { recordedAddresses, recordRelease, releases, stateFile } from "../../tools/release/states";
import { whyWithoutCli } from "../support/without-cli";

const { version } = jest.requireActual<{ version: string }>("../../package.json");
/** The kept states. There are none before the first release. */
const versions = existsSync(releases) ? readdirSync(releases).sort((a, b) => a.localeCompare(b, "en", { numeric: true })) : [];

/** This version as `npm run release -- --record` keeps it. */
const recorded = mkdtempSync(join(tmpdir(), "agentpool-acl-release-"));
beforeAll(() => recordRelease(version, recorded));
afterAll(() => rmSync(recorded, { recursive: true }));

/** The configuration of the stacks. Nothing listens at its addresses, because a preview without a refresh sends no request. */
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
