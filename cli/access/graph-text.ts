import type { Given, GrantChange } from "../../access/changes";
import { mermaidLabel } from "./markup";
import { selectorOf } from "./words";

/** The highest number of edges in a graph. A graph with more is left out, because GitHub draws none with several hundred. */
const SHOWN = 60;

/** New grants (thick lines) and lost grants (dotted lines) of a change, as a Mermaid graph. Empty if there are none, or too many. */
export function mermaidGraph(grants: readonly GrantChange[]): string[] {
  const ids = new Map<string, string>();
  const nodes: string[] = [];
  const node = (prefix: string, key: string, label: string, [open, close]: readonly [string, string]) => {
    const known = ids.get(`${prefix} ${key}`);
    if (known !== undefined) return known;
    const id = `${prefix}${ids.size}`;
    ids.set(`${prefix} ${key}`, id);
    nodes.push(`  ${id}${open}${mermaidLabel(label)}${close}`);
    return id;
  };
  const edges = grants.flatMap(({ method, given, before, after }) => {
    const from = node("method", method, method, ["([", "])"]);
    const label = targetLabel(given);
    const to = node("target", JSON.stringify(given), label, ["[", "]"]);
    const edge = (arrow: string) => (rule: (typeof before)[number]) =>
      `  ${from} ${arrow}|${mermaidLabel(selectorOf(rule.selector))}| ${to}`;
    return [...after.map(edge("==>")), ...before.map(edge("-.->"))];
  });
  if (edges.length === 0 || edges.length > SHOWN) return [];
  return ["flowchart LR", ...nodes, ...[...new Set(edges)]];
}

function targetLabel({ kind, names: [first = "", ...others], dependsOnClaims }: Given): string {
  if (kind === "management") return "management";
  if (kind === "failure") return dependsOnClaims ? "some logins fail" : "the login fails";
  return `${kind} ${first}${others.length > 0 ? `, or one of ${others.length} more` : ""}`;
}
