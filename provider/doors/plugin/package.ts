import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The folder that holds package.json and schema.json. */
export const packageRoot = join(__dirname, "../../..");

/** The version in package.json. */
export const packageVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"))).version;
