import { snakeCase } from "./names";
import { type Declaration, type Expression, type Program, type Property, textFiles } from "./program";
import type { Part } from "./split";
import { commentText, pythonText } from "./text";

/** The longest list or map that stands in one line. */
const longest = 60;

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
    fileText(part, options, part.roles.length > 0 ? [`from roles import ${part.roles.join(", ")}`] : []),
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
  return options.length > 0 ? [`    opts=pulumi.ResourceOptions(${options.join(", ")}),`] : [];
}

/** The arguments, one a line. */
export function pythonArguments(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => `${indent}${pythonProperty(name)}=${expressionText(value, indent)},`);
}

function expressionText(value: Expression, indent: string): string {
  switch (value.kind) {
    case "literal":
      if (typeof value.value === "boolean") return value.value ? "True" : "False";
      return typeof value.value === "string" ? pythonText(value.value) : String(value.value);
    case "word":
      return pythonText(value.value);
    case "reference":
      return `${value.variable}.${pythonProperty(value.property)}`;
    case "secret":
      return `config.require_secret(${pythonText(value.key)})`;
    case "file":
      // Read as bytes, because reading as text would change line endings.
      return `Path(${pythonText(value.path)}).read_bytes().decode()`;
    case "object":
      if (value.properties.length === 0) return `acl.${value.type}Args()`;
      return `acl.${value.type}Args(\n${pythonArguments(value.properties, `${indent}    `).join("\n")}\n${indent})`;
    case "list":
    case "map":
      return collection(value, indent);
  }
}

function collection(value: Extract<Expression, { kind: "list" | "map" }>, indent: string): string {
  const within = `${indent}    `;
  const items =
    value.kind === "list"
      ? value.items.map((item) => expressionText(item, within))
      : value.properties.map((one) => `${pythonText(one.name)}: ${expressionText(one.value, within)}`);
  const [open, close] = value.kind === "list" ? ["[", "]"] : ["{", "}"];
  const line = `${open}${items.join(", ")}${close}`;
  return line.length <= longest ? line : `${open}\n${items.map((item) => `${within}${item},`).join("\n")}\n${indent}${close}`;
}
