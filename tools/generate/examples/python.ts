import { snakeCase } from "../../../cli/import/names";
import { pythonArguments, pythonProgram, pythonProperty } from "../../../cli/import/python";
import { outputLines, type Writer } from "./example";

export const python: Writer = (example) => {
  const { program, call, variable } = example;
  const exported = outputLines(example, (name, property) => `pulumi.export("${name}", ${variable}.${pythonProperty(property)})`);
  // A program with secrets or options imports the SDK already.
  const withSdk = (text: string) => (/^import pulumi$/m.test(text) ? text : text.replace(/^import pulumi_/m, "import pulumi\n$&"));
  if (!call) return `${withSdk(pythonProgram(program))}\n${exported}`;
  const given = pythonArguments(call.arguments, "    ").map((line) => `${line}\n`);
  const called = `acl.${snakeCase(call.name)}_output(${given.length > 0 ? `\n${given.join("")}` : ""})`;
  return `import pulumi\nimport pulumi_agentpool_acl as acl\n\n${variable} = ${called}\n\n${exported}`;
};
