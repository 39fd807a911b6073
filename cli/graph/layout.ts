/** An object to place: its column, and its size. */
export interface Box {
  readonly column: number;
  readonly width: number;
  readonly height: number;
}

/** A line from one box to another in a later column, by their places in the list. */
export interface Line {
  readonly from: number;
  readonly to: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** The upper left corner of each box. */
  readonly corners: readonly Point[];
  /** The points of each line, from the right side of one box to the left side of another: two, and two more for each column it passes. */
  readonly paths: readonly (readonly Point[])[];
  /** The width of all columns, with the gaps between them. */
  readonly width: number;
  readonly height: number;
  /** The left edge of each column. */
  readonly columns: readonly number[];
}

export interface Gaps {
  /** The gap between columns. */
  readonly across: number;
  /** The gap between the boxes of a column. */
  readonly down: number;
}

/** An item of a column: a box, or the place where a line passes. */
interface Item {
  readonly column: number;
  readonly height: number;
  /** The neighbours in the column to the left. */
  readonly before: Item[];
  /** The neighbours in the column to the right. */
  readonly after: Item[];
  /** The place in the column, from the top. */
  rank: number;
  /** The y coordinate of the middle. */
  y: number;
}

/** The numbers of passes that sort columns from both sides, and then move them. */
const SWEEPS = { order: 6, move: 4 } as const;

/**
 * Places boxes in columns, so lines are short and rarely cross, and nothing overlaps: lines pass a column between its boxes. The result is
 * deterministic.
 */
export function layoutOf(boxes: readonly Box[], lines: readonly Line[], gaps: Gaps): Layout {
  const columns: Item[][] = Array.from({ length: most(boxes.map(({ column }) => column + 1)) }, () => []);
  const add = (column: number, height: number): Item => {
    const item = { column, height, before: [], after: [], rank: columns[column]?.length ?? 0, y: 0 };
    columns[column]?.push(item);
    return item;
  };
  const items = boxes.map(({ column, height }) => add(column, height));
  const routes = lines.map((line) => routeOf(line, items, add));
  alternately(columns, SWEEPS.order, arrange);
  for (const column of columns) {
    const distances = distancesOf(column, gaps.down);
    for (const [index, item] of column.entries()) item.y = distances[index] ?? 0;
  }
  alternately(columns, SWEEPS.move, (column) => shift(column, distancesOf(column, gaps.down)));
  const top = columns.flat().reduce((least, { y, height }) => Math.min(least, y - height / 2), Number.POSITIVE_INFINITY);
  const widths = columns.map((_, column) => most(boxes.map((box) => (box.column === column ? box.width : 0))));
  const starts = widths.map((_, column) => sum(widths.slice(0, column).map((width) => width + gaps.across)));
  const pointOf = ({ column, y }: Item, across = 0) => ({ x: (starts[column] ?? 0) + across, y: Math.round(y - top) });
  return {
    corners: items.map((item) => ({ ...pointOf(item), y: pointOf(item).y - item.height / 2 })),
    paths: routes.map((route) => route.flatMap((item) => [pointOf(item), pointOf(item, widths[item.column])]).slice(1, -1)),
    width: (starts.at(-1) ?? 0) + (widths.at(-1) ?? 0),
    height: most(items.map((item) => pointOf(item).y + item.height / 2)),
    columns: starts,
  };
}

/** The items along a line. */
function routeOf({ from, to }: Line, items: readonly Item[], add: (column: number, height: number) => Item): Item[] {
  const [first, last] = [items[from], items[to]];
  if (!first || !last) return [];
  const passages = Array.from({ length: last.column - first.column - 1 }, (_, index) => add(first.column + 1 + index, 0));
  const route = [first, ...passages, last];
  for (const [index, item] of [...passages, last].entries()) {
    route[index]?.after.push(item);
    item.before.push(route[index] ?? first);
  }
  return route;
}

function alternately(columns: readonly Item[][], times: number, work: (column: Item[], side: "before" | "after") => void): void {
  for (let time = 0; time < times; time++) {
    for (const column of columns) work(column, "before");
    for (const column of columns.toReversed()) work(column, "after");
  }
}

/** Sorts a column by the mean rank of each item's neighbours on one side. */
function arrange(column: Item[], side: "before" | "after"): void {
  const middleOf = (item: Item) => (item[side].length === 0 ? item.rank : sum(item[side].map(({ rank }) => rank)) / item[side].length);
  const middles = new Map(column.map((item) => [item, middleOf(item)]));
  column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0) || a.rank - b.rank);
  for (const [index, item] of column.entries()) item.rank = index;
}

/** The middles of a column's items, each as close to the one above as the gap allows. */
function distancesOf(column: readonly Item[], gap: number): number[] {
  let y = 0;
  return column.map(({ height }, index) => {
    const above = column[index - 1];
    // Passing lines may be closer to each other than boxes.
    if (above) y += above.height / 2 + height / 2 + (above.height === 0 && height === 0 ? gap / 2 : gap);
    return y;
  });
}

/** Moves each item of a column to the middle of its neighbours. Items that would overlap or change places move together. */
function shift(column: readonly Item[], distances: readonly number[]): void {
  const blocks: { ideal: number; count: number }[] = [];
  for (const [index, { before, after, y }] of column.entries()) {
    const middles = [...before, ...after].map((item) => item.y);
    const ideal = middles.length === 0 ? y : sum(middles) / middles.length;
    let block = { ideal: ideal - (distances[index] ?? 0), count: 1 };
    for (let above = blocks.at(-1); above && above.ideal >= block.ideal; above = blocks.at(-1)) {
      blocks.pop();
      const count = above.count + block.count;
      block = { ideal: (above.ideal * above.count + block.ideal * block.count) / count, count };
    }
    blocks.push(block);
  }
  const shifts = blocks.flatMap(({ ideal, count }) => new Array<number>(count).fill(ideal));
  for (const [index, item] of column.entries()) item.y = (distances[index] ?? 0) + (shifts[index] ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The maximum. `Math.max(...numbers)` fails for very many numbers. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}
