import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { functionTypes, resourceTypes } from "./typescript";

/** Writes what is derived from the descriptions. A test fails when any of it is stale. */
const provider = join(__dirname, "../../provider");
writeFileSync(join(provider, "types/resources.ts"), resourceTypes());
writeFileSync(join(provider, "types/functions.ts"), functionTypes());
