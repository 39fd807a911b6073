import { type ArrangedPicture, arranged, INSET, type NodeBox, SIGN, type TextLine } from "./boxes";
import { xmlText } from "./escape";
import type { Point } from "./layout";
import { colours } from "./palette";
import { kindNames, type Picture, type PictureEdge } from "./picture";
import { pictureStyle } from "./style";
import { wrapped } from "./text";

const MARGIN = 24;
const HEADINGS = 34;
const TITLE = 16;
const TITLE_LINE = 24;
const NOTE = 18;
const LEGEND = 26;
/** Wide enough for the notes of a picture with few objects. */
const LEAST_WIDTH = 480;

/** The IDs of elements, by the places of their nodes and edges in the picture. */
export const nodeId = (place: number) => `node-${place}`;
export const edgeId = (place: number) => `edge-${place}`;

/** A picture as SVG, always the same for the same picture: a file with a title and colours, or a part of a page that has both. */
export function toSvg(picture: Picture, { isFile }: { readonly isFile: boolean }): string {
  const plan = arranged(picture);
  const { layout, boxes, headings } = plan;
  const width = Math.max(LEAST_WIDTH, layout.width) + 2 * MARGIN;
  const titles = isFile ? wrapped(picture.title, { size: 17, isBold: true }, width - 2 * MARGIN, Number.POSITIVE_INFINITY) : [];
  const top = MARGIN + (titles.length > 0 ? TITLE + titles.length * TITLE_LINE : 0) + (headings.length > 0 ? HEADINGS : 0);
  const legend = legendOf(picture.edges);
  const notes = notesOf(picture).flatMap((note) => wrapped(note, { size: 12 }, width - 2 * MARGIN, Number.POSITIVE_INFINITY));
  const below = top + layout.height + (layout.height > 0 ? MARGIN : 0);
  const notesAt = below + (legend.length > 0 ? LEGEND : 0);
  const height = notesAt + notes.length * NOTE + (notes.length > 0 ? MARGIN / 2 : 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" role="graphics-document document" aria-labelledby="picture-title picture-summary">`,
    `<title id="picture-title">${xmlText(picture.title)}</title>`,
    `<desc id="picture-summary">${xmlText(summaryOf(picture))}</desc>`,
    ...(isFile ? [`<style>\n${colours}\n${pictureStyle}\n</style>`] : []),
    arrows,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...titles.map((text, index) => textAt("name", MARGIN, MARGIN + 17 + index * TITLE_LINE, text)),
    ...headings.map((text, index) => textAt("heading", MARGIN + (layout.columns[index] ?? 0), top - 14, text)),
    `<g transform="translate(${MARGIN} ${top})">`,
    `<g aria-hidden="true">`,
    ...picture.edges.map((edge, place) => edgeElement(picture, edge, place, layout.paths[place] ?? [])),
    "</g>",
    ...boxes.map((box, place) => nodeElement(box, place, plan)),
    "</g>",
    ...legend.map(({ style, text }, index) => legendElement(style, text, MARGIN + index * 290, below + 12)),
    ...notes.map((text, index) => textAt("note", MARGIN, notesAt + index * NOTE + 14, text)),
    "</svg>",
  ].join("\n");
}

const arrows = `<defs>${["plain", "management", "way"]
  .map(
    (name) =>
      `<marker id="arrow-${name}" class="arrow ${name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5 8 4 0 7.5z"/></marker>`,
  )
  .join("")}</defs>`;

function notesOf({ nodes, notes }: Picture): readonly string[] {
  return nodes.length === 0 ? ["There are no auth methods, binding rules or roles.", ...notes] : notes;
}

const plurals = { method: "auth methods", rule: "binding rules", role: "roles", policy: "policies" } as const;

/** The number of objects of each kind. */
function summaryOf({ nodes, notes }: Picture): string {
  const counts = (["method", "rule", "role", "policy"] as const).map((kind) => {
    const count = nodes.filter((node) => node.kind === kind).length;
    return `${count} ${count === 1 ? kindNames[kind] : plurals[kind]}`;
  });
  return [`${counts.join(", ")}.`, ...notes].join(" ");
}

/** The meaning of dashed and dotted lines. */
function legendOf(edges: readonly PictureEdge[]): { style: string; text: string }[] {
  return [
    ...(edges.some(({ computed }) => computed) ? [{ style: "computed", text: "the claims decide the name" }] : []),
    ...(edges.some(({ exists }) => !exists) ? [{ style: "missing", text: "leads to or from a missing object" }] : []),
  ];
}

function legendElement(style: string, text: string, x: number, y: number): string {
  return `<path class="edge legend ${style}" d="M${x} ${y}h36"/>\n${textAt("note", x + 44, y + 4, text)}`;
}

function edgeElement({ nodes }: Picture, { to, computed, exists }: PictureEdge, place: number, path: readonly Point[]): string {
  const styles = ["edge", ...(computed ? ["computed"] : []), ...(exists ? [] : ["missing"])];
  if (nodes[to]?.kind === "management") styles.push("management");
  return `<path id="${edgeId(place)}" class="${styles.join(" ")}" d="${curve(path)}"/>`;
}

/** Curves between columns, and straight lines through the columns that a path passes. */
function curve(path: readonly Point[]): string {
  return path
    .map(({ x, y }, index) => {
      const before = path[index - 1];
      if (!before) return `M${x} ${y}`;
      const middle = (before.x + x) / 2;
      return before.y === y ? `H${x}` : `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join("");
}

function nodeElement({ node, lines, width, height }: NodeBox, place: number, { layout }: ArrangedPicture): string {
  const { x, y } = layout.corners[place] ?? { x: 0, y: 0 };
  return [
    `<g id="${nodeId(place)}" class="node ${node.kind}${node.exists ? "" : " missing"}" role="img" tabindex="0">`,
    `<title>${xmlText(node.description)}</title>`,
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`,
    `<rect class="bar" x="${x + 7}" y="${y + INSET.down}" width="3" height="${height - 2 * INSET.down}" rx="1.5"/>`,
    // This inner element cuts off text that does not fit, whatever its letters.
    `<svg x="${x}" y="${y}" width="${width}" height="${height}">`,
    ...lines.map(lineElement),
    "</svg>",
    "</g>",
  ].join("\n");
}

function lineElement({ text, style, kind, hasSign, y }: TextLine): string {
  if (style !== "mark") return textAt(style, INSET.left, y, text);
  const styles = `mark ${kind}`;
  const room = kind === "quiet" ? 0 : SIGN;
  const sign = `<path class="${styles} sign" d="M${INSET.left + 5.5} ${y - 10}l5.5 10h-11z"/>`;
  return `${hasSign ? `${sign}\n` : ""}${textAt(styles, INSET.left + room, y, text)}`;
}

function textAt(style: string, x: number, y: number, text: string): string {
  return `<text class="${style}" x="${x}" y="${y}">${xmlText(text)}</text>`;
}
