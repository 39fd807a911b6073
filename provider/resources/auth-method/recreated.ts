import type { AuthMethod, AuthMethodInput } from "../../apis/cluster-acl/client";
import { isApiError } from "../../apis/http/errors";
import { InitError } from "../../model/init-error";
import type { Properties } from "../../model/remote";
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

/**
 * The error for an update of a method that others deleted between the read and the write. A server whose updates create methods has created
 * one.
 */
export function recreatedError(method: AuthMethod, server: string, properties: Properties): UserError {
  const label = labelOf(method.name);
  if (method.createIndex !== method.modifyIndex) {
    return new UserError(
      "method-recreated",
      `${label} on ${server} was deleted by others, who made another of the same name at ${method.createTime}, between the read and the write of this update. It has this program's values now, ` +
        "and the state keeps the old one. Agree with them whose it is, and run `pulumi refresh`, which says how to go on.",
    );
  }
  const message =
    `${label} was deleted by others between the read and the write of this update, which made a new one on ${server}, at ${method.createTime}: binding rules of this name apply to it. ` +
    "The state has the new one. Run `pulumi refresh`; to have it gone, remove it from the program.";
  return new InitError("method-recreated", message, method.name, properties);
}

/** For a server that raises no conflict: the response to a create shows that it replaced another one. */
export function overwrittenError(method: AuthMethod, server: string): UserError {
  return new UserError(
    "method-overwritten",
    `The create of ${labelOf(method.name)} on ${server} has replaced a method of that name that someone else made at ${method.createTime}, between the read and the write. ` +
      'Agree with them whose it is; then set adopt: "overwrite" to keep it here, or restore theirs.',
  );
}
