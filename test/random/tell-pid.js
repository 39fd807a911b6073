/** Loaded first by every process of an operation, so that all of them can be killed. */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

writeFileSync(join(process.env.SOAK_PIDS, String(process.pid)), "");
