import { parseArgs } from "node:util";
import { type EngineName, engineNames, hasCli, withEngine } from "./engines";
import { play } from "./play";
import { demoProject, startSimulator } from "./project";
import { steps } from "./steps";

const USAGE = `usage: npm run demo -- [--engine cli|rehearsal]
  --engine cli        the Pulumi CLI that is on PATH, with a temporary backend and home
  --engine rehearsal  the engine of this package, which needs no CLI
Left out, the CLI is used where it is on PATH.`;

class UsageError extends Error {}

/** Both APIs are simulated; the program is the example of all four resources, unchanged. */
async function main(): Promise<number> {
  const engineName = chooseEngine(process.argv.slice(2));
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const simulator = await startSimulator();
  try {
    const say = (line: string) => console.log(line);
    const { signal } = interruption;
    const isAsItShouldBe = await withEngine(
      engineName,
      demoProject(simulator),
      (engine) => play({ engine, simulator, say }, steps),
      signal,
    );
    if (signal.aborted) return 130;
    return isAsItShouldBe ? 0 : 1;
  } finally {
    await simulator.stop();
  }
}

function chooseEngine(args: string[]): EngineName {
  const given = readEngine(args);
  const isCliThere = hasCli();
  if (given === "cli" && !isCliThere)
    throw new UsageError("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
  const chosen = given ?? (isCliThere ? "cli" : "rehearsal");
  const reason = given ? "as asked for" : isCliThere ? "pulumi is on PATH" : "there is no pulumi on PATH";
  const description = chosen === "cli" ? "the Pulumi CLI, with a temporary backend and home" : "the rehearsal engine of this package";
  console.log(`Engine: ${description} (${reason}).`);
  return chosen;
}

function readEngine(args: string[]): EngineName | undefined {
  try {
    const { engine } = parseArgs({ args, options: { engine: { type: "string" } } }).values;
    const known = engineNames.find((name) => name === engine);
    if (engine !== undefined && known === undefined) throw new Error(`--engine ${engine}: give cli or rehearsal`);
    return known;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof UsageError ? `${error.message}\n${USAGE}` : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
