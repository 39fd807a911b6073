/** Loaded first in every process of an operation. Records the process id, so the test can kill all of them. */
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

writeFileSync(join(process.env.SOAK_PIDS, String(process.pid)), "");
