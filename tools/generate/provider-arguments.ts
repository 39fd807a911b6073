import { configuration } from "../../provider/configuration/config";
import { type Field, type Fields, propertiesOf } from "../../provider/model/fields";

/** The sentences about variables that hold for the configuration alone, with those that hold for a provider of the program. */
const differences: readonly (readonly [RegExp, string])[] = [
  [
    /`AGENTPOOL_ACL_\w+` takes precedence; without either, (`\w+`) is used\./,
    "No `AGENTPOOL_ACL_` variable applies. Default: $1, unless the provider names the address of the service.",
  ],
  [/ `AGENTPOOL_ACL_CLUSTER_TOKEN` takes precedence\./, ""],
];

function ofProgram(field: Field): Field {
  const description = differences.reduce((text, [pattern, other]) => text.replace(pattern, other), field.description);
  return { ...field, description };
}

/** The arguments of an explicit provider: the keys of the configuration, with what is true of a provider of the program. */
export const providerArguments: Fields = new Map([...propertiesOf(configuration)].map(([name, field]) => [name, ofProgram(field)]));
