import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type ErrorWords, propertyErrors, userErrors } from "../../common/user-errors";
import { errorCases, errorKinds } from "../../provider/apis/http/errors";
import { configuration } from "../../provider/configuration/config";
import { functions } from "../../provider/functions";
import { propertiesOf } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { table, wrapped } from "../markdown";
import { reference, root } from "../repository";
import { exampleOf, languages, programs } from "./examples";
import { referencePages } from "./pages";

describe("tables", () => {
  test("a table's columns are aligned, and a bar in a cell is escaped", () => {
    expect(table(["a", "longer"], [["x | y", "1"]])).toBe("| a      | longer |\n| ------ | ------ |\n| x \\| y | 1      |");
  });

  test("a list item is wrapped to the width of a terminal", () => {
    const item = `- \`name\`: ${"word ".repeat(60).trim()}`;
    const lines = wrapped(item).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines.join("\n").replaceAll("\n  ", " ")).toBe(item);
    expect(wrapped("- `other`: short")).toBe("- `other`: short");
  });
});

describe("pages of the reference", () => {
  const schema: unknown = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
  const pages = referencePages();
  const registryPages = referencePages("registry");
  const names = [...resources.map(({ kind }) => kind), ...functions.map(({ name }) => name)];

  test("the pages are the provider, each resource, each function, the whole program, and an index", () => {
    const expected = ["Provider", "README", "from-nothing", ...names].map((name) => `${name}.md`).sort();
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
      expect(text).toContain(`\n\n${block}\n`);
      expect(registryPages.get(`${name}.md`)).toContain(`{{% choosable language ${language} %}}\n\n${block}\n\n{{% /choosable %}}`);
      expect(described).toContain(JSON.stringify(block).slice(1, -1));
    }
  });

  test.each(resources)("the page of $kind has a command for each form of an import's ID", ({ kind, description }) => {
    const [, section = ""] = (pages.get(`${kind}.md`) ?? "").split("\n## Import\n\n`pulumi import` takes ");
    const [, forms = ""] = description.split("**Import** takes ");
    expect(section.replace(/\s+/g, " ")).toContain(forms);
    const commands = [...section.matchAll(/^pulumi import (\S+) \w+ ('[^']+'|\S+)$/gm)];
    expect(commands.map(([, token]) => token)).toEqual(programs[kind]?.ids?.map(() => `agentpool-acl:index:${kind}`));
    expect(commands.map(([, , id = ""]) => id.replaceAll("'", ""))).toEqual(programs[kind]?.ids);
    for (const [, , id = ""] of commands) expect(id.includes(" ")).toBe(id.startsWith("'"));
  });

  test("the page of the program for everything has it in every language", () => {
    const texts = [...(exampleOf("from-nothing")?.texts ?? [])];
    expect(texts.map(([language]) => language)).toEqual(["typescript", "python", "go", "csharp", "yaml"]);
    for (const [language, text] of texts) expect(pages.get("from-nothing.md")).toContain(`\`\`\`${language}\n${text}\n\`\`\``);
  });

  test("pages of the repository are plain Markdown, without syntax that only Pulumi's registry reads", () => {
    expect([...pages.keys()]).toEqual([...registryPages.keys()]);
    expect([...pages].filter(([, text]) => /\{\{[<%]|^---/.test(text)).map(([name]) => name)).toEqual([]);
  });

  test("pages of the registry have front matter, and every choosable is in a chooser of all languages", () => {
    for (const text of names.map((name) => registryPages.get(`${name}.md`) ?? "")) {
      expect(text).toMatch(/^---\ntitle: \w+\nmeta_desc: "/);
      expect(text.split(`{{< chooser language "${Object.keys(languages).join(",")}" >}}`)).toHaveLength(2);
      expect(text.split("{{< /chooser >}}")).toHaveLength(2);
    }
  });

  test("the index names every page, and the provider's has every key of the configuration with its default", () => {
    for (const name of ["Provider", ...names]) expect(pages.get("README.md")).toContain(`- [${name}](${name}.md): `);
    for (const [key, { description }] of propertiesOf(configuration)) {
      const entry = (pages.get("Provider.md") ?? "").split(`\n- \`${key}\` (`)[1]?.split("\n- ")[0] ?? "";
      expect(entry.replace(/\s+/g, " ")).toContain(description);
    }
  });
});

describe("troubleshooting", () => {
  const list = "common/user-errors.ts";

  const sources = ["access", "access-functions", "common", "policies", "provider"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("provider/generated/") && path !== list)
    .map((path) => ({ path, file: ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.ES2022, true) }));

  function nodesIn(node: ts.Node): ts.Node[] {
    return [node, ...node.getChildren().flatMap(nodesIn)];
  }

  const nodes = sources.flatMap(({ path, file }) => nodesIn(file).map((node) => ({ path, node })));

  /** A text as the reader sees it, with "..." for each value; undefined if the node is no text. */
  function textOf(node: ts.Node): string | undefined {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join("");
    if (ts.isBinaryExpression(node)) return `${textOf(node.left) ?? "..."}${textOf(node.right) ?? "..."}`;
    return undefined;
  }

  const texts = nodes.flatMap(({ node }) => textOf(node) ?? []);

  const entries = Object.values(userErrors).flatMap((area): [code: string, entry: ErrorWords][] => Object.entries(area));

  test.each(entries)("an error of the code %s is thrown", (code) => {
    expect(texts).toContain(code);
  });

  test.each(Object.keys(errorCases))("a request ends in the case %s", (code) => {
    expect(texts.filter((text) => text === code)).not.toEqual([]);
  });

  test.each(Object.keys(errorKinds))("a request fails with the kind %s", (kind) => {
    expect(texts.filter((text) => text === kind)).not.toEqual([]);
  });

  /** The words of an entry between placeholders, without the path of a property. */
  function partsOf(says: string): string[] {
    return says
      .replace(/^(config(\.\w+)?|selector|bindName) /, "")
      .split(/\.\.\.|\b[A-Z]{4,}\b/)
      .map((part) => part.trim())
      .filter((part) => /\w/.test(part));
  }

  test.each([...entries, ...propertyErrors.map((entry) => [entry.says, entry] as const)])(
    "the words of the entry %s are in a message",
    (_, { says }) => {
      for (const part of partsOf(says)) expect(texts.filter((text) => text.includes(part))).not.toEqual([]);
    },
  );

  /** The possible first texts of a node's value, without texts that are only arguments, operands of comparisons, or appended. */
  function reasonsIn(node: ts.Node): string[] {
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(reasonsIn);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
      return [node.left, node.right].flatMap(reasonsIn);
    const text = textOf(node);
    return text === undefined || !/\w/.test(text) ? [] : [text];
  }

  /** The reasons of failures: arguments of `fail`, messages of zod's schemas, and returned problems of forms. */
  const reasons = nodes
    .filter(({ path }) => !/^provider\/(apis|program|adapters)\//.test(path))
    .flatMap(({ node }) => {
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText().replace(/\s/g, "");
        if (/^(fail|require|refused)$/.test(called)) return node.arguments.slice(1).flatMap(reasonsIn);
        const isSchema = /^z\.(number|enum|union|coerce)|\.(min|max|gt|int|regex|refine)$/.test(called);
        return isSchema ? node.arguments.slice(-1).flatMap(reasonsIn) : [];
      }
      if (ts.isFunctionDeclaration(node) && /(Problem|problemOf|unexpected)$/.test(node.name?.text ?? ""))
        return nodesIn(node).flatMap((inner) => (ts.isReturnStatement(inner) && inner.expression ? reasonsIn(inner.expression) : []));
      return ts.isPropertyAssignment(node) && node.name.getText() === "missingReason" ? reasonsIn(node.initializer) : [];
    });

  test("the reasons of failures are found", () => {
    expect(reasons).toEqual(
      expect.arrayContaining([
        "needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT",
        "must be an address like https://idp.example.com",
        "must be 1 to 128 letters, digits or dashes",
        expect.stringMatching(/^is required when bindType is "management"/),
        expect.stringMatching(/^is required: give it in the program/),
        expect.stringMatching(/^is not a property here/),
        expect.stringMatching(/^must be a public key/),
        expect.stringMatching(/^must be an object, not/),
      ]),
    );
  });

  test("every reason of a failure has an entry", () => {
    const known = propertyErrors.map(({ says }) => partsOf(says));
    const isExplained = (reason: string) =>
      known.some((parts) => parts.every((part, index) => (index > 0 ? reason.includes(part) : reason.startsWith(part))));
    expect(reasons.filter((reason) => !isExplained(reason))).toEqual([]);
  });

  /** Other error classes that no user sees, with their purposes. */
  const internal: Readonly<Record<string, string>> = {
    TransportFailure: "becomes an ApiError",
    InvalidDuration: "becomes a failure of check",
    TypeError: "a defect of this package",
    Error: "a defect of this package",
    Unimplemented: "says to the engine what the plugin does not have",
    InitFailed: "carries an InitError to the engine",
  };
  const explained = ["UserError", "ConfigurationError", "InvalidArgumentsError", "InitError", "ApiError"];

  test("every error thrown outside of the login languages has an entry, or never reaches a user", () => {
    const thrown = nodes
      .filter(({ path }) => !path.startsWith("access/"))
      .flatMap(({ node }) => {
        return ts.isThrowStatement(node) && ts.isNewExpression(node.expression) ? node.expression.expression.getText() : [];
      });
    expect(new Set(thrown.filter((name) => !(name in internal) && !explained.includes(name)))).toEqual(new Set());
  });
});
