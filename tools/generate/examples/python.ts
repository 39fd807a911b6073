import type { Field } from "../../../provider/model/fields";
import { capitalized } from "../text";
import {
  bracketed,
  isDeclaration,
  isList,
  isUsed,
  isValues,
  Reference,
  SecretKey,
  usesSecrets,
  type Value,
  type Values,
  type Writer,
} from "./program";

export const python: Writer = (program, catalog) => {
  const { steps, outputs } = program;
  const secret = usesSecrets(program);
  const lines = steps.map((step) => {
    const owner = isDeclaration(step) ? step.kind : capitalized(step.call);
    const given = argumentsOf(step.properties, catalog.inputsOf(step), owner);
    if (!isDeclaration(step)) return `${step.variable} = ${bracketed(`acl.${snake(step.call)}_output(`, given, ")")}`;
    const made = bracketed(`acl.${step.kind}(`, [`"${step.variable}"`, ...given], ")");
    return isUsed(step.variable, program) ? `${step.variable} = ${made}` : made;
  });
  const exported = Object.entries(outputs).map(
    ([name, { variable, property }]) => `pulumi.export("${name}", ${variable}.${snake(property)})`,
  );
  return [
    "import pulumi",
    "import pulumi_agentpool_acl as acl",
    "",
    ...(secret ? ["config = pulumi.Config()"] : []),
    ...lines,
    ...exported,
  ].join("\n");
};

function argumentsOf(values: Values, fields: ReadonlyMap<string, Field>, owner: string): string[] {
  return Object.entries(values).map(([name, value]) => `${snake(name)}=${written(value, fields.get(name), owner + capitalized(name))}`);
}

function written(value: Value, field: Field | undefined, type: string): string {
  if (value instanceof Reference) return `${value.variable}.${snake(value.property)}`;
  if (value instanceof SecretKey) return `config.require_secret("${value.key}")`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isList(value))
    return bracketed(
      "[",
      value.map((item) => written(item, undefined, type)),
      "]",
    );
  if (!isValues(value)) return JSON.stringify(value);
  if (field?.shape.kind === "object") return bracketed(`acl.${type}Args(`, argumentsOf(value, field.shape.properties, type), ")");
  return bracketed(
    "{",
    Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${written(item, undefined, type)}`),
    "}",
  );
}

/** "oidcDiscoveryUrl" is oidc_discovery_url. */
function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
