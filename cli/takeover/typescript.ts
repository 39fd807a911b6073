import { camelCase } from "./names";
import type { Declaration, Expression, Program, Property } from "./program";
import { type Part, sharedRoles } from "./split";
import { commentText, typescriptText } from "./text";

/** Prettier's width. */
const width = 80;

export interface TypescriptOptions {
  /** Over dynamic resources, which adopt what exists, since they can't be imported. */
  readonly isDynamic?: boolean;
  readonly withImportOptions?: boolean;
}

export const spellTypescript = camelCase;

/** The program as the text of index.ts. */
export function typescriptProgram(program: Program, options: TypescriptOptions = {}): string {
  return fileText(program, { ...options, imports: [], exported: new Set() });
}

/** The files of a program that is split, by their paths. */
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

function fileText({ declarations, secrets }: Program, options: FileOptions): string {
  const kinds = [...new Set(declarations.map(({ kind }) => kind))].sort();
  const module = options.isDynamic ? "pulumi-agentpool-acl" : "pulumi-agentpool-acl/plugin";
  const head = [
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
  // Nobody can compare a secret with the server's: an adoption with one has to write it.
  const adopt = { name: "adopt", value: { kind: "literal", value: one.writesSecrets ? "overwrite" : true } } as const;
  const properties: readonly Property[] = isDynamic ? [...one.properties, adopt] : one.properties;
  const variable = `${exported.has(one.variable) ? "export " : ""}const ${one.variable} = `;
  const start = `${one.isReferredTo ? variable : ""}new ${one.kind}(`;
  const args = propertyLines(properties, "  ");
  const comments = one.comments.map((line) => `// ${commentText(line)}\n`).join("");
  const name = typescriptText(one.resourceName);
  if (!withImportOptions || isDynamic) return `${comments}${start}${name}, {\n${args.join("\n")}\n});`;
  const inner = propertyLines(properties, "    ").join("\n");
  return `${comments}${start}\n  ${name},\n  {\n${inner}\n  },\n  { import: ${typescriptText(one.id)} },\n);`;
}

function propertyLines(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => {
    const start = `${indent}${keyText(name)}:`;
    const text = expressionText(value, indent, start.length + 2);
    const isTooLong = value.kind === "literal" && start.length + text.length + 2 > width;
    return isTooLong ? `${start}\n${indent}  ${text},` : `${start} ${text},`;
  });
}

/** `__proto__` as a plain key would set the prototype. */
function keyText(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : typescriptText(name);
}

function expressionText(value: Expression, indent: string, column: number): string {
  switch (value.kind) {
    case "literal":
      return typeof value.value === "string" ? typescriptText(value.value) : String(value.value);
    case "word":
      return typescriptText(value.value);
    case "reference":
      return `${value.variable}.${value.property}`;
    case "secret":
      return `config.requireSecret(${typescriptText(value.key)})`;
    case "list": {
      const items = value.items.map((item) => expressionText(item, `${indent}  `, 0));
      const line = `[${items.join(", ")}]`;
      return column + line.length <= width - 1 ? line : `[\n${items.map((item) => `${indent}  ${item},`).join("\n")}\n${indent}]`;
    }
    case "object":
    case "map":
      if (value.properties.length === 0) return "{}";
      return `{\n${propertyLines(value.properties, `${indent}  `).join("\n")}\n${indent}}`;
  }
}
