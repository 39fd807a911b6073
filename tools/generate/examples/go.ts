import * as z from "zod";
import type { Field } from "../../../provider/model/fields";
import { capitalized, enumName } from "../text";
import {
  type Call,
  type Catalog,
  type Declaration,
  indented,
  isDeclaration,
  isList,
  isMapOfTexts,
  isUsed,
  type Program,
  Reference,
  SecretKey,
  usesSecrets,
  type Value,
  type Values,
  type Writer,
} from "./program";

/** Writes for a module that is imported from this path. */
export function go(modulePath: string): Writer {
  return (program, catalog) => {
    const imports = [
      `"${modulePath}"`,
      '"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
      ...(usesSecrets(program) ? ['"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"'] : []),
    ];
    const body = [
      ...(usesSecrets(program) ? ['cfg := config.New(ctx, "")'] : []),
      ...declarations(program, catalog),
      ...Object.entries(program.outputs).map(([name, reference]) => `ctx.Export("${name}", ${referenceOf(reference, program)})`),
      "return nil",
    ];
    return `package main

import (
${indented(imports.join("\n"), "\t")}
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${indented(body.join("\n"), "\t\t")}
	})
}`;
  };
}

function declarations(program: Program, catalog: Catalog): string[] {
  let isDeclared = false;
  return program.steps.map((step) => {
    if (!isDeclaration(step)) return callOf(step, program, catalog);
    const variable = isUsed(step.variable, program) ? step.variable : "_";
    const assign = variable === "_" && isDeclared ? "=" : ":=";
    isDeclared = true;
    return `${variable}, err ${assign} ${creation(step, program, catalog)}\nif err != nil {\n\treturn err\n}`;
  });
}

function creation(step: Declaration, program: Program, catalog: Catalog): string {
  const args = struct(`&agentpoolacl.${step.kind}Args`, step.properties, catalog.inputsOf(step), step.kind, program);
  return `agentpoolacl.New${step.kind}(ctx, "${step.variable}", ${args})`;
}

function callOf(step: Call, program: Program, catalog: Catalog): string {
  // The generator calls a look-up of a resource so, and its arguments, too.
  const kind = step.call.replace(/^get/, "");
  const name = catalog.isKind(kind) ? `Lookup${kind}` : capitalized(step.call);
  const args = struct(`agentpoolacl.${name}OutputArgs`, step.properties, catalog.inputsOf(step), capitalized(step.call), program);
  return `${step.variable} := agentpoolacl.${name}Output(ctx, ${args})`;
}

/** A struct in the form of gofmt: the values of lines that follow each other are aligned. */
function struct(name: string, values: Values, fields: ReadonlyMap<string, Field>, owner: string, program: Program): string {
  const entries = Object.entries(values).map(([key, value]): [string, string] => [
    `${capitalized(key)}:`,
    written(value, fields.get(key), owner + capitalized(key), program),
  ]);
  if (entries.length === 0) return `${name}{}`;
  const isLine = ([, text]: readonly [string, string]) => !text.includes("\n");
  const lines = entries.map((entry, at) => {
    if (!isLine(entry)) return `${entry.join(" ")},`;
    let [first, last] = [at, at];
    while (first > 0 && isLine(entries[first - 1] ?? entry)) first--;
    while (last + 1 < entries.length && isLine(entries[last + 1] ?? entry)) last++;
    const width = Math.max(...entries.slice(first, last + 1).map(([key]) => key.length));
    return `${entry[0].padEnd(width)} ${entry[1]},`;
  });
  return `${name}{\n${indented(lines.join("\n"), "\t")}\n}`;
}

function written(value: Value, field: Field | undefined, type: string, program: Program): string {
  if (value instanceof Reference) return referenceOf(value, program);
  if (value instanceof SecretKey) return `cfg.RequireSecret("${value.key}")`;
  if (isList(value)) return `pulumi.StringArray{${value.map((item) => written(item, undefined, type, program)).join(", ")}}`;
  if (typeof value === "boolean") return `pulumi.Bool(${value})`;
  if (typeof value === "number") return `pulumi.Int(${value})`;
  if (typeof value === "string") {
    return field?.schema instanceof z.ZodEnum ? `agentpoolacl.${type}${enumName(value)}` : `pulumi.String(${JSON.stringify(value)})`;
  }
  if (field?.shape.kind === "object") return struct(`&agentpoolacl.${type}Args`, value, field.shape.properties, type, program);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${written(item, undefined, type, program)}`);
  return `pulumi.${isMapOfTexts(field) ? "StringMap" : "Map"}{${entries.join(", ")}}`;
}

/** Outputs of resources are fields, apart from the ID; those of functions are methods. */
function referenceOf({ variable, property }: Reference, { steps }: Program): string {
  if (property === "id") return `${variable}.${steps.some((step) => step.variable === variable && isDeclaration(step)) ? "ID" : "Id"}()`;
  const isResource = steps.some((step) => step.variable === variable && isDeclaration(step));
  return `${variable}.${capitalized(property)}${isResource ? "" : "()"}`;
}
