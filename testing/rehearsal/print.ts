import type { RehearseResult } from "./engine/operate";
import type { RehearseCommand } from "./engine/operation";
import type { Diagnostic, RehearsedStep, StepOperation } from "./engine/report";
import { parseUrn } from "./engine/urn";

interface Words {
  sign: string;
  /** The words in a preview, and after the step. */
  planned: string;
  done: string;
}

const WORDS: Record<StepOperation, Words> = {
  same: { sign: " ", planned: "unchanged", done: "unchanged" },
  create: { sign: "+", planned: "to create", done: "created" },
  update: { sign: "~", planned: "to update", done: "updated" },
  delete: { sign: "-", planned: "to delete", done: "deleted" },
  replace: { sign: "+-", planned: "to replace", done: "replaced" },
  "create-replacement": { sign: "++", planned: "to create as a replacement", done: "created as a replacement" },
  "delete-replaced": { sign: "--", planned: "to delete as replaced", done: "deleted as replaced" },
  read: { sign: ">", planned: "to read", done: "read" },
  "read-replacement": { sign: ">>", planned: "to read as a replacement", done: "read as a replacement" },
  "read-discard": { sign: "<", planned: "to forget", done: "forgotten" },
  "discard-replaced": { sign: "<<", planned: "to forget as replaced", done: "forgotten as replaced" },
  "remove-pending-replace": { sign: "-", planned: "to remove, deleted before", done: "removed, deleted before" },
  refresh: { sign: "~", planned: "refreshed", done: "refreshed" },
};

const FOUND = {
  same: { sign: " ", planned: "unchanged", done: "unchanged" },
  update: { sign: "~", planned: "changed", done: "changed" },
  delete: { sign: "-", planned: "gone", done: "gone" },
};

/** One line for a step, indented by its depth within components. Nothing for an unchanged resource. */
export function renderStep(step: RehearsedStep, command: RehearseCommand): string | undefined {
  const isSame = step.op === "same" || step.outcome === "same";
  if (isSame && !step.failed && step.changedProperties === undefined) return undefined;
  const words = step.outcome === undefined ? WORDS[step.op] : FOUND[step.outcome];
  const indent = "  ".repeat(parseUrn(step.urn).qualifiedType.split("$").length - 1);
  const changed = step.changedProperties?.length ? ` [${step.changedProperties.join(", ")}]` : "";
  const because = step.op === "replace" && step.replaceKeys?.length ? `, because of ${step.replaceKeys.join(", ")}` : "";
  const outcome = step.failed ? "FAILED" : command === "preview" ? words.planned : words.done;
  return ` ${words.sign.padEnd(2)} ${indent}${step.type}  ${step.name}  ${outcome}${changed}${because}`;
}

/** The text after the steps: diagnostics, outputs, a summary. */
export function renderResult(command: RehearseCommand, result: RehearseResult): string {
  const outputs = Object.entries(result.outputs).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  const counts = Object.entries(result.summary).map(([op, count]) => `    ${count} ${countWord(op, command)}`);
  const sections = [
    ["Diagnostics:", ...renderDiagnostics(result.diagnostics)],
    ["Outputs:", ...outputs],
    ["Resources:", ...counts],
  ];
  const shown = sections.filter((lines) => lines.length > 1).map((lines) => lines.join("\n"));
  return [...shown, result.ok ? `${command} succeeded` : `${command} failed`].join("\n\n");
}

function countWord(op: string, command: RehearseCommand): string {
  const known = new Map<string, Words>(Object.entries(command === "refresh" ? { ...WORDS, ...FOUND } : WORDS)).get(op);
  return known === undefined ? op : command === "preview" ? known.planned : known.done;
}

/** By resource, in the order of each resource's first message. */
function renderDiagnostics(diagnostics: Diagnostic[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { severity, message, urn } of diagnostics) {
    const lines = groups.get(urn ?? "") ?? [];
    groups.set(urn ?? "", lines);
    const label = severity === "info" ? "" : `${severity}: `;
    lines.push(...`${label}${message}`.split("\n").map((line) => `    ${line}`));
  }
  return [...groups].flatMap(([urn, lines]) => (urn === "" ? lines : [`  ${parseUrn(urn).type} (${parseUrn(urn).name}):`, ...lines]));
}
