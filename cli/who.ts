import { ClaimsError, parseClaims, type ReadClaims } from "../access/claims-text";
import { timeIn } from "../access/time";
import { explain, explanationData, explanationText } from "./access/explain";
import { readSource, sourceOptions, sourceUsage } from "./access/sources";
import { type Target, waysText, waysTo } from "./access/ways";
import { type Command, CommandError, type CommandIo, flag, oneOf, readArguments, text, UsageError } from "./command-line";
import { textOf } from "./input";
import { reportingTo } from "./inventory/servers";
import { endWith } from "./selection";

const usage = `usage: npx --no-install pulumi-agentpool-acl who --claims-file FILE [--method NAME] [options]
       npx --no-install pulumi-agentpool-acl who --can management | --role NAME | --policy NAME [options]
Says what a login with these claims gets, and why; or by which methods and selectors anyone gets there. Writes nothing to a server.
  --claims-file FILE   the claims: a JSON object, or a token (JWT), which is decoded without being trusted; - is standard input
  --method NAME        the auth method; the default method when left out
  --at TIME            when the login takes place, as in 2027-01-31T12:00:00Z; now when left out
  --all                shows all rules that do not match, and not only those that nearly do
  --can management     who may do everything
  --role NAME          who gets this role
  --policy NAME        who gets this policy, by itself or with a role
  --json               prints JSON
${sourceUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const options = {
    ...sourceOptions,
    method: text,
    "claims-file": text,
    at: text,
    can: text,
    role: text,
    policy: text,
    all: flag,
    json: flag,
  };
  const { values } = readArguments({ args, options });
  const target = targetOf(values);
  const file = values["claims-file"];
  if ((target === undefined) === (file === undefined)) throw new UsageError("give --claims-file, or one of --can, --role and --policy");
  for (const name of ["method", "at"] as const) {
    if (target !== undefined && values[name] !== undefined) throw new UsageError(`--${name} goes with --claims-file`);
  }
  const now = momentOf(values.at);
  // Before any request: a mistake in the claims is found at once.
  const claims = file === undefined ? undefined : await readClaims(file);
  const { model, gaps, notes } = await readSource(values, reportingTo(io, signal));
  const print = (data: object, words: () => string) => io.print(values.json ? JSON.stringify(data, undefined, 2) : words());
  if (claims) {
    const explanation = explain(model, values.method, claims, now);
    print(explanationData(model, explanation), () => explanationText(model, explanation, values.all === true));
  } else if (target) {
    const ways = waysTo(model, target);
    print({ source: model.source, target, ...ways }, () => waysText(model, target, ways));
  }
  return endWith(io, gaps, notes);
}

/** The claims in a file, or of standard input for "-": JSON or a token. @throws CommandError which says where the mistake is */
async function readClaims(path: string): Promise<ReadClaims> {
  const text = await textOf(path);
  try {
    return parseClaims(text.trim(), path === "-" ? "Standard input" : path);
  } catch (error) {
    throw error instanceof ClaimsError ? new CommandError(error.message) : error;
  }
}

function momentOf(text: string | undefined): Date {
  const time = text === undefined ? new Date() : timeIn(text);
  if (!time) throw new UsageError(`--at ${text}: must be a time like 2027-01-31T12:00:00Z, or in seconds since 1970`);
  return time;
}

type TargetArguments = Readonly<Partial<Record<"can" | "role" | "policy", string | undefined>>>;

function targetOf({ can, role, policy }: TargetArguments): Target | undefined {
  const targets: Target[] = [];
  if (oneOf(["management"], "can", can)) targets.push({ kind: "management" });
  if (role !== undefined) targets.push({ kind: "role", name: role });
  if (policy !== undefined) targets.push({ kind: "policy", name: policy });
  if (targets.length > 1) throw new UsageError("give one of --can, --role and --policy");
  return targets[0];
}

export const command: Command = { summary: "says what a login gets, and who gets what", usage, run };
