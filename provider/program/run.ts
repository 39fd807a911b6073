import * as pulumi from "@pulumi/pulumi";
import type { UserErrorCode } from "../../common/user-errors";
import type { ErrorKind } from "../apis/http/errors";

/**
 * Identifies the current run of a program: the SDK's connection to the engine. Through the Automation API one process can run many stacks,
 * one after the other or at the same time. Undefined if there is no engine.
 */
export function currentRun(): object | undefined {
  return pulumi.runtime.getMonitor();
}

/**
 * Whether the run is a unit test's, after `setMocks`: its connection is then an object of the SDK with the mocks. The SDK has no other way
 * to find out.
 */
export function isMocked(run: object | undefined): boolean {
  return run !== undefined && "mocks" in run;
}

/** The current run, if it is a preview whose warnings apply: not a unit test, and without transformations. */
export function previewedRun(made: pulumi.CustomResource): object | undefined {
  const run = currentRun();
  return isMocked(run) || !pulumi.runtime.isDryRun() || isTransformed(made) ? undefined : run;
}

/**
 * Whether the SDK's older transformations may have changed the inputs: those of the resource, its parents or the stack. Its newer
 * transforms run later, and leave no trace.
 */
export function isTransformed(made: pulumi.CustomResource): boolean {
  const transformations: unknown = Reflect.get(made, "__transformations");
  return Array.isArray(transformations) && transformations.length > 0;
}

/**
 * Whether the CLI has started this process, in the same folder as the dynamic resources' host. An inline program of the Automation API is a
 * function in the user's process.
 */
export function isStartedByCli(): boolean {
  return process.env.PULUMI_NODEJS_MONITOR !== undefined;
}

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
