import { main, oneOf, readArguments, UsageError } from "../../cli/command-line";
import { adapterNames, type EngineName, engineNames } from "../engines/engine";
import { hasCli } from "../engines/engines";
import { playDemo } from "./play";

const USAGE = `usage: npm run demo -- [--engine cli|rehearsal] [--provider dynamic|plugin]
  --engine cli        the Pulumi CLI that is on PATH, with a temporary backend and home
  --engine rehearsal  the engine of this package, which needs no CLI
                      Default: the CLI, if it is on PATH
  --provider dynamic  dynamic resources, as in the example. This is the default
  --provider plugin   the same program with the plugin, by a change of its import line
  --help              prints this`;

/** Plays the demo, with examples/platform, against simulated services. @returns the exit code */
async function demo(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = readArguments({ args, options: { engine: text, provider: text } });
  const adapter = oneOf(adapterNames, "provider", values.provider);
  const engineName = chooseEngine(oneOf(engineNames, "engine", values.engine));
  if (adapter === "plugin") console.log("Provider: the plugin.");
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const { signal } = interruption;
  const isAsItShouldBe = await playDemo(engineName, { adapter: adapter ?? "dynamic" }, (line) => console.log(line), signal);
  return signal.aborted ? 130 : isAsItShouldBe ? 0 : 1;
}

function chooseEngine(given: EngineName | undefined): EngineName {
  const isCliThere = hasCli();
  if (given === "cli" && !isCliThere)
    throw new UsageError("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
  const chosen = given ?? (isCliThere ? "cli" : "rehearsal");
  const reason = given ? "as requested" : isCliThere ? "pulumi is on PATH" : "there is no pulumi on PATH";
  const description = chosen === "cli" ? "the Pulumi CLI, with a temporary backend and home" : "the rehearsal engine of this package";
  console.log(`Engine: ${description} (${reason}).`);
  return chosen;
}

main(USAGE, demo);
