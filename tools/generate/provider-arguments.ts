import { configuration } from "../../provider/configuration/config";
import { type Field, type Fields, propertiesOf } from "../../provider/model/fields";

/** Sentences about environment variables: the configuration's, and their replacements for an explicit provider. */
const differences: readonly (readonly [RegExp, string])[] = [
  [/`AGENTPOOL_ACL_\w+` takes precedence; without either, (`\w+`) is used\./, "No `AGENTPOOL_ACL_` variable applies. Default: $1."],
  // The usual variables are for the server that the environment names.
  [/(?<=Default: )`(?!TFE_ADDRESS|NOMAD_ADDR)(?:TFE|NOMAD)_\w+`/, "$& (unless the provider names the address of the service)"],
  [/ `AGENTPOOL_ACL_CLUSTER_TOKEN` takes precedence\./, ""],
];

function ofProgram(field: Field): Field {
  const description = differences.reduce((text, [pattern, other]) => text.replace(pattern, other), field.description);
  return { ...field, description };
}

/** The arguments of an explicit provider: the configuration's keys, with descriptions for a provider of the program. */
export const providerArguments: Fields = new Map([...propertiesOf(configuration)].map(([name, field]) => [name, ofProgram(field)]));
