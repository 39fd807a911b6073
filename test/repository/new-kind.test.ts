/** The list of CONTRIBUTING for a new kind: `new-kind.full.test.ts` follows it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFiles } from "../fixtures/new-kind/apply";
import { edits } from "../fixtures/new-kind/edits";

const root = join(__dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

/** The files that the items of a numbered list begin with. The list follows a given line of CONTRIBUTING. */
function listedAfter(line: string): string[] {
  const [, section = ""] = text("CONTRIBUTING.md").split(line);
  const [list = ""] = section.trimStart().split(/\n\n/);
  return [...list.matchAll(/^\d+\. `(.+?)`: /gm)].map(([, file = ""]) => file);
}

test("a new kind costs at most four edits beyond its own files", () => {
  expect(edits.length).toBeLessThanOrEqual(4);
});

test("CONTRIBUTING lists exactly the made-up kind's own files, and its edits in their order", () => {
  expect(listedAfter("Its own files, in this order:\n").sort()).toEqual(Object.keys(ownFiles()).sort());
  expect(listedAfter("The edits, in this order:\n")).toEqual(edits.map(({ file }) => file));
});

test.each(edits)("$file has the place of an edit once: $anchor", ({ file, anchor }) => {
  expect(text(file).split(anchor)).toHaveLength(2);
});
