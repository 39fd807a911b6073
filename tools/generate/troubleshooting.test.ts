import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { errorCases, errorKinds } from "../../provider/apis/http/errors/advice";
import { propertyErrors } from "../../provider/model/property-errors";
import { userErrors } from "../../provider/model/user-errors";
import { root } from "../repository";

const lists = ["model/user-errors.ts", "model/function-errors.ts", "model/property-errors.ts"].map((path) => `provider/${path}`);

const sources = ["access", "policies", "provider"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("provider/generated/") && !lists.includes(path))
  .map((path) => ({ path, file: ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.ES2022, true) }));

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

/** The words of an entry between what stands for something else. The path of a property is no part of the reason of its failure. */
function partsOf(says: string): string[] {
  return says
    .replace(/^(config(\.\w+)?|selector|bindName) /, "")
    .split(/\.\.\.|\b[A-Z]{4,}\b/)
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part));
}

const entries: [string, string][] = Object.entries(userErrors).map(([code, { says }]) => [code, says]);

test.each([...entries, ...propertyErrors.map(({ says }) => [says, says] as const)])(
  "the words of the entry %s are those of a message",
  (_, says) => {
    for (const part of partsOf(says)) expect(texts.filter((text) => text.includes(part))).not.toEqual([]);
  },
);

/** The texts that a node's value begins with, of either alternative. Not those of what is only called, compared or added. */
function reasonsIn(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(reasonsIn);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [node.left, node.right].flatMap(reasonsIn);
  const text = textOf(node);
  return text === undefined || !/\w/.test(text) ? [] : [text];
}

/** The reasons of failures: those given to `fail`, the messages of zod's schemas, and what is returned as the problem of a form. */
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
