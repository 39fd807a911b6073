import { yamlProgram, yamlProperties } from "../../../cli/import/yaml";
import { type Call, outputLines, type Writer } from "./example";

export const yaml: Writer = (example) => {
  const { program, call, variable } = example;
  const outputs = outputLines(example, (name, property) => `  ${name}: \${${variable}.${property}}`);
  return `${call ? callText(variable, call) : yamlProgram(program)}\noutputs:\n${outputs}`;
};

function callText(variable: string, { name, arguments: properties }: Call): string {
  const given = properties.length > 0 ? ["      arguments:", ...yamlProperties(properties, "        ")] : ["      arguments: {}"];
  return `variables:\n  ${variable}:\n    fn::invoke:\n      function: agentpool-acl:${name}\n${given.join("\n")}\n`;
}
