import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { functions } from "../../provider/functions";
import { resources } from "../../provider/resources";
import { reference, root } from "../repository";
import { exampleOf, languages, programs } from "./examples";
import { referencePages } from "./pages";

const schema: unknown = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
const pages = referencePages(schema);
const names = [...resources.map(({ kind }) => kind), ...functions.map(({ name }) => name)];

test("there is a page for each resource and function, and no other", () => {
  const expected = names.map((name) => `${name}.md`).sort();
  expect([...pages.keys()].sort()).toEqual(expected);
  expect(readdirSync(join(root, reference)).sort()).toEqual(expected);
});

test.each([...pages.keys()])("%s is up to date, and says that it is generated", (name) => {
  const text = readFileSync(join(root, reference, name), "utf8");
  expect(text).toBe(pages.get(name));
  expect(text).toContain("<!-- Generated from schema.json by `npm run generate`.");
});

test.each(names)("%s has an example in every language, in its page and in the schema's description", (name) => {
  const text = pages.get(`${name}.md`) ?? "";
  const described = JSON.stringify(schema);
  const example = exampleOf(name);
  expect([...(example?.texts.keys() ?? [])]).toEqual(["typescript", "python", "go", "csharp", "yaml"]);
  for (const [language, program] of example?.texts ?? []) {
    const block = `\`\`\`${language}\n${program}\n\`\`\``;
    expect(text).toContain(`{{% choosable language ${language} %}}\n\n${block}\n\n{{% /choosable %}}`);
    expect(described).toContain(JSON.stringify(block).slice(1, -1));
  }
});

test.each(resources)("the page of $kind has a command for each form of the ID that an import takes", ({ kind, description }) => {
  const [, section = ""] = (pages.get(`${kind}.md`) ?? "").split("\n## Import\n\n`pulumi import` takes ");
  const [, forms = ""] = description.split("**Import** takes ");
  expect(section.replace(/\s+/g, " ")).toContain(forms);
  const commands = [...section.matchAll(/^pulumi import (\S+) \w+ ('[^']+'|\S+)$/gm)];
  expect(commands.map(([, token]) => token)).toEqual(programs[kind]?.ids?.map(() => `agentpool-acl:index:${kind}`));
  expect(commands.map(([, , id = ""]) => id.replaceAll("'", ""))).toEqual(programs[kind]?.ids);
  for (const [, , id = ""] of commands) expect(id.includes(" ")).toBe(id.startsWith("'"));
});

test("every choosable of a page is in a chooser of all languages", () => {
  for (const text of pages.values()) {
    expect(text.split(`{{< chooser language "${Object.keys(languages).join(",")}" >}}`)).toHaveLength(2);
    expect(text.split("{{< /chooser >}}")).toHaveLength(2);
  }
});
