import { type Layout, layoutOf } from "./layout";
import type { NodeKind, Picture, PictureNode } from "./picture";
import { type Font, wrapped } from "./text";

/** The styles of a box's lines. */
export const fonts = {
  title: { size: 13, isBold: true },
  detail: { size: 12 },
  code: { size: 12, isCode: true },
  mark: { size: 12 },
} as const satisfies Readonly<Record<string, Font>>;

/** A line of text within a box. */
export interface TextLine {
  readonly text: string;
  readonly style: keyof typeof fonts;
  /** For a line of a mark: the kind of the mark. */
  readonly kind?: string;
  /** Whether a sign precedes it. */
  readonly hasSign: boolean;
  /** The baseline, measured from the top of the box. */
  readonly y: number;
}

export interface NodeBox {
  readonly node: PictureNode;
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
}

export interface ArrangedPicture {
  readonly boxes: readonly NodeBox[];
  readonly layout: Layout;
  /** The headings above the columns. */
  readonly headings: readonly string[];
}

/** The columns, with their widths and headings. Management is in the column of the roles. */
const columns: readonly { readonly kinds: readonly NodeKind[]; readonly width: number; readonly heading: string }[] = [
  { kinds: ["method"], width: 216, heading: "Auth methods" },
  { kinds: ["rule"], width: 360, heading: "Binding rules" },
  { kinds: ["role", "management"], width: 228, heading: "Roles" },
  { kinds: ["policy"], width: 212, heading: "Policies" },
  { kinds: ["rights"], width: 400, heading: "Rights" },
];

/** The padding of the text in a box. */
export const INSET = { left: 18, right: 12, down: 10 } as const;
/** The width of the sign before a mark. */
export const SIGN = 16;
const LINE = 17;
const GAPS = { across: 92, down: 16 } as const;

/** Computes the places of the boxes and lines of a picture. */
export function arranged({ nodes, edges }: Picture): ArrangedPicture {
  const used = columns.filter(({ kinds }) => nodes.some(({ kind }) => kinds.includes(kind)));
  const columnOf = (kind: NodeKind) => used.findIndex(({ kinds }) => kinds.includes(kind));
  const boxes = nodes.map((node) => boxOf(node, used[columnOf(node.kind)]?.width ?? 0));
  const placed = boxes.map(({ node, width, height }) => ({ column: columnOf(node.kind), width, height }));
  return { boxes, layout: layoutOf(placed, edges, GAPS), headings: used.map(({ heading }) => heading) };
}

function boxOf(node: PictureNode, width: number): NodeBox {
  const room = width - INSET.left - INSET.right;
  const linesOf = (style: keyof typeof fonts, text: string, most: number) =>
    wrapped(text, fonts[style], room, most).map((line) => ({ text: line, style, hasSign: false }));
  // Names, permissions, the job of a policy and marks are never cut: their ends say as much as their beginnings.
  const mostLines = node.kind === "rights" || node.kind === "policy" ? Number.POSITIVE_INFINITY : 2;
  const lines: Omit<TextLine, "y">[] = [
    ...linesOf("title", node.title, Number.POSITIVE_INFINITY),
    ...node.details.flatMap((detail) => linesOf("detail", detail, mostLines)),
    ...linesOf("code", node.selector ?? "", 5),
    ...node.marks.flatMap(({ kind, text: mark }) =>
      wrapped(mark, fonts.mark, room - SIGN, Number.POSITIVE_INFINITY).map((text, index) => {
        return { text, style: "mark" as const, kind, hasSign: index === 0 && kind !== "quiet" };
      }),
    ),
  ];
  return {
    node,
    lines: lines.map((line, index) => ({ ...line, y: INSET.down + index * LINE + 13 })),
    width,
    height: 2 * Math.ceil((2 * INSET.down + lines.length * LINE) / 2),
  };
}
