import { bracketed, isDeclaration, isList, isUsed, isValues, Reference, SecretKey, usesSecrets, type Value, type Writer } from "./program";

/** What the examples import. */
export const pluginModule = "pulumi-agentpool-acl/plugin";

export const typescript: Writer = (program) => {
  const { steps, outputs } = program;
  const names = steps.map((step) => (isDeclaration(step) ? step.kind : `${step.call}Output`));
  const secret = usesSecrets(program);
  const lines = steps.map((step) => {
    const given = Object.keys(step.properties).length > 0 ? written(step.properties) : "";
    if (!isDeclaration(step)) return `const ${step.variable} = ${step.call}Output(${given});`;
    const made = `new ${step.kind}("${step.variable}", ${given || "{}"});`;
    return isUsed(step.variable, program) ? `const ${step.variable} = ${made}` : made;
  });
  const exported = Object.entries(outputs).map(([name, { variable, property }]) => `export const ${name} = ${variable}.${property};`);
  return [
    ...(secret ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    `import { ${[...new Set(names)].sort().join(", ")} } from "${pluginModule}";`,
    "",
    ...(secret ? ["const config = new pulumi.Config();"] : []),
    ...lines,
    ...exported,
  ].join("\n");
};

function written(value: Value): string {
  if (value instanceof Reference) return `${value.variable}.${value.property}`;
  if (value instanceof SecretKey) return `config.requireSecret("${value.key}")`;
  if (isList(value)) return bracketed("[", value.map(written), "]");
  if (!isValues(value)) return JSON.stringify(value);
  return bracketed(
    "{",
    Object.entries(value).map(([name, item]) => `${name}: ${written(item)}`),
    "}",
    { padding: " " },
  );
}
