import { type Declaration, type Expression, type Program, type Property, textFiles } from "./program";
import { type Part, sharedRoles } from "./split";
import { commentText, typescriptText } from "./text";

/** The longest list that stands in one line. */
const longest = 60;

export interface TypescriptOptions {
  /** Whether to use dynamic resources. They can't be imported, so they adopt existing objects. */
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
    const imports = part.roles.length > 0 ? [importLine(part.roles, part.isMethod ? "../roles" : "./roles")] : [];
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
    kinds.length > 0 ? importLine(kinds, module) : "export {};",
    ...options.imports,
    ...(secrets.length > 0 ? ["", "const config = new pulumi.Config();"] : []),
  ];
  return `${[head.join("\n"), ...declarations.map((one) => declarationText(one, options))].join("\n\n")}\n`;
}

function importLine(names: readonly string[], module: string): string {
  return `import { ${names.join(", ")} } from "${module}";`;
}

function declarationText(one: Declaration, { isDynamic, withImportOptions, exported }: FileOptions): string {
  // Secrets can't be compared with the server's, so an adoption with one has to write it.
  const adopt = { name: "adopt", value: { kind: "literal", value: one.writesSecrets ? "overwrite" : true } } as const;
  const properties: readonly Property[] = isDynamic ? [...one.properties, adopt] : one.properties;
  const comments = one.comments.map((line) => `// ${commentText(line)}\n`).join("");
  const left = one.isReferredTo ? `${exported.has(one.variable) ? "export " : ""}const ${one.variable} = ` : "";
  const lines = propertyLines(properties, "  ").join("\n");
  const options = optionsText(one, withImportOptions === true && !isDynamic);
  return `${comments}${left}new ${one.kind}(${typescriptText(one.resourceName)}, {\n${lines}\n}${options});`;
}

function optionsText({ id, deletedWith }: Declaration, isImported: boolean): string {
  const options = [
    ...(isImported ? [`import: ${typescriptText(id)}`] : []),
    ...(deletedWith === undefined ? [] : [`deletedWith: ${deletedWith}`]),
  ];
  return options.length > 0 ? `, { ${options.join(", ")} }` : "";
}

function propertyLines(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => `${indent}${keyText(name)}: ${typescriptExpression(value, indent)},`);
}

/** Makes `__proto__` a computed key, because a plain one would set the prototype. */
function keyText(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : typescriptText(name);
}

export function typescriptExpression(value: Expression, indent: string): string {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? typescriptText(value.value) : String(value.value);
    case "word":
      return typescriptText(value.value);
    case "reference":
      return `${value.variable}.${value.property}`;
    case "secret":
      return `config.requireSecret(${typescriptText(value.key)})`;
    case "file":
      return `readFileSync(${typescriptText(value.path)}, "utf8")`;
    case "list": {
      const items = value.items.map((item) => typescriptExpression(item, `${indent}  `));
      const line = `[${items.join(", ")}]`;
      return line.length <= longest ? line : `[\n${items.map((item) => `${indent}  ${item},`).join("\n")}\n${indent}]`;
    }
    case "object":
    case "map":
      if (value.properties.length === 0) return "{}";
      return `{\n${propertyLines(value.properties, `${indent}  `).join("\n")}\n${indent}}`;
  }
}
