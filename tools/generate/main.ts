import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { main, readArguments } from "../../cli/command-line";
import { documents, root } from "../repository";
import { sources } from "./files";
import { pulumiSchema } from "./pulumi";
import { withTables } from "./readme";

const usage = `usage: npm run generate
Writes what is derived from the descriptions of the resources, functions and configuration: schema.json, provider/generated, and the tables of README.md and docs.
  --help  prints this`;

const facts = z.object({ version: z.string(), description: z.string(), keywords: z.array(z.string()), license: z.string() });

/** A test fails when any of these files is out of date. */
main(usage, (args) => {
  readArguments({ args });
  const manifest = facts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(root, "provider/generated", name), text());
  writeFileSync(join(root, "schema.json"), `${JSON.stringify(pulumiSchema(manifest), null, 2)}\n`);
  for (const path of documents().map((name) => join(root, name))) writeFileSync(path, withTables(readFileSync(path, "utf8")));
  const biome = require.resolve("@biomejs/biome/bin/biome");
  execFileSync(process.execPath, [biome, "check", "--write", "provider/generated", ...documents()], { cwd: root, stdio: "inherit" });
  return 0;
});
