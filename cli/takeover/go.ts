import { goModule } from "../../provider/generated/source";
import { camelCase } from "./names";
import { capital, type Declaration, type Expression, type Program, type Property } from "./program";
import { type Part, sharedRoles } from "./split";
import { commentText, goText } from "./text";

export const spellGo = camelCase;

interface GoOptions {
  readonly withImportOptions?: boolean;
}

const sdk = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/** The program as the text of main.go, which gofmt aligns. */
export function goProgram(program: Program, options: GoOptions = {}): string {
  const body = bodyLines(program, { ...options, indent: "\t\t", failure: "return err", roles: new Set() });
  return mainText(importsOf(program), [...body, "\t\treturn nil"]);
}

/** The files of a program that is split, by their names: a function declares what is in a file. */
export function goFiles(parts: readonly Part[], options: GoOptions = {}): Record<string, string> {
  const shared = sharedRoles(parts);
  const calls = parts.map((part) => {
    const isGiving = part.name === "roles" && shared.size > 0;
    const call = `${functionOf(part)}(ctx${part.roles.length > 0 ? ", roles" : ""})`;
    const failure = "{\n\t\t\treturn err\n\t\t}";
    return isGiving ? `\t\troles, err := ${call}\n\t\tif err != nil ${failure}` : `\t\tif err := ${call}; err != nil ${failure}`;
  });
  const files = parts.map((part) => [
    `${part.name.toLowerCase()}.go`,
    part.name === "roles" && shared.size > 0 ? rolesText(part, shared, options) : partText(part, options),
  ]);
  return { "main.go": mainText([sdk], [...calls, "\t\treturn nil"]), ...Object.fromEntries(files) };
}

function mainText(imports: readonly string[], body: readonly string[]): string {
  return `${headText(imports)}
func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
${body.join("\n\n")}
\t})
}
`;
}

function functionOf({ name }: Part): string {
  return `declare${capital(name)}`;
}

function partText(part: Part, options: GoOptions): string {
  const body = bodyLines(part, { ...options, indent: "\t", failure: "return err", roles: new Set(part.roles) });
  const parameters = part.roles.length > 0 ? "ctx *pulumi.Context, roles *roles" : "ctx *pulumi.Context";
  return `${headText(importsOf(part))}
func ${functionOf(part)}(${parameters}) error {
${[...body, "\treturn nil"].join("\n\n")}
}
`;
}

/** The file of the roles also has a type for those that other files refer to. */
function rolesText(part: Part, shared: ReadonlySet<string>, options: GoOptions): string {
  const body = bodyLines(part, { ...options, indent: "\t", failure: "return nil, err", roles: new Set() });
  const given = [...shared].sort();
  return `${headText(importsOf(part))}
// roles are those that rules refer to.
type roles struct {
${given.map((variable) => `\t${variable} *agentpoolacl.AclRole`).join("\n")}
}

func ${functionOf(part)}(ctx *pulumi.Context) (*roles, error) {
${[...body, `\treturn &roles{\n${given.map((variable) => `\t\t${variable}: ${variable},`).join("\n")}\n\t}, nil`].join("\n\n")}
}
`;
}

function importsOf({ secrets }: Program): string[] {
  return [goModule, sdk, ...(secrets.length > 0 ? [`${sdk}/config`] : [])];
}

function headText(imports: readonly string[]): string {
  return `package main\n\nimport (\n${imports.map((path) => `\t"${path}"`).join("\n")}\n)\n`;
}

interface Place extends GoOptions {
  readonly indent: string;
  /** What a failed declaration does. */
  readonly failure: string;
  /** The roles of another file. */
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
  const args = `&agentpoolacl.${one.kind}Args{\n${fieldLines(one.properties, { ...place, indent: `${indent}\t` }).join("\n")}\n${indent}}`;
  const options = withImportOptions ? `, pulumi.Import(pulumi.ID(${goText(one.id)}))` : "";
  const call = `agentpoolacl.New${one.kind}(ctx, ${goText(one.resourceName)}, ${args}${options})`;
  const fails = `{\n${indent}\t${failure}\n${indent}}`;
  if (!one.isReferredTo) return `${comments}${indent}if _, err := ${call}; err != nil ${fails}`;
  return `${comments}${indent}${one.variable}, err := ${call}\n${indent}if err != nil ${fails}`;
}

/** Values of several lines end gofmt's columns. */
function fieldLines(properties: readonly Property[], place: Place): string[] {
  return properties.map(({ name, value }) => `${place.indent}${capital(name)}: ${expressionText(value, place)},`);
}

function expressionText(value: Expression, place: Place): string {
  const { indent } = place;
  const within = { ...place, indent: `${indent}\t` };
  switch (value.kind) {
    case "literal":
      if (typeof value.value === "string") return `pulumi.String(${goText(value.value)})`;
      return typeof value.value === "boolean" ? `pulumi.Bool(${value.value})` : `pulumi.Float64(${value.value})`;
    case "word":
      return `agentpoolacl.${value.type}(${goText(value.value)})`;
    case "reference":
      return `${place.roles.has(value.variable) ? "roles." : ""}${value.variable}.${capital(value.property)}`;
    case "secret":
      return `settings.RequireSecret(${goText(value.key)})`;
    case "list":
      return block(
        "pulumi.StringArray",
        value.items.map((item) => expressionText(item, within)),
        indent,
      );
    case "map": {
      const items = value.properties.map((one) => `${goText(one.name)}: ${expressionText(one.value, within)}`);
      return block("pulumi.StringMap", items, indent);
    }
    case "object":
      if (value.properties.length === 0) return `&agentpoolacl.${value.type}Args{}`;
      return `&agentpoolacl.${value.type}Args{\n${fieldLines(value.properties, within).join("\n")}\n${indent}}`;
  }
}

function block(type: string, items: readonly string[], indent: string): string {
  return items.length === 0 ? `${type}{}` : `${type}{\n${items.map((item) => `${indent}\t${item},`).join("\n")}\n${indent}}`;
}
