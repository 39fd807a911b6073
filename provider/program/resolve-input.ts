import * as pulumi from "@pulumi/pulumi";

/** A resolved input of a program. */
export interface Settled {
  readonly value: unknown;
  /** The resources that it depends on. */
  readonly dependencies: ReadonlySet<pulumi.Resource>;
}

/** Waits for an input and for all outputs and promises within it. Undefined while a preview does not know all of it. */
export async function settle(input: unknown): Promise<Settled | undefined> {
  const dependencies = new Set<pulumi.Resource>();
  const value: unknown = await pulumi.runtime.serializeProperty("input", pulumi.output(input), dependencies);
  return value === pulumi.runtime.unknownValue ? undefined : { value: pulumi.runtime.unwrapRpcSecret(value), dependencies };
}
