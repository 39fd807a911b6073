import { writeFileSync } from "node:fs";
import { type Command, type CommandIo, flag, readArguments, text } from "./command-line";
import { configurationOptions, configurationUsage, readConfiguration } from "./configuration";
import { exitStatus } from "./exit-status";
import { writeExport } from "./inventory/export";
import { readServers, reportingTo } from "./inventory/servers";
import { gapMessages, selectionOf, selectionOptions, selectionUsage, selectKinds, selectNames } from "./selection";

const usage = `usage: npx --no-install pulumi-agentpool-acl export [options]
Prints the servers' objects as JSON. Equal objects give equal output, so two clusters can be compared. Writes nothing to a server.
${selectionUsage}
  --full               includes ids, addresses, indexes, hashes and times
  --output FILE        writes to a file instead of standard output
${configurationUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const options = { ...configurationOptions, ...selectionOptions, full: flag, output: text };
  const { values } = readArguments({ args, options });
  const configuration = await readConfiguration(values);
  const { resources, unconfigured } = selectKinds(values, configuration);
  const isChosen = selectNames(values);
  const organizations = values.organization ?? [];
  const read = await readServers({ configuration, resources, organizations, isChosen, ...reportingTo(io, signal) });
  const written = writeExport(read, { isFull: values.full === true, read: resources, selection: selectionOf(values) });
  if (values.output === undefined) io.print(written.trimEnd());
  else writeFileSync(values.output, written);
  for (const line of gapMessages(read.gaps, unconfigured)) io.complain(line);
  return read.gaps.length > 0 ? exitStatus.incomplete : exitStatus.done;
}

export const command: Command = { summary: "prints the servers' objects as JSON", usage, run };
