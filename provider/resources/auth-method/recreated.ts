import type { AuthMethod, AuthMethodInput } from "../../apis/cluster-acl/client";
import { isApiError } from "../../apis/http/errors";
import { UserError } from "../../model/user-error";
import type { CallContext } from "../../operation/call-context";
import { labelOf } from "./presence";

/**
 * Writes the secret again after a create whose response was lost, to the method that counts as the created one: others may have created it
 * with another secret, which no read shows. A server does not change an equal one.
 */
export async function withSecretWritten(context: CallContext, method: AuthMethod, body: AuthMethodInput): Promise<AuthMethod> {
  const cluster = context.cluster();
  const label = labelOf(method.name);
  let written: AuthMethod;
  try {
    written = await cluster.methods.update(method.name, body);
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw new UserError(
      "method-create-unclear",
      `${label}: the response to its create was lost. It is not known whether the write took effect: ${cluster.server} has one with its content, no read shows its secret, and writing the secret again failed: ${error.message} ` +
        'Run the update again with adopt: "overwrite".',
      { cause: error },
    );
  }
  if (method.hash && written.hash !== method.hash) {
    context.warn(
      `${label}: the response to its create was lost, and it had another hash before its secret was written again. Unless it has several claim mappings, which a server may hash in any order, ` +
        "another program has made it, with a secret of its own: agree with its owner on the secret.",
    );
  }
  return written;
}
