import { typescriptExpression, typescriptProgram } from "../../../cli/import/typescript";
import { outputLines, type Writer } from "./example";

/** The module that the examples import. */
export const pluginModule = "pulumi-agentpool-acl/plugin";

export const typescript: Writer = (example) => {
  const { program, call, variable } = example;
  const exported = outputLines(example, (name, property) => `export const ${name} = ${variable}.${property};`);
  if (!call) return `${typescriptProgram(program)}\n${exported}`;
  const given = call.arguments.length > 0 ? typescriptExpression({ kind: "object", type: "", properties: call.arguments }, "") : "";
  return `import { ${call.name}Output } from "${pluginModule}";\n\nconst ${variable} = ${call.name}Output(${given});\n\n${exported}`;
};
