import { writeFileSync } from "node:fs";
import { nearest } from "../common/nearest";
import { missingMethodMessage } from "./access/explain";
import type { AccessModel } from "./access/model";
import { readSource, sourceOptions, sourceUsage } from "./access/sources";
import { type Command, CommandError, type CommandIo, flag, oneOf, readArguments, text, UsageError } from "./command-line";
import { toDot } from "./graph/dot";
import { toHtml } from "./graph/html";
import { MOST, toMermaid } from "./graph/mermaid";
import { type Shown, toPicture } from "./graph/picture";
import { hasRole, narrowed, type Selection } from "./graph/selection";
import { toSvg } from "./graph/svg";
import { reportingTo } from "./inventory/servers";
import { endWith } from "./selection";

const formats = ["mermaid", "dot", "svg", "html"] as const;

const usage = `usage: npx --no-install pulumi-agentpool-acl graph --format ${formats.join("|")} [options]
Draws auth methods, binding rules, roles and policies, and the lines between them. Writes nothing to a server.
  --format NAME        mermaid (for Markdown), dot (for Graphviz), svg, or html: a page that highlights the path of a login
  --output FILE        writes to a file instead of standard output
  --method NAME        only logins of this auth method
  --role NAME          only this role, the objects that lead to it, and its policies
  --rights             includes the permissions of each policy, and the policies that apply without a login
${sourceUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const options = { ...sourceOptions, format: text, output: text, method: text, role: text, rights: flag };
  const { values } = readArguments({ args, options });
  const format = oneOf(formats, "format", values.format);
  if (format === undefined) throw new UsageError(`give --format with one of ${formats.join(", ")}`);
  const { model, gaps, notes } = await readSource(values, reportingTo(io, signal));
  checkNames(model, values);
  const { method, role, rights: hasRights = false } = values;
  const drawn = draw(narrowed(model, values), format, { role, isBound: method !== undefined, hasRights }, io);
  if (values.output === undefined) io.print(drawn.trimEnd());
  else writeFileSync(values.output, `${drawn.trimEnd()}\n`);
  return endWith(io, gaps, notes);
}

/** @throws CommandError for a missing method or role */
function checkNames(model: AccessModel, { method, role }: Selection): void {
  const isKnown = (name: string) => model.rules.some(({ authMethod }) => authMethod === name);
  if (method !== undefined && !model.methods.some(({ name }) => name === method) && !isKnown(method)) {
    throw new CommandError(missingMethodMessage(model, method));
  }
  if (role === undefined || hasRole(model, role)) return;
  const near = nearest(role, Object.keys(model.roles));
  const meant = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw new CommandError(`${model.source} has no role ${JSON.stringify(role)}, and no rule that leads to it${meant}`);
}

function draw(model: AccessModel, format: (typeof formats)[number], shown: Shown, { complain }: CommandIo): string {
  if (format === "html") return toHtml(model, shown);
  const picture = toPicture(model, shown);
  if (format === "svg") return toSvg(picture, { isFile: true });
  if (format === "dot") return toDot(picture);
  const drawn = toMermaid(picture);
  if (picture.edges.length > MOST.edges || drawn.length > MOST.characters) {
    const [is, most] = [`${picture.edges.length} lines and ${drawn.length} characters`, `${MOST.edges} and ${MOST.characters}`];
    complain(`The graph has ${is}, and GitHub and GitLab draw at most ${most}: choose a part by --method or --role, or another format.`);
  }
  return drawn;
}

export const command: Command = { summary: "draws who may do what", usage, run };
