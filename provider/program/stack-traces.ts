import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../model/resource";

/**
 * What the SDK's constructor takes. A resource's class is derived from the SDK's with nothing in between: the SDK takes the call before the class for the
 * place in the program, and the engine keeps all the calls in the state.
 */
export type Registration = readonly [type: string, name: string, properties: Properties, options: pulumi.CustomResourceOptions];

/**
 * Has a resource registered without whole call stacks. The SDK keeps four of them for each property, for its search for leaked promises; with a thousand
 * resources they are most of what a program does. PULUMI_DEBUG_PROMISE_LEAKS, which prints them, keeps them whole.
 */
export function shortStacks() {
  const limit = Error.stackTraceLimit;
  // One call is left: an error may come from a transformation, which is the program's own.
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = Math.min(limit, 1);
  const end = () => {
    Error.stackTraceLimit = limit;
  };
  return {
    /** An error of the registration, with the place in the program that declares the resource. */
    completed(error: unknown): unknown {
      end();
      // What has no stack is shown as its message alone (runError).
      if (!(error instanceof Error) || !error.stack) return error;
      const callers = new Error().stack?.split("\n").slice(2) ?? [];
      error.stack = [error.stack, ...callers].join("\n");
      return error;
    },
    end,
  };
}
