import { capitalized } from "../../common/label";
import { goModule } from "../../provider/internal";
import { enumName } from "./names";
import { type Declaration, type Expression, type Program, type Property, textFiles } from "./program";
import { type Part, sharedRoles } from "./split";
import { commentText, goText } from "./text";

interface GoOptions {
  readonly withImportOptions?: boolean;
}

const sdk = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/** The program as the text of main.go. @param ending further statements, before the last `return nil` */
export function goProgram(program: Program, options: GoOptions = {}, ending: readonly string[] = []): string {
  const body = bodyLines(program, { ...options, indent: "\t\t", failure: "return err", roles: new Set() });
  return mainText(headOf(program), [...body, ...ending, "\t\treturn nil"]);
}

/** The files of a split program, by their names. Each has a function that declares its resources, except for main.go, which calls them. */
export function goFiles(parts: readonly Part[], options: GoOptions = {}): Record<string, string> {
  const shared = [...sharedRoles(parts)].sort();
  const sharedOf = ({ name }: Part) => (name === "roles" ? shared : []);
  const calls = parts.map((part) => {
    const call = `${functionOf(part)}(ctx${part.roles.length > 0 ? ", roles" : ""})`;
    const failure = "{\n\t\t\treturn err\n\t\t}";
    const isGiving = sharedOf(part).length > 0;
    return isGiving ? `\t\troles, err := ${call}\n\t\tif err != nil ${failure}` : `\t\tif err := ${call}; err != nil ${failure}`;
  });
  const files = parts.map((part) => [`${part.name.toLowerCase()}.go`, partText(part, sharedOf(part), options)]);
  return { "main.go": mainText(headText([sdk]), [...calls, "\t\treturn nil"]), ...Object.fromEntries(files) };
}

function mainText(head: string, body: readonly string[]): string {
  return `${head}
func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
${body.join("\n\n")}
\t})
}
`;
}

function functionOf({ name }: Part): string {
  return `declare${capitalized(name)}`;
}

/** @param given the variables that other files refer to: the file also has a type for them */
function partText(part: Part, given: readonly string[], options: GoOptions): string {
  const isGiving = given.length > 0;
  const failure = isGiving ? "return nil, err" : "return err";
  const body = bodyLines(part, { ...options, indent: "\t", failure, roles: new Set(part.roles) });
  const kinds = new Map(part.declarations.map(({ variable, kind }) => [variable, kind]));
  const width = Math.max(...given.map(({ length }) => length));
  const fields = given.map((variable) => `\t${variable.padEnd(width)} *agentpoolacl.${kinds.get(variable)}`).join("\n");
  const type = `\n// roles are the roles and policies that other files refer to.\ntype roles struct {\n${fields}\n}\n`;
  const result = block("&roles", aligned(given.map((variable) => [`${variable}:`, variable])), "\t");
  const parameters = part.roles.length > 0 ? "ctx *pulumi.Context, roles *roles" : "ctx *pulumi.Context";
  return `${headOf(part)}${isGiving ? type : ""}
func ${functionOf(part)}(${parameters}) ${isGiving ? "(*roles, error)" : "error"} {
${[...body, isGiving ? `\treturn ${result}, nil` : "\treturn nil"].join("\n\n")}
}
`;
}

/** The head of a file: its imports, and the texts that the compiler embeds from files. */
function headOf(program: Program): string {
  const files = textFiles(program);
  const imports = [goModule, sdk, ...(program.secrets.length > 0 ? [`${sdk}/config`] : [])];
  const texts = files.map(({ path, variable }) => `\n//go:embed ${path}\nvar ${variable} string\n`);
  return `${headText(imports, files.length > 0 ? '\t_ "embed"\n\n' : "")}${texts.join("")}`;
}

function headText(imports: readonly string[], first = ""): string {
  return `package main\n\nimport (\n${first}${imports.map((path) => `\t"${path}"`).join("\n")}\n)\n`;
}

interface Place extends GoOptions {
  readonly indent: string;
  /** The code for a failed declaration. */
  readonly failure: string;
  /** The variables of roles and policies that another file declares. */
  readonly roles: ReadonlySet<string>;
}

function bodyLines({ declarations, secrets }: Program, place: Place): string[] {
  return [
    ...(secrets.length > 0 ? [`${place.indent}settings := config.New(ctx, "")`] : []),
    ...declarations.map((one) => declarationText(one, place)),
  ];
}

