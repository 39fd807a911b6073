import fc from "fast-check";
import { cases } from "../../test/support/seed";
import { type Box, type Layout, type Line, layoutOf } from "./layout";

const gaps = { across: 50, down: 10 };

const graphs = fc
  .array(fc.record({ column: fc.nat(3), height: fc.integer({ min: 1, max: 40 }).map((half) => half * 2) }), { maxLength: 30 })
  .map((found): Box[] => {
    // No column is empty, and the boxes of one are equally wide.
    const used = [...new Set(found.map(({ column }) => column))].sort();
    return found.map(({ column, height }) => ({ column: used.indexOf(column), width: 100, height }));
  })
  .chain((boxes) => {
    const pairs = boxes.flatMap((from, a) => boxes.flatMap((to, b) => (from.column < to.column ? [{ from: a, to: b }] : [])));
    const lines: fc.Arbitrary<Line[]> = pairs.length === 0 ? fc.constant([]) : fc.subarray(pairs);
    return lines.map((chosen) => ({ boxes, lines: chosen }));
  });

function rectangles(boxes: readonly Box[], { corners }: Layout) {
  return boxes.map(({ width, height }, place) => {
    const { x, y } = corners[place] ?? { x: 0, y: 0 };
    return { left: x, right: x + width, top: y, bottom: y + height };
  });
}

test("boxes never overlap, stand within the picture, and have a gap between them", () => {
  fc.assert(
    fc.property(graphs, ({ boxes, lines }) => {
      const layout = layoutOf(boxes, lines, gaps);
      const all = rectangles(boxes, layout);
      for (const [place, one] of all.entries()) {
        expect(one.left >= 0 && one.top >= 0 && one.right <= layout.width && one.bottom <= layout.height).toBe(true);
        for (const other of all.slice(place + 1)) {
          // Middles are rounded.
          const isApart = one.bottom + gaps.down - 1 <= other.top || other.bottom + gaps.down - 1 <= one.top;
          expect(one.left !== other.left || isApart).toBe(true);
        }
      }
    }),
    cases(),
  );
});

test("lines lead from the right side of a box to the left side of the other, and pass a column beside its boxes", () => {
  fc.assert(
    fc.property(graphs, ({ boxes, lines }) => {
      const layout = layoutOf(boxes, lines, gaps);
      const all = rectangles(boxes, layout);
      for (const [index, { from, to }] of lines.entries()) {
        const path = layout.paths[index] ?? [];
        const [start, end] = [path[0], path.at(-1)];
        expect([start?.x, end?.x]).toEqual([all[from]?.right, all[to]?.left]);
        const passages = path.slice(1, -1);
        const isFree = passages.every(({ x, y }) => all.every((box) => x < box.left || x > box.right || y <= box.top || y >= box.bottom));
        expect(isFree).toBe(true);
      }
    }),
    cases(),
  );
});

test("the same boxes and lines give the same, also when they are given again", () => {
  fc.assert(
    fc.property(graphs, ({ boxes, lines }) => expect(layoutOf(boxes, lines, gaps)).toEqual(layoutOf(boxes, lines, gaps))),
    cases(),
  );
});

test("boxes change places where their lines would cross", () => {
  const box = (column: number) => ({ column, width: 100, height: 20 });
  const boxes = [box(0), box(0), box(1), box(1)];
  const crossed = [
    { from: 0, to: 3 },
    { from: 1, to: 2 },
  ];
  const { corners } = layoutOf(boxes, crossed, gaps);
  const y = corners.map((corner) => corner.y);
  expect([y[0], y[1]]).toEqual([y[3], y[2]]);
});
