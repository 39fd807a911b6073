import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { errorCases, errorKinds } from "../../provider/apis/http/errors/advice";
import { userErrors } from "../../provider/model/user-errors";
import { root } from "../repository";

const sources = readdirSync(join(root, "provider"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/^(testing|generated)\b|fixtures/.test(path))
  .map((path) => ({
    path,
    file: ts.createSourceFile(path, readFileSync(join(root, "provider", path), "utf8"), ts.ScriptTarget.ES2022, true),
  }))
  .filter(({ path }) => path !== "model/user-errors.ts");

function nodesIn(node: ts.Node): ts.Node[] {
  return [node, ...node.getChildren().flatMap(nodesIn)];
}

const nodes = sources.flatMap(({ path, file }) => nodesIn(file).map((node) => ({ path, node })));

/** A text as a reader of the message sees it, with "..." for each value. Undefined where the node is no text. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join("");
  if (ts.isBinaryExpression(node)) return `${textOf(node.left) ?? "..."}${textOf(node.right) ?? "..."}`;
  return undefined;
}

const texts = nodes.flatMap(({ node }) => textOf(node) ?? []);

test.each(Object.keys(userErrors))("an error of the code %s is thrown", (code) => {
  expect(texts).toContain(code);
});

test.each(Object.keys(errorCases))("a request ends in the case %s", (code) => {
  expect(texts.filter((text) => text === code)).not.toEqual([]);
});

test.each(Object.keys(errorKinds))("a request fails with the kind %s", (kind) => {
  expect(texts.filter((text) => text === kind)).not.toEqual([]);
});

test.each(Object.entries(userErrors))("the words of the entry %s are those of a message", (_, { says }) => {
  const parts = says
    .split(/\.\.\.|\b[A-Z]{4,}\b/)
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part));
  for (const part of parts) expect(texts.filter((text) => text.includes(part))).not.toEqual([]);
});

/** The other classes of errors: what they are for, and why no user sees them. */
const internal: Readonly<Record<string, string>> = {
  TransportFailure: "becomes an ApiError",
  UnusableProxy: "becomes a ConfigurationError",
  InvalidDuration: "becomes a failure of check",
  TypeError: "a defect of this package",
  Error: "a defect of this package",
  Unimplemented: "says to the engine what the plugin does not have",
  InitFailed: "carries an InitError to the engine",
};
const explained = ["UserError", "ConfigurationError", "InvalidArgumentsError", "InitError", "ApiError"];

test("every error that is thrown outside of the languages of logins has an entry, or never reaches a user", () => {
  const thrown = nodes
    .filter(({ path }) => !path.startsWith("access/"))
    .flatMap(({ node }) => {
      return ts.isThrowStatement(node) && ts.isNewExpression(node.expression) ? node.expression.expression.getText() : [];
    });
  expect(new Set(thrown.filter((name) => !(name in internal) && !explained.includes(name)))).toEqual(new Set());
});
