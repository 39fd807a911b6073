/** The mistakes that make servers refuse a policy's text, and the parts that they ignore. */
import { nearest } from "../../common/nearest";
import type { Block, DecodedPolicy, NamedBlock, Word } from "./decode";
import { decode, namedKinds, singleBlocks, singleKinds } from "./decode";
import { ineffectiveRules } from "./ineffective-rules";
import type { Position, Token } from "./syntax";
import { isName, PolicyError, textOf } from "./syntax";
import type { Kind } from "./vocabulary";
import { capabilities, levels, pluginLevels, shorthands, validName } from "./vocabulary";

export interface PolicyProblem {
  readonly message: string;
  /** The position: line and column count from 1, the column in characters. */
  readonly line: number;
  readonly column: number;
  /**
   * - malformed: wrong syntax, a wrong type or a missing name, for example. Every server refuses the rules, or drops a part of them.
   * - unknown: a name or value that the known servers refuse. A newer server, or an older one with fewer checks, may accept it.
   * - ignored: a part that servers accept, and that has no effect.
   */
  readonly kind: "malformed" | "unknown" | "ignored";
}

/**
 * The reasons why a server refuses these rules or drops a part; empty if it accepts them whole. Only the first syntax error is reported.
 * Empty rules are valid.
 */
export function checkPolicy(rules: string): PolicyProblem[] {
  return rules === "" ? [] : withPolicy(rules, refused, (error) => [error]);
}

/** The warnings about well-formed rules: unknown parts, which servers may refuse or ignore, and parts without an effect. */
export function policyWarnings(rules: string): PolicyProblem[] {
  if (rules === "") return [];
  return withPolicy(
    rules,
    (policy) => inOrder([...refused(policy).filter(({ kind }) => kind === "unknown"), ...ignored(policy)]),
    () => [],
  );
}

function withPolicy(rules: string, found: (policy: DecodedPolicy) => PolicyProblem[], failed: (error: PolicyProblem) => PolicyProblem[]) {
  try {
    return found(decode(rules));
  } catch (error) {
    if (error instanceof PolicyError) return failed(malformed(error.at, error.message));
    throw error;
  }
}

function problem(kind: PolicyProblem["kind"], { line, column }: Position, message: string): PolicyProblem {
  return { message, line, column, kind };
}
const malformed = (at: Position, message: string) => problem("malformed", at, message);
const unknown = (at: Position, message: string) => problem("unknown", at, message);
const unused = (at: Position, message: string) => problem("ignored", at, message);

function inOrder(problems: readonly PolicyProblem[]): PolicyProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

function refused(policy: DecodedPolicy): PolicyProblem[] {
  if (isEmpty(policy) && policy.strange.length === 0) {
    const known = [...namedKinds, ...singleKinds].join(", ");
    return [
      malformed({ line: 1, column: 1 }, `there is no block in the rules that servers know (${known}): leave the rules empty, or add one`),
    ];
  }
  const named = namedKinds.flatMap((kind) => policy[kind].flatMap((block) => namedProblems(kind, block)));
  const single = singleBlocks(policy).flatMap(({ kind, block }) => singleProblems(kind, block));
  const paths = policy.namespace.flatMap(({ name, variables }) => {
    if (variables?.paths.length !== 0) return (variables?.paths ?? []).flatMap((path) => pathProblems(name.text, path));
    return [malformed(variables.at, `the variables of namespace "${name.text}" have no path: add path "..." { ... }, or leave them out`)];
  });
  return inOrder([...named, ...single, ...paths, ...policy.unused.map(outermost)]);
}

/** Whether a policy has no block that servers know. */
export function isEmpty(policy: DecodedPolicy): boolean {
  return namedKinds.every((kind) => policy[kind].length === 0) && Object.keys(policy.single).length === 0;
}

/** Whether every server refuses the rules, or drops a part of them. */
export function isMalformed(policy: DecodedPolicy): boolean {
  return refused(policy).some(({ kind }) => kind === "malformed");
}

function namedProblems(kind: (typeof namedKinds)[number], block: NamedBlock): PolicyProblem[] {
  const { name } = block;
  const what = `${kind} "${name.text}"`;
  const badName = validName[kind].test(name.text)
    ? []
    : name.text === ""
      ? [malformed(name.at, `a ${kind} has an empty name`)]
      : [unknown(name.at, `${what}: servers know names of letters, digits, dashes and "*" here, 128 at most`)];
  return [...badName, ...levelProblems(what, kind, block, false), ...capabilityProblems(what, kind, block)];
}

