import { execFile } from "node:child_process";
import { promisify } from "node:util";

const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "node16", "--types", "node"];

/** Compiles programs. @throws with the compiler's errors */
export async function compile(programs: readonly string[], cwd?: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [require.resolve("typescript/lib/tsc.js"), ...options, ...programs],
    { cwd },
  );
  return stdout + stderr;
}
