import { ClaimsError, parseClaims, type ReadClaims } from "../access/claims-text";
import { timeIn } from "../access/time";
import { explain, explanationData, explanationText } from "./access/explain";
import { patternError, questionsOf, type RightArguments } from "./access/right-arguments";
import { readSource, sourceOptions, sourceUsage } from "./access/sources";
import { notLookedAt, notLookedAtLines, tokenLines, tokenWays } from "./access/token-ways";
import { type Target, waysTo } from "./access/ways";
import { severalRulesHint, waysText } from "./access/ways-text";
import { type Command, CommandError, type CommandIo, flag, readArguments, text, UsageError } from "./command-line";
import { textOf } from "./input";
import { reportingTo } from "./inventory/servers";
import { endWith } from "./selection";

const usage = `usage: npx --no-install pulumi-agentpool-acl who --claims-file FILE [--method NAME] [options]
       npx --no-install pulumi-agentpool-acl who --can RIGHT | --role NAME | --policy NAME [options]
Explains what a login with these claims gets and may do, or which methods and selectors lead to a right, role or policy. Writes nothing to
a server.
  --claims-file FILE   the claims: a JSON object, or a token (JWT), which is decoded without being trusted; - is standard input
  --method NAME        the auth method; the default method when left out
  --at TIME            the time of the login, as in 2027-01-31T12:00:00Z; now when left out
  --all                shows all rights, and all rules that do not match instead of near misses only
  --can RIGHT          who may do this: management (everything), a capability of namespaces (submit-job, alloc-exec, read-logs, ...),
                       variables:read, node_pool:write, operator:write, ...; an unknown one lists them all
  --namespace NAME     the namespace of the right, "*" for any; "default" when left out
  --path PATH          the path of the variable
  --name NAME          the name of the node pool or host volume
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
    namespace: text,
    path: text,
    name: text,
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
  // Before any request, so a mistake in the claims is found at once.
  const claims = file === undefined ? undefined : await readClaims(file);
  const { model, objects, isCluster, gaps, notes } = await readSource(values, reportingTo(io, signal));
  const incomplete = gaps.length > 0 ? { incomplete: gaps } : {};
  const print = (data: object, words: () => string) =>
    io.print(values.json ? JSON.stringify({ ...data, ...incomplete }, undefined, 2) : words());
  const method = values.method ?? model.defaultMethod;
  const isUnread = !model.methods.some(({ name }) => name === method) && gaps.some(({ kind }) => kind === "AclAuthMethod");
  // The reason why methods were not read says more than that the model has none of the name.
  if (claims && isUnread) return endWith(io, gaps, notes);
  if (claims) {
    const explanation = explain(model, values.method, claims, now);
    print(explanationData(model, explanation), () => explanationText(model, explanation, values.all === true));
  } else if (target) {
    const ways = waysTo(model, target);
    const tokens = tokenWays(model, target, objects, now);
    const missing = notLookedAt(objects, isCluster);
    const hint = severalRulesHint(target);
    print(
      { source: model.source, target, ...ways, ...(hint !== undefined && { hint }), tokens, notLookedAt: [...missing, ...model.bridged] },
      () => [waysText(model, target, ways), ...tokenLines(tokens), ...notLookedAtLines(missing, model.source, isCluster)].join("\n"),
    );
  }
  return endWith(io, gaps, notes);
}

/** Reads claims from a file, or from standard input for "-": JSON or a token. @throws CommandError */
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

interface TargetArguments extends RightArguments {
  readonly role?: string | undefined;
  readonly policy?: string | undefined;
}

function targetOf({ role, policy, ...right }: TargetArguments): Target | undefined {
  const targets: Target[] = [];
  for (const [option, name] of Object.entries({ role, policy })) if (name?.includes("*")) throw patternError(option, name);
  const questions = questionsOf(right);
  if (questions) targets.push(right.can === "management" ? { kind: "management" } : { kind: "right", questions });
  if (role !== undefined) targets.push({ kind: "role", name: role });
  if (policy !== undefined) targets.push({ kind: "policy", name: policy });
  if (targets.length > 1) throw new UsageError("give one of --can, --role and --policy");
  return targets[0];
}

export const command: Command = { summary: "explains what a login gets, and who gets a right", usage, run };