function pathProblems(namespace: string, { name, capabilities: words, at }: NamedBlock): PolicyProblem[] {
  const what = `path "${name.text}" of namespace "${namespace}"`;
  const unknowns = capabilityProblems(what, "path", { at, capabilities: words });
  if (name.text === "") return [malformed(name.at, `a path of namespace "${namespace}" has an empty name`), ...unknowns];
  return name.text.startsWith("/") ? [malformed(name.at, `${what} begins with "/": leave it out`), ...unknowns] : unknowns;
}

function singleProblems(kind: (typeof singleKinds)[number], block: Block): PolicyProblem[] {
  const hasCapabilities = capabilities[kind] !== undefined;
  return [...levelProblems(kind, kind, block, !hasCapabilities), ...capabilityProblems(kind, kind, block)];
}

function levelProblems(what: string, kind: Kind, { policy, at }: Block, isNeeded: boolean): PolicyProblem[] {
  const known = kind === "plugin" ? pluginLevels : levels;
  if (policy === undefined || policy.text === "") {
    return isNeeded ? [malformed(policy?.at ?? at, `${what} has no policy: add policy = "read", for example`)] : [];
  }
  if (known.includes(policy.text)) return [];
  return [unknown(policy.at, `${what}: the policy ${JSON.stringify(policy.text)} is not known; known are ${known.join(", ")}`)];
}

function capabilityProblems(what: string, kind: Kind, block: Block): PolicyProblem[] {
  const known = capabilities[kind] ?? [];
  return block.capabilities
    .filter(({ text }) => !known.includes(text))
    .map(({ text, at }) => unknown(at, `${what}: the capability ${JSON.stringify(text)} is not known${meant(text, known)}`));
}

/** The hint for an unknown word: a similar known word, or else all known words if they are few. */
function meant(text: string, known: readonly string[]): string {
  const near = nearest(text, known);
  if (near !== undefined) return `: is "${near}" meant?`;
  return known.length < 10 ? `; known are ${known.join(", ")}` : "";
}

function outermost(token: Token): PolicyProblem {
  const name = textOf(token);
  const isKnown = [...namedKinds, ...singleKinds].some((kind) => kind === name);
  if (isKnown) return malformed(token, `${name} is repeated: use a single block`);
  const named = namedKinds.find((kind) => isName(name, kind));
  if (named) return unknown(token, `servers refuse ${name} after another ${named}: write ${named}`);
  if (token.isJson && (name === "variables" || name === "path")) {
    return malformed(token, `servers read "${name}" as a label here: add "capabilities": [] next to "variables"`);
  }
  const near = nearest(name, [...namedKinds, ...singleKinds]);
  if (near !== undefined) return unknown(token, `${name} is no block that servers know: is ${near} meant?`);
  return unknown(token, `${name} is not known here: it is no block that servers know, or a second label of one`);
}

function ignored(policy: DecodedPolicy): PolicyProblem[] {
  const names = policy.ignored.map(({ block, item }) => {
    const name = item.keys.map(textOf).join(" ");
    const near = nearest(name, ["policy", "capabilities", "variables", "path"]);
    const hint = near === undefined || near === name ? "it is not known there" : `is ${near} meant?`;
    return unused(item.at, `servers ignore ${name} in ${block}: ${hint}`);
  });
  const blocks: readonly [Kind, string, Block][] = [
    ...namedKinds.flatMap((kind) => policy[kind].map((block): [Kind, string, Block] => [kind, `${kind} "${block.name.text}"`, block])),
    ...singleBlocks(policy).map(({ kind, block }): [Kind, string, Block] => [kind, kind, block]),
  ];
  return [
    ...names,
    ...blocks.flatMap(([kind, what, { policy: level }]) => (level ? meaningless(kind, what, level) : [])),
    ...ineffectiveRules(policy).map(({ at, message }) => unused(at, message)),
  ];
}

/** The problem of a valid shorthand that has no effect. */
function meaningless(kind: Kind, what: string, level: Word): PolicyProblem[] {
  const expanded = shorthands[kind];
  const meaning = expanded ? Object.keys(expanded) : kind === "plugin" ? ["deny", "list", "read"] : ["deny", "read", "write"];
  const known = kind === "plugin" ? pluginLevels : levels;
  if (!known.includes(level.text) || meaning.includes(level.text)) return [];
  return [
    unused(
      level.at,
      `${what}: servers accept the policy "${level.text}", which allows nothing here; the effective ones are ${meaning.join(", ")}`,
    ),
  ];
}
