import { sep } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../model/remote";

/**
 * The arguments of the SDK's constructor. A resource's class is derived from the SDK's with nothing in between: the SDK takes the call before
 * the class for the place in the program, and the engine keeps all the calls in the state.
 */
export type Registration = readonly [type: string, name: string, properties: Properties, options: pulumi.CustomResourceOptions];

/** Shortens the call stacks of a registration. PULUMI_DEBUG_PROMISE_LEAKS and AGENTPOOL_ACL_WHOLE_STACK_TRACES keep them whole. */
export function shortStacks() {
  const { PULUMI_DEBUG_PROMISE_LEAKS, AGENTPOOL_ACL_WHOLE_STACK_TRACES } = process.env;
  const restore = PULUMI_DEBUG_PROMISE_LEAKS || AGENTPOOL_ACL_WHOLE_STACK_TRACES ? [] : [limitStacks(), endStacksAtProgram()];
  const end = () => {
    for (const undo of restore.splice(0)) undo();
  };
  return {
    /** An error of the registration, with the place in the program that declares the resource. */
    completed(error: unknown): unknown {
      end();
      // An error without a stack is shown as its message alone (runError).
      if (!(error instanceof Error) || !error.stack) return error;
      const callers = new Error().stack?.split("\n").slice(2) ?? [];
      error.stack = [error.stack, ...callers].join("\n");
      return error;
    },
    end,
  };
}

/**
 * The SDK keeps four stacks for each property, for its search for leaked promises. With a thousand resources, they take most of a program's
 * time. One call of each stack is left, because an error may come from a transformation, which is the program's own.
 */
function limitStacks(): () => void {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.min(limit, 1);
  return () => {
    Error.stackTraceLimit = limit;
  };
}

/**
 * The SDK sends the engine a whole stack, and the engine keeps it in the state: 400 bytes, 60 of them for the program's line. With whole
 * stacks the state is 27 % larger, and an update that creates 1,000 roles takes 7 % longer.
 *
 * With --enable-source-maps nothing is changed: Node does not map positions to sources if anybody sets Error.prepareStackTrace.
 */
function endStacksAtProgram(): () => void {
  const prepare = Error.prepareStackTrace;
  if (typeof prepare !== "function" || process.sourceMapsEnabled) return () => undefined;
  const prepareShort: typeof prepare = (error, calls) => prepare.call(Error, error, upToProgram(calls));
  Error.prepareStackTrace = prepareShort;
  return () => {
    // A transformation may have replaced the function.
    if (Error.prepareStackTrace === prepareShort) Error.prepareStackTrace = prepare;
  };
}

/**
 * The calls from the innermost to the program's outermost one. After that come the calls of Node and the SDK that started the program.
 * Calls of packages in between, for example of one with component resources, are kept. Without any call of a file outside of node_modules,
 * all are kept.
 */
export function upToProgram(calls: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const last = calls.findLastIndex((call) => isOfProgram(call.getFileName()));
  return last < 0 ? calls : calls.slice(0, last + 1);
}

function isOfProgram(file: string | null | undefined): boolean {
  return !!file && !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(ownFolder);
}

const ownFolder = `${__dirname}${sep}`;
