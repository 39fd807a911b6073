import * as pulumi from "@pulumi/pulumi";
import type { ErrorKind } from "../apis/http/errors";
import type { UserErrorCode } from "../model/user-errors";

/**
 * An error of the program with a message only. It has no stack and no cause, because the SDK formats both with `util.inspect`, in colours,
 * although it shows the message only. On Node 20 that takes a minute for a stack through `node_modules/@pulumi`.
 *
 * @param code the entry of docs/troubleshooting.md
 */
export function runError(code: UserErrorCode | ErrorKind, message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = "";
  return Object.assign(error, { code });
}
