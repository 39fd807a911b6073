import { mkdirSync, writeFileSync } from "node:fs";
import { main, readArguments } from "../../cli/command-line";
import { adapterNames } from "../../tools/engines/engine";
import { cliVersion, fixtureFile, fixtures, fixtureText } from "./fixtures";
import { play } from "./play";
import { scenariosOf } from "./scenarios";

const USAGE = `usage: npm run previews -- [--only NAME]
Writes the previews that the tests read (test/fixtures/previews), with the Pulumi CLI that is on PATH, of every kind of step.
  --only NAME         only this one, of both adapters
  --help              prints this`;

async function record(args: string[]): Promise<number> {
  const { values } = readArguments({ args, options: { only: { type: "string" } } });
  mkdirSync(fixtures, { recursive: true });
  const cli = cliVersion();
  for (const adapter of adapterNames) {
    for (const [name, scenario] of Object.entries(scenariosOf(adapter))) {
      if (values.only !== undefined && values.only !== name) continue;
      const file = fixtureFile(adapter, name);
      writeFileSync(file, fixtureText(cli, await play(scenario, adapter, () => undefined)));
      console.log(file);
    }
  }
  return 0;
}

main(USAGE, record);
