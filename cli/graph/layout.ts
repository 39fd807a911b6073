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

/**
 * Places boxes in columns, so lines cross seldom and are short, and nothing overlaps: lines pass a column between its boxes. The same
 * boxes and lines always give the same.
 */
export function layoutOf(boxes: readonly Box[], lines: readonly Line[], gaps: Gaps): Layout {
  const columnCount = most(boxes.map(({ column }) => column + 1));
  const items = boxes.map(({ column, height }) => itemIn(column, height));
  const columns: Item[][] = Array.from({ length: columnCount }, () => []);
  for (const item of items) columns[item.column]?.push(item);
  const routes = lines.map((line) => routeOf(line, items, columns));
  order(columns);
  place(columns, gaps.down);
  const top = least(columns.flat().map(({ y, height }) => y - height / 2));
  const widths = columns.map((_, column) => most(boxes.flatMap((box) => (box.column === column ? [box.width] : []))));
  const starts = startsOf(widths, gaps.across);
  const yOf = ({ y }: Item) => Math.round(y - top);
  const ends = starts.map((start, column) => start + (widths[column] ?? 0));
  return {
    corners: items.map((item) => ({ x: starts[item.column] ?? 0, y: yOf(item) - item.height / 2 })),
    paths: routes.map((route) => {
      const sides = route.flatMap((item) => {
        const y = yOf(item);
        return [
          { x: starts[item.column] ?? 0, y },
          { x: ends[item.column] ?? 0, y },
        ];
      });
      return sides.slice(1, -1);
    }),
    width: Math.max(0, (starts.at(-1) ?? 0) + (widths.at(-1) ?? 0)),
    height: most(items.map((item) => yOf(item) + item.height / 2)),
    columns: starts,
  };
}

function itemIn(column: number, height: number): Item {
  return { column, height, before: [], after: [], rank: 0, y: 0 };
}

/** The items that a line leads along. */
function routeOf({ from, to }: Line, items: readonly Item[], columns: readonly Item[][]): Item[] {
  const [first, last] = [items[from], items[to]];
  if (!first || !last) return [];
  const route = [first];
  for (let column = first.column + 1; column < last.column; column++) {
    const passage = itemIn(column, 0);
    columns[column]?.push(passage);
    route.push(passage);
  }
  route.push(last);
  for (const [index, item] of route.entries()) {
    const next = route[index + 1];
    if (!next) continue;
    item.after.push(next);
    next.before.push(item);
  }
  return route;
}

function startsOf(widths: readonly number[], gap: number): number[] {
  let x = 0;
  return widths.map((width) => {
    const start = x;
    x += width + gap;
    return start;
  });
}

/** How often columns are put in order from both sides. */
const SWEEPS = 6;

/** Puts each column in the order of the middles of what its items are connected with, and keeps the order with the fewest crossings. */
function order(columns: Item[][]): void {
  for (const column of columns) rank(column);
  let best = columns.map((column) => [...column]);
  let fewest = crossings(columns);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    for (const column of columns) arrange(column, "before");
    for (const column of columns.toReversed()) arrange(column, "after");
    const count = crossings(columns);
    if (count >= fewest) continue;
    fewest = count;
    best = columns.map((column) => [...column]);
  }
  for (const [index, column] of best.entries()) {
    columns[index]?.splice(0, column.length, ...column);
    rank(column);
  }
}

function rank(column: readonly Item[]): void {
  for (const [index, item] of column.entries()) item.rank = index;
}

function arrange(column: Item[], side: "before" | "after"): void {
  const middles = new Map(column.map((item) => [item, item[side].length === 0 ? item.rank : mean(item[side].map((other) => other.rank))]));
  column.sort((a, b) => (middles.get(a) ?? 0) - (middles.get(b) ?? 0) || a.rank - b.rank);
  rank(column);
}

/** How many pairs of lines cross. */
function crossings(columns: readonly (readonly Item[])[]): number {
  return sum(
    columns.slice(0, -1).map((column, index) => {
      const targets = column.flatMap(({ after }) => after.map((item) => item.rank).sort((a, b) => a - b));
      return inversions(targets, columns[index + 1]?.length ?? 0);
    }),
  );
}

/** How many pairs of numbers stand in the wrong order. Counts of the numbers so far are kept in a tree (Fenwick). */
function inversions(numbers: readonly number[], size: number): number {
  const tree = new Array<number>(size + 1).fill(0);
  let count = 0;
  for (const [index, number] of numbers.entries()) {
    let notAbove = 0;
    for (let at = number + 1; at > 0; at -= at & -at) notAbove += tree[at] ?? 0;
    count += index - notAbove;
    for (let at = number + 1; at <= size; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
  }
  return count;
}

/** How often columns are moved towards what they are connected with. */
const MOVES = 4;

/** Gives each item its middle: as near to those of its neighbours as the others in its column let it be. */
function place(columns: readonly Item[][], gap: number): void {
  const all = columns.map((items): Column => ({ items, distances: distancesOf(items, gap) }));
  for (const { items, distances } of all) for (const [index, item] of items.entries()) item.y = distances[index] ?? 0;
  const highest = all.toSorted((a, b) => (b.distances.at(-1) ?? 0) - (a.distances.at(-1) ?? 0))[0];
  // The column that needs the most room stays, and the others follow it.
  const others = all.filter((column) => column !== highest);
  for (let move = 0; move < MOVES; move++) {
    for (const column of others) shift(column);
    for (const column of others.toReversed()) shift(column);
  }
}

interface Column {
  readonly items: readonly Item[];
  /** The middles of its items, when each stands as near to the one above it as it may. */
  readonly distances: readonly number[];
}

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
function shift({ items, distances }: Column): void {
  const blocks: { ideal: number; count: number }[] = [];
  for (const [index, item] of items.entries()) {
    const count = item.before.length + item.after.length;
    const ideal = count === 0 ? item.y : (sumOfMiddles(item.before) + sumOfMiddles(item.after)) / count;
    let block = { ideal: ideal - (distances[index] ?? 0), count: 1 };
    for (let above = blocks.at(-1); above && above.ideal >= block.ideal; above = blocks.at(-1)) {
      blocks.pop();
      const count = above.count + block.count;
      block = { ideal: (above.ideal * above.count + block.ideal * block.count) / count, count };
    }
    blocks.push(block);
  }
  const shifts = blocks.flatMap(({ ideal, count }) => new Array<number>(count).fill(ideal));
  for (const [index, item] of items.entries()) item.y = (distances[index] ?? 0) + (shifts[index] ?? 0);
}

function sumOfMiddles(items: readonly Item[]): number {
  return items.reduce((total, { y }) => total + y, 0);
}

function mean(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The numbers may be too many for the arguments of a function. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}
