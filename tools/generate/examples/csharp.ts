import { enumName } from "../../../cli/import/names";
import type { Declaration, Expression, Property } from "../../../cli/import/program";
import { capitalized } from "../../../common/label";
import { csharpNamespace } from "../languages";
import { outputLines, type Writer } from "./example";

export const csharp: Writer = (example) => {
  const { program, call, variable } = example;
  const { declarations, secrets } = program;
  // The result of a function is one output as a whole.
  const outputOf = (property: string) => (call ? `${variable}.Apply(result => result.${property})` : `${variable}.${property}`);
  const outputs = outputLines(example, (name, property) => `["${name}"] = ${outputOf(capitalized(property))},`);
  const body = [
    ...(secrets.length > 0 ? ["var config = new Config();"] : []),
    ...declarations.map(declarationText),
    ...(call
      ? [`var ${variable} = ${capitalized(call.name)}.Invoke(${call.arguments.length > 0 ? initializer("new()", call.arguments) : ""});`]
      : []),
    `return new Dictionary<string, object?>\n{\n${indented(outputs)}\n};`,
  ];
  const hasFiles = declarations.some(({ properties }) => properties.some(({ value }) => value.kind === "file"));
  return `using System.Collections.Generic;
${hasFiles ? "using System.IO;\n" : ""}using Pulumi;
using ${csharpNamespace};
using ${csharpNamespace}.Inputs;

return await Deployment.RunAsync(() =>
{
${indented(body.join("\n\n"))}
});`;
};

function declarationText({ kind, variable, resourceName, properties, isReferredTo, deletedWith }: Declaration): string {
  const options = deletedWith === undefined ? "" : `, new CustomResourceOptions { DeletedWith = ${deletedWith} }`;
  return `${isReferredTo ? `var ${variable}` : "_"} = new ${kind}("${resourceName}", ${initializer("new()", properties)}${options});`;
}

function initializer(name: string, properties: readonly Property[]): string {
  const lines = properties.map((one) => `${capitalized(one.name)} = ${expressionText(one.value)},`);
  return `${name}\n{\n${indented(lines.join("\n"))}\n}`;
}

function expressionText(value: Expression): string {
  switch (value.kind) {
    case "literal":
      return JSON.stringify(value.value);
    case "word":
      return `${value.type}.${enumName(value.value)}`;
    case "reference":
      return `${value.variable}.${capitalized(value.property)}`;
    case "secret":
      return `config.RequireSecret("${value.key}")`;
    case "file":
      return `File.ReadAllText(${JSON.stringify(value.path)})`;
    case "list":
      return `new[] { ${value.items.map(expressionText).join(", ")} }`;
    case "map": {
      const entries = value.properties.map((one) => `[${JSON.stringify(one.name)}] = ${expressionText(one.value)}`);
      return `${value.isOfTexts ? "new()" : "new Dictionary<string, object>"} { ${entries.join(", ")} }`;
    }
    case "object":
      return initializer(`new ${value.type}Args`, value.properties);
  }
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
