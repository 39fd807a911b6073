import { goModule } from "../../provider/generated/source";
import { camelCase } from "./names";
import { capital, type Declaration, type Expression, type Program, type Property } from "./program";
import { commentText, goText } from "./text";

export const spellGo = camelCase;

/** The program as the text of main.go, which gofmt aligns. */
export function goProgram({ declarations, secrets }: Program, { withImportOptions = false } = {}): string {
  const imports = [
    goModule,
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi",
    ...(secrets.length > 0 ? ["github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"] : []),
  ];
  const body = [
    ...(secrets.length > 0 ? ['\t\tsettings := config.New(ctx, "")'] : []),
    ...declarations.map((one) => declarationText(one, withImportOptions)),
    "\t\treturn nil",
  ];
  return `package main

import (
${imports.map((path) => `\t"${path}"`).join("\n")}
)

func main() {
\tpulumi.Run(func(ctx *pulumi.Context) error {
${body.join("\n\n")}
\t})
}
`;
}

function declarationText(one: Declaration, withImportOptions: boolean): string {
  const comments = one.comments.map((line) => `\t\t// ${commentText(line)}\n`).join("");
  const args = `&agentpoolacl.${one.kind}Args{\n${fieldLines(one.properties, "\t\t\t").join("\n")}\n\t\t}`;
  const options = withImportOptions ? `, pulumi.Import(pulumi.ID(${goText(one.id)}))` : "";
  const call = `agentpoolacl.New${one.kind}(ctx, ${goText(one.resourceName)}, ${args}${options})`;
  if (!one.isReferredTo) return `${comments}\t\tif _, err := ${call}; err != nil {\n\t\t\treturn err\n\t\t}`;
  return `${comments}\t\t${one.variable}, err := ${call}\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}`;
}

/** Values of several lines end gofmt's columns. */
function fieldLines(properties: readonly Property[], indent: string): string[] {
  return properties.map(({ name, value }) => `${indent}${capital(name)}: ${expressionText(value, indent)},`);
}

function expressionText(value: Expression, indent: string): string {
  switch (value.kind) {
    case "literal":
      if (typeof value.value === "string") return `pulumi.String(${goText(value.value)})`;
      return typeof value.value === "boolean" ? `pulumi.Bool(${value.value})` : `pulumi.Float64(${value.value})`;
    case "word":
      return `agentpoolacl.${value.type}(${goText(value.value)})`;
    case "reference":
      return `${value.variable}.${capital(value.property)}`;
    case "secret":
      return `settings.RequireSecret(${goText(value.key)})`;
    case "list":
      return block(
        "pulumi.StringArray",
        value.items.map((item) => expressionText(item, `${indent}\t`)),
        indent,
      );
    case "map": {
      const items = value.properties.map((one) => `${goText(one.name)}: ${expressionText(one.value, `${indent}\t`)}`);
      return block("pulumi.StringMap", items, indent);
    }
    case "object":
      if (value.properties.length === 0) return `&agentpoolacl.${value.type}Args{}`;
      return `&agentpoolacl.${value.type}Args{\n${fieldLines(value.properties, `${indent}\t`).join("\n")}\n${indent}}`;
  }
}

function block(type: string, items: readonly string[], indent: string): string {
  return items.length === 0 ? `${type}{}` : `${type}{\n${items.map((item) => `${indent}\t${item},`).join("\n")}\n${indent}}`;
}
