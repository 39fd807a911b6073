import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { pulumiSchema } from "./pulumi";
import { withTables } from "./readme";
import { functionTypes, resourceTypes } from "./typescript";

/** Writes what is derived from the descriptions. A test fails when any of it is stale. */
const root = join(__dirname, "../..");
const facts = z
  .object({ version: z.string(), description: z.string(), keywords: z.array(z.string()), license: z.string() })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

writeFileSync(join(root, "provider/types/resources.ts"), resourceTypes());
writeFileSync(join(root, "provider/types/functions.ts"), functionTypes());
writeFileSync(join(root, "schema.json"), `${JSON.stringify(pulumiSchema(facts), null, 2)}\n`);
writeFileSync(join(root, "README.md"), withTables(readFileSync(join(root, "README.md"), "utf8")));
