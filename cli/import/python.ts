import { snakeCase } from "./names";
import { type Declaration, type Expression, type Program, type Property, textFiles } from "./program";
import type { Part } from "./split";
import { commentText, pythonText } from "./text";

/** Black's width. */
const width = 88;

/** Python's keywords: the SDK adds an underscore to a property of such a name. */
const keywords = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** The name of a property in the SDK. */
export function pythonProperty(name: string): string {
  const spelled = snakeCase(name);
  return keywords.has(spelled) ? `${spelled}_` : spelled;
}

/** The program as the text of __main__.py. */
export function pythonProgram(program: Program, options: PythonOptions = {}): string {
  return fileText(program, options);
}

/** The files of a split program, by their paths. */
export function pythonFiles(parts: readonly Part[], options: PythonOptions = {}): Record<string, string> {
  // A separate package, so no method clashes with a module that others import.
  const init = { "methods/__init__.py": '"""The auth methods, each with its binding rules."""\n' };
  const files = parts.map((part) => [
    `${part.isMethod ? "methods/" : ""}${part.name}.py`,
    fileText(part, options, part.roles.length > 0 ? importLines(part.roles, "roles") : []),
  ]);
  const modules = parts.map(({ name, isMethod }) => `import ${isMethod ? "methods." : ""}${name}\n`);
  return {
    "__main__.py": modules.sort().join(""),
    ...(parts.some(({ isMethod }) => isMethod) ? init : {}),
    ...Object.fromEntries(files),
  };
}

interface PythonOptions {
  readonly withImportOptions?: boolean;
}

/** @param imports the lines that import from other files of the program */
function fileText(program: Program, { withImportOptions = false }: PythonOptions, imports: readonly string[] = []): string {
  const { declarations, secrets } = program;
  const usesPulumi = secrets.length > 0 || withImportOptions || declarations.some(({ deletedWith }) => deletedWith !== undefined);
  const head = [
    ...(textFiles(program).length > 0 ? ["from pathlib import Path", ""] : []),
    ...(usesPulumi ? ["import pulumi"] : []),
    "import pulumi_agentpool_acl as acl",
    ...(imports.length > 0 ? ["", ...imports] : []),
    ...(secrets.length > 0 ? ["", "config = pulumi.Config()"] : []),
  ];
  return `${[head.join("\n"), ...declarations.map((one) => declarationText(one, withImportOptions))].join("\n\n")}\n`;
}

function importLines(names: readonly string[], module: string): string[] {
  const line = `from ${module} import ${names.join(", ")}`;
  return line.length <= width ? [line] : [`from ${module} import (`, ...names.map((name) => `    ${name},`), ")"];
}

function declarationText(one: Declaration, withImportOptions: boolean): string {
  const comments = one.comments.map((line) => `# ${commentText(line)}\n`).join("");
  const lines = [
    `    ${pythonText(one.resourceName)},`,
    ...pythonArguments(one.properties, "    "),
    ...optionLines(one, withImportOptions),
  ];
  return `${comments}${one.isReferredTo ? `${one.variable} = ` : ""}acl.${one.kind}(\n${lines.join("\n")}\n)`;
}

function optionLines({ id, deletedWith }: Declaration, withImportOptions: boolean): string[] {
  const options = [
    ...(withImportOptions ? [`import_=${pythonText(id)}`] : []),
    ...(deletedWith === undefined ? [] : [`deleted_with=${deletedWith}`]),
  ];
  if (options.length === 0) return [];
  const [start, end] = ["    opts=pulumi.ResourceOptions(", "),"];
  const lines = [`${start}${options.join(", ")}${end}`, `        ${options.join(", ")}`];
  if (lines[0] !== undefined && lines[0].length <= width) return lines.slice(0, 1);
  const isOneLine = lines[1] !== undefined && lines[1].length <= width;
  return [start, ...(isOneLine ? lines.slice(1) : options.map((option) => `        ${option},`)), `    ${end}`];
}

/** The arguments, one a line. */
export function pythonArguments(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => {
    const start = `${indent}${pythonProperty(name)}=`;
    return `${start}${expressionText(value, indent, start.length)},`;
  });
}

function expressionText(value: Expression, indent: string, column: number): string {
  switch (value.kind) {
    case "literal":
      if (typeof value.value === "boolean") return value.value ? "True" : "False";
      return typeof value.value === "string" ? pythonText(value.value) : String(value.value);
    case "word":
      return pythonText(value.value);
    case "reference":
      return `${value.variable}.${pythonProperty(value.property)}`;
    case "secret":
      return secretText(pythonText(value.key), indent, column);
    case "file":
      return bytesText(`Path(${pythonText(value.path)})`, indent, column);
    case "object":
      if (value.properties.length === 0) return `acl.${value.type}Args()`;
      return `acl.${value.type}Args(\n${pythonArguments(value.properties, `${indent}    `).join("\n")}\n${indent})`;
    case "list":
    case "map":
      return collection(value, indent, column);
  }
}

function collection(value: Extract<Expression, { kind: "list" | "map" }>, indent: string, column: number): string {
  const within = `${indent}    `;
  const items =
    value.kind === "list"
      ? value.items.map((item) => expressionText(item, within, 0))
      : value.properties.map((one) => `${pythonText(one.name)}: ${expressionText(one.value, within, 0)}`);
  const [open, close] = value.kind === "list" ? ["[", "]"] : ["{", "}"];
  const line = `${open}${items.join(", ")}${close}`;
  return column + line.length <= width - 1 ? line : `${open}\n${items.map((item) => `${within}${item},`).join("\n")}\n${indent}${close}`;
}

/** Read as bytes, because reading as text would change line endings. */
function bytesText(path: string, indent: string, column: number): string {
  const calls = [path, ".read_bytes()", ".decode()"];
  return column + calls.join("").length <= width - 1 ? calls.join("") : calls.join(`\n${indent}`);
}

function secretText(key: string, indent: string, column: number): string {
  const line = `config.require_secret(${key})`;
  return column + line.length <= width - 1 ? line : `config.require_secret(\n${indent}    ${key}\n${indent})`;
}
