import * as pulumi from "@pulumi/pulumi";

/**
 * The run of a program that is under way, as an object of its own: the SDK's connection to the engine. Through the Automation API one process can run many
 * stacks, one after the other or at the same time. Undefined where there is no engine.
 */
export function currentRun(): object | undefined {
  return pulumi.runtime.getMonitor();
}

/** Whether the run is a unit test's, after `setMocks`: its connection is then an object of the SDK that holds the mocks. The SDK has no other way to ask. */
export function isMocked(run: object | undefined): boolean {
  return run !== undefined && "mocks" in run;
}

/**
 * Whether the CLI has started this process to run the program, in the folder that it starts the dynamic resources' host in as well. An inline program of the
 * Automation API is a function in a process of the user's.
 */
export function isStartedByCli(): boolean {
  return process.env.PULUMI_NODEJS_MONITOR !== undefined;
}
