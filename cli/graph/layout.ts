/** An object to place: the column that it stands in, and its size. */
export interface Box {
  readonly column: number;
  readonly width: number;
  readonly height: number;
}

/** From one box to another one in a later column, by their places in the list. */
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
  /** Each line from the right side of one box to the left side of another: at least two points, and two more for each column that it passes. */
  readonly paths: readonly (readonly Point[])[];
  /** Of all columns. */
  readonly width: number;
  readonly height: number;
  /** Where each column begins. */
  readonly columns: readonly number[];
}

export interface Gaps {
  /** Between columns. */
  readonly across: number;
  /** Between the boxes of a column. */
  readonly down: number;
}

/** What stands in a column: a box, or the place where a line passes it. */
interface Item {
  readonly column: number;
  readonly height: number;
  /** In the columns before and after it. */
  readonly before: Item[];
  readonly after: Item[];
  /** Its place in its column. */
  rank: number;
  /** Its middle. */
  y: number;
}

/** How often columns are put in order from both sides, and then moved. */
const SWEEPS = { order: 6, move: 4 } as const;

/**
 * Places boxes in columns, so lines cross seldom and are short, and nothing overlaps: lines pass a column between its boxes. The same
 * boxes and lines always give the same.
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

/** The items that a line leads along. */
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

/** Puts a column in the order of the middles of what its items are connected with on a side. */
function arrange(column: Item[], side: "before" | "after"): void {
  const middleOf = (item: Item) => (item[side].length === 0 ? item.rank : sum(item[side].map(({ rank }) => rank)) / item[side].length);
  const middles = new Map(column.map((item) => [item, middleOf(item)]));
  column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0) || a.rank - b.rank);
  for (const [index, item] of column.entries()) item.rank = index;
}

/** The middles of the items of a column, when each stands as near to the one above it as it may. */
function distancesOf(column: readonly Item[], gap: number): number[] {
  let y = 0;
  return column.map(({ height }, index) => {
    const above = column[index - 1];
    // Lines that pass may stand nearer to each other than boxes.
    if (above) y += above.height / 2 + height / 2 + (above.height === 0 && height === 0 ? gap / 2 : gap);
    return y;
  });
}

/** Moves the items of a column to the middle of their neighbours: of those that would overlap or change places, all by the same. */
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

/** The numbers may be too many for the arguments of a function. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}
