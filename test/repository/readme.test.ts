/**
 * The documents: their tables are up to date, and their links to files of the project are valid. documented-programs.full.test.ts tests
 * their programs.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { accessPolicies } from "../../policies";
import { withTables } from "../../tools/generate/readme";
import { documents } from "../../tools/repository";

const root = join(__dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
const differences = ["rehearsal", "simulator"].map((name) => `testing/${name}/DIFFERENCES.md`);
const linked = [...documents(), "CONTRIBUTING.md", ...differences, ...examples.filter((path) => existsSync(join(root, path)))];

it.each(documents())("the tables of %s are up to date", (path) => {
  expect(unpadded(text(path))).toBe(unpadded(withTables(text(path))));
});

it.each(linked)("every link of %s has a target: a file of the project, and a heading in it", (path) => {
  const links = [...text(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, target = "", anchor]) => {
    const file = target === "" ? path : join(dirname(path), target);
    return !existsSync(join(root, file)) || (anchor !== undefined && !anchors(file).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

it("every file in CONTRIBUTING exists, except the made-up kind's", () => {
  const named = [
    ...text("CONTRIBUTING.md").matchAll(/`((?:access|bin|cli|common|docs|examples|policies|provider|test|testing|tools)\/[^`\s*]+)`/g),
  ].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !existsSync(join(root, path)) && !/\/(acl-)?note/.test(path))).toEqual([]);
});

it("the index of docs names every page", () => {
  const index = text("docs/README.md");
  const pages = documents().filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(pages.filter((path) => !index.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
});

it("the sample of docs/policies.md shows the description that its policy has", () => {
  const [, name, description] = /^- \[mandatory\] {2}(\S+) .*\n {2}(.*)$/m.exec(text("docs/policies.md")) ?? [];
  expect(accessPolicies()).toContainEqual(expect.objectContaining({ name, description }));
});

describe("the package is not in npm's registry, where its name is free for anyone to take", () => {
  const files = ["docs", "examples", "cli", "provider"].flatMap((folder) => {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
  });
  const texts = ["README.md", ...files.filter((path) => /\.(md|ya?ml|ts|json)$/.test(path))];
  const containing = (pattern: RegExp) => texts.flatMap((path) => (text(path).match(pattern) ?? []).map((found) => `${path}: ${found}`));

  it("no text makes npx download it if it is not installed", () => {
    expect(containing(/npx --no-install pulumi-agentpool-acl/g).length).toBeGreaterThan(30);
    expect(containing(/\b(npx|npm exec|pnpm dlx|yarn dlx|bunx)( -\S+)* pulumi-agentpool-acl.*/g)).toEqual(
      containing(/npx --no-install pulumi-agentpool-acl.*/g),
    );
  });

  it("no text makes npm install it by its name alone", () => {
    expect(containing(/\b(npm (install|i|add)|pnpm add|yarn add)( -\S+| @\S+)* pulumi-agentpool-acl(?!\S*\.tgz).*/g)).toEqual([]);
  });

  it("every page that runs a command says where to install it", () => {
    const pages = linked.filter((path) => text(path).includes("npx --no-install pulumi-agentpool-acl"));
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.filter((path) => !/commands\.md#installation|npm install (--install-links|\S+\.tgz)/.test(text(path)))).toEqual([]);
  });
});

it("the README can be read in one sitting: 250 lines at most", () => {
  expect(text("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(250);
});

it.each([...documents(), "CONTRIBUTING.md"])(
  "%s fits a terminal: no line of more than 140 columns, addresses apart, and no table of more than 120",
  (path) => {
    const lines = text(path).split("\n");
    const tooLong = lines.filter((line) => line.length > (line.startsWith("|") ? 120 : 140) && !line.includes("https://"));
    expect(tooLong).toEqual([]);
  },
);

/** The formatter aligns the columns of tables. */
function unpadded(markdown: string): string {
  return markdown.replace(/^\|.*\|$/gm, (row) => row.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---"));
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(path: string): string[] {
  const headings = [...text(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
