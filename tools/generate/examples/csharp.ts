import * as z from "zod";
import type { Field } from "../../../provider/model/fields";
import { capitalized, enumName } from "../text";
import {
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

/** Writes for classes of this namespace. */
export function csharp(namespace: string): Writer {
  return (program, catalog) => {
    const body = program.steps.map((step) => {
      const owner = isDeclaration(step) ? step.kind : capitalized(step.call);
      const given = initializer("new()", step.properties, catalog.inputsOf(step), owner, program);
      const isEmpty = Object.keys(step.properties).length === 0;
      if (!isDeclaration(step)) return `var ${step.variable} = ${owner}.Invoke(${isEmpty ? "" : given});`;
      const made = `new ${step.kind}("${step.variable}"${isEmpty ? "" : `, ${given}`});`;
      return isUsed(step.variable, program) ? `var ${step.variable} = ${made}` : `_ = ${made}`;
    });
    const outputs = Object.entries(program.outputs).map(([name, reference]) => `["${name}"] = ${referenceOf(reference, program)},`);
    const text = [
      ...(usesSecrets(program) ? ["var config = new Config();"] : []),
      ...body,
      "",
      `return new Dictionary<string, object?>\n{\n${indented(outputs.join("\n"), "    ")}\n};`,
    ];
    return `using System.Collections.Generic;
using Pulumi;
using ${namespace};
using ${namespace}.Inputs;

return await Deployment.RunAsync(() =>
{
${indented(text.join("\n"), "    ")}
});`;
  };
}

function initializer(name: string, values: Values, fields: ReadonlyMap<string, Field>, owner: string, program: Program): string {
  const lines = Object.entries(values).map(
    ([key, value]) => `${capitalized(key)} = ${written(value, fields.get(key), owner + capitalized(key), program)},`,
  );
  return `${name}\n{\n${indented(lines.join("\n"), "    ")}\n}`;
}

function written(value: Value, field: Field | undefined, type: string, program: Program): string {
  if (value instanceof Reference) return referenceOf(value, program);
  if (value instanceof SecretKey) return `config.RequireSecret("${value.key}")`;
  if (isList(value)) return `new[] { ${value.map((item) => written(item, undefined, type, program)).join(", ")} }`;
  if (typeof value === "string" && field?.schema instanceof z.ZodEnum) return `${type}.${enumName(value)}`;
  if (typeof value !== "object") return JSON.stringify(value);
  if (field?.shape.kind === "object") return initializer(`new ${type}Args`, value, field.shape.properties, type, program);
  const entries = Object.entries(value).map(([key, item]) => `[${JSON.stringify(key)}] = ${written(item, undefined, type, program)}`);
  return `${isMapOfTexts(field) ? "new()" : "new Dictionary<string, object>"} { ${entries.join(", ")} }`;
}

/** The result of a function is one output as a whole. */
function referenceOf({ variable, property }: Reference, { steps }: Program): string {
  const isResource = steps.some((step) => step.variable === variable && isDeclaration(step));
  return isResource ? `${variable}.${capitalized(property)}` : `${variable}.Apply(result => result.${capitalized(property)})`;
}
