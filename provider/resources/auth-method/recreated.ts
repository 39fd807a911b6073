import type { AuthMethod, AuthMethodInput } from "../../apis/cluster-acl/client";
import { isApiError } from "../../apis/http/errors";
import type { CallContext } from "../../context/call-context";
import { InitError } from "../../model/init-error";
import type { Properties } from "../../model/remote";
import { UserError } from "../../model/user-error";
import { labelOf } from "./own";

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
      `${label}: the response to its create was lost. It is not known whether the write took effect: one with its content is on ${cluster.server}, but no read shows whose secret it has, and writing this program's failed: ${error.message} ` +
        'Run the update again with adopt: "overwrite", which writes all of it.',
      { cause: error },
    );
  }
  if (method.hash && written.hash !== method.hash) {
    context.warn(
      `${label}: the one that is taken for that of the create whose response was lost had another hash before this program's secret was written to it. Unless it has several claim mappings, ` +
        "which a server may hash in any order, another program has made it, with a secret of its own: agree with its owner on the secret.",
    );
  }
  return written;
}

/**
 * The error for an update of a method that others deleted between the read and the write. A server whose updates create methods has created
 * one.
 */
export function recreatedError(method: AuthMethod, server: string, properties: Properties): UserError {
  const label = labelOf(method.name);
  if (method.createIndex !== method.modifyIndex) {
    return new UserError(
      "method-recreated",
      `${label} on ${server} was deleted by others, who made another of the same name at ${method.createTime}, between the read and the write of this update, which has written this program's values over ` +
        "theirs. The state keeps the old one. Agree with them whose it is, and run `pulumi refresh`, which says how to go on.",
    );
  }
  const message =
    `${label} was deleted by others between the read and the write of this update, by which ${server} has made a new one, at ${method.createTime}: binding rules of this name apply to it. ` +
    "The state has the new one. Run `pulumi refresh`; and if it is to be gone, remove it from the program and run the update again.";
  return new InitError("method-recreated", message, method.name, properties);
}

/** Where a server raises no conflict: the response to a create shows that there was another one. */
export function overwrittenError(method: AuthMethod, server: string): UserError {
  return new UserError(
    "method-overwritten",
    `The create of ACL auth method ${JSON.stringify(method.name)} on ${server} has replaced a method of that name that someone else made at ${method.createTime}, between the read and the write. ` +
      'It now has this program\'s values. Agree with them whose it is; then set adopt: "overwrite" to keep it here, or restore theirs.',
  );
}
