import { goProgram, goStruct } from "../../../cli/import/go";
import { capitalized } from "../../../common/label";
import { goModule as generatedModule } from "../../../provider/generated/source";
import { resources } from "../../../provider/resources";
import { goModule } from "../languages";
import { type Call, outputLines, type Writer } from "./example";

export const go: Writer = (example) => {
  const { program, call, variable } = example;
  const exported = outputLines(example, (name, property) => `\t\tctx.Export("${name}", ${variable}.${fieldOf(property, call)})`);
  const body = call ? [`\t\t${variable} := ${callText(call)}`, exported] : [exported];
  // The command writes the address of the last generation, but the repository may have changed since.
  return goProgram(program, {}, body).trimEnd().replace(generatedModule, goModule);
};

function callText({ name, arguments: properties }: Call): string {
  // The SDK generator uses this name for the look-up of a resource, and for its arguments.
  const kind = name.replace(/^get/, "");
  const called = resources.some((resource) => resource.kind === kind) ? `Lookup${kind}` : capitalized(name);
  const given = goStruct(`agentpoolacl.${called}OutputArgs`, properties, { indent: "\t\t", roles: new Set() });
  return `agentpoolacl.${called}Output(ctx, ${given})`;
}

/** Outputs of resources are fields, apart from the ID; outputs of functions are methods. */
function fieldOf(property: string, call: Call | undefined): string {
  if (call) return `${capitalized(property)}()`;
  return property === "id" ? "ID()" : capitalized(property);
}
