import { glossary, table } from "./markdown";

test("a table's columns are aligned, and a bar in a cell is escaped", () => {
  expect(table(["a", "longer"], [["x | y", "1"]])).toBe("| a      | longer |\n| ------ | ------ |\n| x \\| y | 1      |");
});

test("a glossary is a table where a terminal of 120 columns shows it", () => {
  const meaning = "m".repeat(110);
  expect(glossary(["Key", "Meaning"], [["k", meaning]]).split("\n")[2]).toBe(`| k   | ${meaning} |`);
  expect(glossary(["Key", "Meaning"], [["k", `${meaning}m`]])).toBe(`- k: ${meaning}m`);
});

test("a glossary that is too wide for a table is a list, whose lines fit a terminal", () => {
  const entries = [["`name`", "word ".repeat(60).trim()] as const, ["`other`", "short"] as const];
  const lines = glossary(["Key", "Meaning"], entries).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(lines.join("\n").replaceAll("\n  ", " ")).toBe(`- \`name\`: ${"word ".repeat(60).trim()}\n- \`other\`: short`);
});
