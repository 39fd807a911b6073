import * as pulumi from "@pulumi/pulumi";

/**
 * An error of the program that is its message alone. It has no stack and no cause, because the SDK formats both with `util.inspect`, in colours, although it
 * shows the message only: on Node 20, a stack through `node_modules/@pulumi` takes that a minute.
 */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = "";
  return error;
}
