import { dotText } from "./escape";
import { palettes } from "./palette";
import { linesOf, type NodeKind, type Picture, type PictureEdge, type PictureNode } from "./picture";

const { light } = palettes;

const shapes: Readonly<Record<NodeKind, string>> = {
  method: "box",
  rule: "note",
  role: "box",
  policy: "folder",
  rights: "box",
  management: "octagon",
};

/** A picture in the language of Graphviz. */
export function toDot({ title, nodes, edges, notes }: Picture): string {
  return [
    "digraph access {",
    `  graph [rankdir=LR, labelloc=b, labeljust=l, fontname="sans-serif", label=${dotText(title, ...notes)}]`,
    '  node [style="filled,rounded", fontname="sans-serif", fontsize=11]',
    `  edge [color="${light.line}"]`,
    ...nodes.map(nodeLine),
    ...edges.map(edgeLine(nodes)),
    "}",
  ].join("\n");
}

function nodeLine(node: PictureNode, place: number): string {
  const { kind, marks, exists, description } = node;
  const { area, border, text } = light[kind];
  const hasAlarm = marks.some((mark) => mark.kind === "alarm");
  const attributes = [
    `label=${dotText(...linesOf(node))}`,
    `tooltip=${dotText(description)}`,
    `shape=${shapes[kind]}`,
    `fillcolor="${area}"`,
    `color="${hasAlarm ? light.alarm : border}"`,
    `fontcolor="${text}"`,
    ...(exists ? [] : ['style="filled,dashed"']),
    ...(hasAlarm ? ["penwidth=2"] : []),
  ];
  return `  n${place} [${attributes.join(", ")}]`;
}

const edgeLine =
  (nodes: readonly PictureNode[]) =>
  ({ from, to, computed, exists }: PictureEdge): string => {
    const attributes = [
      ...(nodes[to]?.kind === "management" ? [`color="${light.management.area}"`, "penwidth=2"] : []),
      ...(exists ? [] : ["style=dotted", `color="${light.alarm}"`]),
      ...(exists && computed ? ["style=dashed"] : []),
    ];
    return `  n${from} -> n${to}${attributes.length > 0 ? ` [${attributes.join(", ")}]` : ""}`;
  };