function declarationText(one: Declaration, place: Place): string {
  const { indent, failure, withImportOptions = false } = place;
  const comments = one.comments.map((line) => `${indent}// ${commentText(line)}\n`).join("");
  const args = goStruct(`&agentpoolacl.${one.kind}Args`, one.properties, place);
  const imported = withImportOptions ? `, pulumi.Import(pulumi.ID(${goText(one.id)}))` : "";
  const options = imported + (one.deletedWith === undefined ? "" : `, pulumi.DeletedWith(${one.deletedWith})`);
  const call = `agentpoolacl.New${one.kind}(ctx, ${goText(one.resourceName)}, ${args}${options})`;
  const fails = `{\n${indent}\t${failure}\n${indent}}`;
  if (!one.isReferredTo) return `${comments}${indent}if _, err := ${call}; err != nil ${fails}`;
  return `${comments}${indent}${one.variable}, err := ${call}\n${indent}if err != nil ${fails}`;
}

type ValuePlace = Pick<Place, "indent" | "roles">;

export function goStruct(name: string, properties: readonly Property[], place: ValuePlace): string {
  const fields = properties.map((one) => ({ ...one, name: capitalized(one.name) }));
  return keyed(name, fields, place);
}

function keyed(name: string, properties: readonly Property[], place: ValuePlace): string {
  const within = { ...place, indent: `${place.indent}\t` };
  const lines = properties.map((one): Line => [`${one.name}:`, expressionText(one.value, within)]);
  return block(name, aligned(lines), place.indent);
}

type Line = readonly [key: string, text: string];

/** Lines in gofmt's form: values of successive lines are aligned, and a value of several lines ends the section. */
function aligned(lines: readonly Line[]): string[] {
  const sections: Line[][] = [];
  for (const line of lines) {
    const section = sections.at(-1);
    if (section && isAligned(section, line)) section.push(line);
    else sections.push([line]);
  }
  return sections.flatMap((section) => {
    const width = Math.max(...section.map(([key]) => [...key].length));
    return section.map(([key, text]) => `${key}${" ".repeat(width - [...key].length)} ${text},`);
  });
}

/** Whether gofmt aligns a line with the previous ones: long keys must have similar lengths. */
function isAligned(section: readonly Line[], line: Line): boolean {
  const lines = [...section, line];
  if (lines.some(([, text]) => text.includes("\n"))) return false;
  const sizes = lines.map(([key]) => Buffer.byteLength(key) - 1);
  const [before = 0, size = 0] = sizes.slice(-2);
  if (before <= 40 && size <= 40) return true;
  const logarithms = sizes.slice(0, -1).map(Math.log);
  const mean = Math.exp(logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length);
  return size < 2.5 * mean && mean < 2.5 * size;
}

function expressionText(value: Expression, place: ValuePlace): string {
  const { indent } = place;
  switch (value.kind) {
    case "literal":
      if (typeof value.value === "string") return `pulumi.String(${goText(value.value)})`;
      return typeof value.value === "boolean" ? `pulumi.Bool(${value.value})` : `pulumi.Float64(${value.value})`;
    case "word":
      return `agentpoolacl.${value.type}${enumName(value.value)}`;
    case "reference":
      return `${place.roles.has(value.variable) ? "roles." : ""}${value.variable}.${value.property === "id" ? "ID()" : capitalized(value.property)}`;
    case "secret":
      return `settings.RequireSecret(${goText(value.key)})`;
    case "file":
      return `pulumi.String(${value.variable})`;
    case "list": {
      const items = value.items.map((item) => `${expressionText(item, { ...place, indent: `${indent}\t` })},`);
      return block("pulumi.StringArray", items, indent);
    }
    case "map": {
      const properties = value.properties.map((one) => ({ ...one, name: goText(one.name) }));
      return keyed(value.isOfTexts ? "pulumi.StringMap" : "pulumi.Map", properties, place);
    }
    case "object":
      return goStruct(`&agentpoolacl.${value.type}Args`, value.properties, place);
  }
}

function block(name: string, lines: readonly string[], indent: string): string {
  return lines.length === 0 ? `${name}{}` : `${name}{\n${lines.map((line) => `${indent}\t${line}`).join("\n")}\n${indent}}`;
}
