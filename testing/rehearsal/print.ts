import type { RehearseResult } from "./engine/operate";
import type { RehearseCommand } from "./engine/operation";
import type { Diagnostic, RehearsedStep, StepOperation } from "./engine/report";
import { parseUrn } from "./engine/urn";

const SIGNS: Record<StepOperation, string> = {
  same: " ",
  create: "+",
  update: "~",
  delete: "-",
  replace: "+-",
  "create-replacement": "++",
  "delete-replaced": "--",
  read: ">",
  "read-replacement": ">>",
  "read-discard": "<",
  "discard-replaced": "<<",
  "remove-pending-replace": "-",
  refresh: "~",
};

/** One line for a step, indented by its depth within components. Nothing for an unchanged resource. */
export function renderStep(step: RehearsedStep): string | undefined {
  const { op, outcome, failed, changedProperties = [], replaceKeys = [] } = step;
  const isSame = op === "same" || outcome === "same";
  if (isSame && !failed && step.changedProperties === undefined) return undefined;
  const indent = "  ".repeat(parseUrn(step.urn).qualifiedType.split("$").length - 1);
  const changed = changedProperties.length > 0 ? ` [${changedProperties.join(", ")}]` : "";
  const because = op === "replace" && replaceKeys.length > 0 ? `, because of ${replaceKeys.join(", ")}` : "";
  const result = `${op}${outcome ? `: ${outcome}` : ""}${failed ? " FAILED" : ""}`;
  return ` ${SIGNS[outcome ?? op].padEnd(2)} ${indent}${step.type}  ${step.name}  ${result}${changed}${because}`;
}

/** The text after the steps: diagnostics, outputs, a summary. */
export function renderResult(command: RehearseCommand, result: RehearseResult): string {
  const outputs = Object.entries(result.outputs).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
  const counts = Object.entries(result.summary).map(([op, count]) => `    ${op}: ${count}`);
  const sections = [
    ["Diagnostics:", ...renderDiagnostics(result.diagnostics)],
    ["Outputs:", ...outputs],
    ["Resources:", ...counts],
  ];
  const shown = sections.filter((lines) => lines.length > 1).map((lines) => lines.join("\n"));
  return [...shown, result.ok ? `${command} succeeded` : `${command} failed`].join("\n\n");
}

/** The messages, grouped by resource in the order of each resource's first message. */
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
