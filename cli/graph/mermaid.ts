import { mermaidLabel } from "../access/markup";
import { palettes } from "./palette";
import { linesOf, type NodeKind, nodeKinds, type Picture, type PictureEdge, type PictureNode } from "./picture";

/** The limits of GitHub and GitLab: lines between objects, and characters. */
export const MOST = { edges: 500, characters: 50_000 } as const;

const shapes: Readonly<Record<NodeKind, readonly [open: string, close: string]>> = {
  method: ["([", "])"],
  rule: ["[", "]"],
  role: ["(", ")"],
  policy: ["[[", "]]"],
  rights: ["[", "]"],
  management: ["{{", "}}"],
};

/** A picture as a Mermaid graph. */
export function toMermaid({ nodes, edges, notes }: Picture): string {
  const { light } = palettes;
  const style = (name: NodeKind) => `  classDef ${name} fill:${light[name].area},stroke:${light[name].border},color:${light[name].text}`;
  const kinds = nodeKinds.filter((kind) => nodes.some((node) => node.kind === kind));
  const alarms = placesOf(nodes, ({ marks }) => marks.some(({ kind }) => kind === "alarm"));
  return [
    "flowchart LR",
    ...nodes.map(nodeLine),
    ...edges.map(edgeLine(nodes)),
    ...notes.map((note, place) => `  note${place}[${mermaidLabel(note)}]`),
    ...kinds.map(style),
    `  classDef alarm stroke:${light.alarm},stroke-width:3px`,
    ...kinds.map((kind) => `  class ${placesOf(nodes, (node) => node.kind === kind)} ${kind}`),
    ...(alarms === "" ? [] : [`  class ${alarms} alarm`]),
  ].join("\n");
}

function placesOf(nodes: readonly PictureNode[], isWanted: (node: PictureNode) => boolean): string {
  return nodes.flatMap((node, place) => (isWanted(node) ? [`n${place}`] : [])).join(",");
}

function nodeLine(node: PictureNode, place: number): string {
  const [open, close] = shapes[node.kind];
  return `  n${place}${open}${mermaidLabel(...linesOf(node))}${close}`;
}

const edgeLine =
  (nodes: readonly PictureNode[]) =>
  ({ from, to, computed, exists }: PictureEdge): string =>
    `  n${from} ${nodes[to]?.kind === "management" ? "==>" : computed || !exists ? "-.->" : "-->"} n${to}`;
