import { goProgram, goStruct } from "../../../cli/import/go";
import { capitalized } from "../../../cli/import/names";
import { goModule as generatedModule } from "../../../provider/generated/source";
import { resources } from "../../../provider/resources";
import { goModule } from "../languages";
import { type Call, outputLines, type Writer } from "./example";

export const go: Writer = (example) => {
  const { program, call, variable } = example;
  const exported = outputLines(example, (name, property) => `\t\tctx.Export("${name}", ${variable}.${fieldOf(property, call)})`);
  const body = call ? [`\t\t${variable} := ${callText(call)}`, exported] : [exported];
  // What the command writes is of the last generation: the address of the repository may have changed since.
  return goProgram(program, {}, body).trimEnd().replace(generatedModule, goModule);
};

function callText({ name, arguments: properties }: Call): string {
  // The generator of SDKs calls a look-up of a resource so, and its arguments, too.
  const kind = name.replace(/^get/, "");
  const called = resources.some((resource) => resource.kind === kind) ? `Lookup${kind}` : capitalized(name);
  const given = goStruct(`agentpoolacl.${called}OutputArgs`, properties, { indent: "\t\t", roles: new Set() });
  return `agentpoolacl.${called}Output(ctx, ${given})`;
}

/** Outputs of resources are fields, apart from the ID; those of functions are methods. */
function fieldOf(property: string, call: Call | undefined): string {
  if (call) return `${capitalized(property)}()`;
  return property === "id" ? "ID()" : capitalized(property);
}
