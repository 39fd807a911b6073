import * as pulumi from "@pulumi/pulumi";
import { isPemText, namespace } from "../configuration/config";

const warned = new WeakSet<object>();

/**
 * Warns once in a run about tokens and keys in plain text in the stack's configuration. Only the program can see which values are in plain
 * text: the engine passes all of them to the plugin without a mark.
 */
export function warnOfPlainSecrets(run: object): void {
  if (warned.has(run)) return;
  warned.add(run);
  const config = pulumi.runtime.allConfig();
  for (const key of ["poolsToken", "clusterToken", "clusterClientKey"]) {
    const full = `${namespace}:${key}`;
    const value = config[full];
    if (value === undefined || !isPlain(full)) continue;
    const isKey = key === "clusterClientKey";
    // The path of a key file is not a secret.
    if (isKey && !isPemText(value)) continue;
    pulumi.log.warn(
      `The configuration holds ${full} in plain text. Encrypt it: pulumi config set --secret ${full} VALUE; and replace the ${isKey ? "key and its certificate" : "token"}, which is in the configuration's history.`,
    );
  }
}

/** Whether a key is in plain text, by a function that the SDK does not declare. Without that function, there is no warning. */
function isPlain(key: string): boolean {
  const isConfigSecret: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof isConfigSecret === "function" && isConfigSecret(key) === false;
}
