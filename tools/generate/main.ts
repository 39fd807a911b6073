import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main, readArguments } from "../../cli/command-line";
import { documents, reference, root } from "../repository";
import { sources } from "./files";
import { referencePages } from "./pages";
import { pictureFile, platformPicture } from "./picture";
import { packageFacts, pulumiSchema } from "./pulumi";
import { withTables } from "./readme";
import { withAddresses } from "./source";
import { namingVersion, withVersion } from "./version";

const usage = `usage: npm run generate
Writes all files and parts that are derived from descriptions of resources, functions and configuration: schema.json, provider/generated,
docs/reference, tables of README.md and docs, addresses in package.json, the version in documents and examples, and the picture in docs.
  --help  prints this`;

/** A test fails if any of these files is outdated. */
main(usage, async (args) => {
  readArguments({ args });
  const manifestFile = join(root, "package.json");
  writeFileSync(manifestFile, withAddresses(readFileSync(manifestFile, "utf8")));
  const manifest = packageFacts.parse(JSON.parse(readFileSync(manifestFile, "utf8")));
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(root, "provider/generated", name), text());
  writeFileSync(join(root, "schema.json"), `${JSON.stringify(pulumiSchema(manifest), null, 2)}\n`);
  rmSync(join(root, reference), { recursive: true, force: true });
  mkdirSync(join(root, reference));
  for (const [name, text] of referencePages()) writeFileSync(join(root, reference, name), text);
  for (const path of documents().map((name) => join(root, name))) writeFileSync(path, withTables(readFileSync(path, "utf8")));
  for (const path of namingVersion().map((name) => join(root, name))) {
    const text = readFileSync(path, "utf8");
    const named = withVersion(text, manifest.version);
    if (named !== text) writeFileSync(path, named);
  }
  writeFileSync(join(root, pictureFile), await platformPicture());
  const biome = require.resolve("@biomejs/biome/bin/biome");
  execFileSync(process.execPath, [biome, "check", "--write", "provider/generated", ...documents()], {
    cwd: root,
    stdio: "inherit",
  });
  return 0;
});
