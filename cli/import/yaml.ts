import type { Declaration, Expression, Program, Property } from "./program";
import { commentText, yamlText } from "./text";

/** The program as a part of Pulumi.yaml: its configuration and resources. */
export function yamlProgram({ declarations, secrets }: Program, { withImportOptions = false } = {}): string {
  const config = secrets.flatMap((key) => [`  ${key}:`, "    type: string", "    secret: true"]);
  const parts = [
    ...(config.length > 0 ? [`config:\n${config.join("\n")}\n`] : []),
    declarations.length === 0
      ? "resources: {}\n"
      : `resources:\n${declarations.map((one) => declarationText(one, withImportOptions)).join("\n")}`,
  ];
  return parts.join("\n");
}

function declarationText(one: Declaration, withImportOptions: boolean): string {
  const options = [
    ...(withImportOptions ? [`      import: ${yamlText(one.id)}`] : []),
    ...(one.deletedWith === undefined ? [] : [`      deletedWith: \${${one.deletedWith}}`]),
  ];
  const lines = [
    ...one.comments.map((line) => `  # ${commentText(line)}`),
    `  ${one.variable}:`,
    `    type: agentpool-acl:${one.kind}`,
    ...(one.resourceName === one.variable ? [] : [`    name: ${yamlText(one.resourceName)}`]),
    ...(one.properties.length > 0 ? ["    properties:", ...yamlProperties(one.properties, "      ")] : []),
    ...(options.length > 0 ? ["    options:", ...options] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Properties as lines of a mapping. */
export function yamlProperties(properties: readonly Property[], indent: string): string[] {
  return properties.flatMap(({ name, value }) => {
    const key = `${indent}${/^[A-Za-z][A-Za-z0-9]*$/.test(name) && !isWord(name) ? name : yamlText(literal(name))}:`;
    if (value.kind === "object" || value.kind === "map") {
      return value.properties.length === 0 ? [`${key} {}`] : [key, ...yamlProperties(value.properties, `${indent}  `)];
    }
    if (value.kind === "file") return [key, `${indent}  fn::readFile: ${textScalar(`./${value.path}`)}`];
    if (value.kind !== "list") return [`${key} ${scalar(value)}`];
    return value.items.length === 0 ? [`${key} []`] : [key, ...value.items.map((item) => `${indent}  - ${scalar(item)}`)];
  });
}

function scalar(value: Expression): string {
  switch (value.kind) {
    case "reference":
      return `\${${value.variable}.${value.property}}`;
    case "secret":
      return `\${${value.key}}`;
    case "literal":
      return typeof value.value === "string" ? textScalar(value.value) : String(value.value);
    case "word":
      return textScalar(value.value);
    default:
      throw new TypeError(`a ${value.kind} is not a scalar`);
  }
}

function textScalar(text: string): string {
  const isPlain = /^[A-Za-z][A-Za-z0-9_./-]*( [A-Za-z][A-Za-z0-9_./-]*)*$/.test(text) && !isWord(text);
  return isPlain ? text : yamlText(literal(text));
}

/** Whether YAML would read a word as something other than a text. */
function isWord(text: string): boolean {
  return /^(true|false|yes|no|on|off|y|n|null)$/i.test(text);
}

/** Doubles the dollar signs of a text with `${` or `$$`, because Pulumi's YAML interpolates the first and reads the second as one sign. */
function literal(text: string): string {
  return /\$[${]/.test(text) ? text.replaceAll("$", () => "$$") : text;
}
