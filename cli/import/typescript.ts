import { type Declaration, type Expression, type Program, type Property, textFiles } from "./program";
import { type Part, sharedRoles } from "./split";
import { commentText, typescriptText } from "./text";

/** Prettier's width. */
const width = 80;

export interface TypescriptOptions {
  /** Whether to use dynamic resources, which adopt existing objects because they can't be imported. */
  readonly isDynamic?: boolean;
  readonly withImportOptions?: boolean;
}

/** The program as the text of index.ts. */
export function typescriptProgram(program: Program, options: TypescriptOptions = {}): string {
  return fileText(program, { ...options, imports: [], exported: new Set() });
}

/** The files of a split program, by their paths. */
export function typescriptFiles(parts: readonly Part[], options: TypescriptOptions = {}): Record<string, string> {
  const exported = sharedRoles(parts);
  const pathOf = ({ name, isMethod }: Part) => (isMethod ? `methods/${name}` : name);
  const files = parts.map((part) => {
    const imports = part.roles.length > 0 ? importLines(part.roles, part.isMethod ? "../roles" : "./roles") : [];
    return [`${pathOf(part)}.ts`, fileText(part, { ...options, imports, exported })];
  });
  const index = parts.map((part) => `import "./${pathOf(part)}";\n`).join("");
  return { "index.ts": index || "export {};\n", ...Object.fromEntries(files) };
}

interface FileOptions extends TypescriptOptions {
  /** The lines that import from other files of the program. */
  readonly imports: readonly string[];
  /** The variables that other files use. */
  readonly exported: ReadonlySet<string>;
}

function fileText(program: Program, options: FileOptions): string {
  const { declarations, secrets } = program;
  const kinds = [...new Set(declarations.map(({ kind }) => kind))].sort();
  const module = options.isDynamic ? "pulumi-agentpool-acl" : "pulumi-agentpool-acl/plugin";
  const head = [
    ...(textFiles(program).length > 0 ? ['import { readFileSync } from "node:fs";'] : []),
    ...(secrets.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    ...(kinds.length > 0 ? importLines(kinds, module) : ["export {};"]),
    ...options.imports,
    ...(secrets.length > 0 ? ["", "const config = new pulumi.Config();"] : []),
  ];
  return `${[head.join("\n"), ...declarations.map((one) => declarationText(one, options))].join("\n\n")}\n`;
}

function importLines(names: readonly string[], module: string): string[] {
  const line = `import { ${names.join(", ")} } from "${module}";`;
  return line.length <= width ? [line] : ["import {", ...names.map((name) => `  ${name},`), `} from "${module}";`];
}

function declarationText(one: Declaration, { isDynamic, withImportOptions, exported }: FileOptions): string {
  // Secrets can't be compared with the server's, so an adoption with one has to write it.
  const adopt = { name: "adopt", value: { kind: "literal", value: one.writesSecrets ? "overwrite" : true } } as const;
  const properties: readonly Property[] = isDynamic ? [...one.properties, adopt] : one.properties;
  const comments = one.comments.map((line) => `// ${commentText(line)}\n`).join("");
  const call = `new ${one.kind}(`;
  const left = one.isReferredTo ? `${exported.has(one.variable) ? "export " : ""}const ${one.variable} =` : "";
  const isBroken = left.length + 1 + call.length > width;
  const indent = isBroken ? "  " : "";
  const start = left === "" ? call : `${left}${isBroken ? "\n  " : " "}${call}`;
  const name = typescriptText(one.resourceName);
  const optionLines = optionsText(one, withImportOptions === true && !isDynamic, `${indent}  `);
  const isInLine = optionLines.length === 0 && !isBroken && start.length + name.length + ", {".length <= width;
  if (isInLine) return `${comments}${start}${name}, {\n${propertyLines(properties, "  ").join("\n")}\n});`;
  const within = `${indent}  `;
  const args = [`${within}${name},`, `${within}{`, ...propertyLines(properties, `${within}  `), `${within}},`, ...optionLines];
  return `${comments}${start}\n${args.join("\n")}\n${indent});`;
}

function optionsText({ id, deletedWith }: Declaration, isImported: boolean, indent: string): string[] {
  const imported = propertyLines([{ name: "import", value: { kind: "literal", value: id } }], `${indent}  `);
  const lines = [...(isImported ? imported : []), ...(deletedWith === undefined ? [] : [`${indent}  deletedWith: ${deletedWith},`])];
  if (lines.length === 0) return [];
  const line = `${indent}{ ${lines.map((one) => one.trim().replace(/,$/, "")).join(", ")} },`;
  return line.length <= width && !line.includes("\n") ? [line] : [`${indent}{`, ...lines, `${indent}},`];
}

function propertyLines(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => {
    const key = keyText(name);
    const start = `${indent}${key}:`;
    const text = typescriptExpression(value, indent, start.length + 1);
    // After a short key, the next line would begin at almost the same column.
    const isTooLong = ["literal", "reference"].includes(value.kind) && key.length > 4 && start.length + text.length + 2 > width;
    return isTooLong ? `${start}\n${indent}  ${text},` : `${start} ${text},`;
  });
}

/** Makes `__proto__` a computed key, because a plain one would set the prototype. */
function keyText(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : typescriptText(name);
}

/** @param column its first column in the line */
export function typescriptExpression(value: Expression, indent: string, column: number): string {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? typescriptText(value.value) : String(value.value);
    case "word":
      return typescriptText(value.value);
    case "reference":
      return `${value.variable}.${value.property}`;
    case "secret":
      return callText("config.requireSecret", [typescriptText(value.key)], indent, column);
    case "file":
      return callText("readFileSync", [typescriptText(value.path), '"utf8"'], indent, column);
    case "list": {
      const items = value.items.map((item) => typescriptExpression(item, `${indent}  `, 0));
      const line = `[${items.join(", ")}]`;
      return column + line.length <= width - 1 ? line : `[\n${items.map((item) => `${indent}  ${item},`).join("\n")}\n${indent}]`;
    }
    case "object":
    case "map":
      if (value.properties.length === 0) return "{}";
      return `{\n${propertyLines(value.properties, `${indent}  `).join("\n")}\n${indent}}`;
  }
}

function callText(callee: string, args: readonly string[], indent: string, column: number): string {
  const line = `${callee}(${args.join(", ")})`;
  return column + line.length <= width - 1 ? line : `${callee}(\n${args.map((arg) => `${indent}  ${arg},\n`).join("")}${indent})`;
}
