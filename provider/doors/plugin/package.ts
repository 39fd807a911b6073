import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The folder that holds package.json and schema.json. */
export const packageRoot = join(__dirname, "../../..");

export function packageVersion(): string {
  const text = readFileSync(join(packageRoot, "package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
