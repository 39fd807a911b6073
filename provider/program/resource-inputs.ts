import * as pulumi from "@pulumi/pulumi";
import { isRecord } from "../../common/unknown";
import type { Resource } from "../lifecycle/resource";
import type { Field, Fields } from "../model/fields";
import type { Properties } from "../model/remote";
import { runError } from "./run";

/** The properties for a registration: the arguments, and every output by name, so the SDK makes it a property of the object. */
export function declared(resource: Resource, args: Properties): Properties {
  const outputs = Object.fromEntries([...resource.inputs, ...resource.outputs].map(([property]) => [property, undefined]));
  return { ...outputs, ...withSecrets(resource.inputs, args) };
}

/** The outputs that are always secret, for adapters whose provider can't mark them. */
export function secretOutputs({ outputs }: Resource): string[] {
  return [...outputs].filter(([, { traits }]) => traits.secret).map(([name]) => name);
}

/** Marks inputs that are always secret, whether or not the program does. */
export function withSecrets(properties: Fields, values: Properties): Properties {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = properties.get(name);
      return [name, field ? withValue(name, field, markSecret(field, value)) : value];
    }),
  );
}

/**
 * Refuses an output that resolves to no value. Such an output would leave out a property that decides who has access, and a preview could
 * not show that.
 */
function withValue(name: string, field: Field, value: unknown): unknown {
  const isLater = pulumi.Output.isInstance(value) || value instanceof Promise;
  if (!isLater || !field.optional || !field.traits.emptyMatters) return value;
  return resolved(value).then((known) => {
    if (!known || (known.value !== undefined && known.value !== null)) return value;
    throw runError(
      "list-without-value",
      `${name} is given as an output that has no value (undefined). To leave it out would mean something else than an empty list: give a list, or leave ${name} out in the program.`,
    );
  });
}

function markSecret(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (field.traits.secret) return pulumi.secret(value);
  if (field.shape.kind !== "object" || !hasSecret(field)) return value;
  const { properties } = field.shape;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return spread(properties, pulumi.output<unknown>(value));
  return isRecord(value) ? withSecrets(properties, value) : value;
}

/**
 * Converts an output of an object into an object of outputs. One output would be secret as a whole, the engine would keep the marks of an
 * earlier state within it, and the SDK can't read a secret within a secret.
 */
async function spread(properties: Fields, whole: pulumi.Output<unknown>): Promise<unknown> {
  const value = (await resolved(whole))?.value;
  if (!isRecord(value)) return whole.apply((known) => known);
  const parts = Object.keys(value).map((name) => [name, whole.apply((known) => (isRecord(known) ? known[name] : undefined))]);
  return withSecrets(properties, Object.fromEntries(parts));
}

function hasSecret({ traits, shape }: Field): boolean {
  return traits.secret === true || (shape.kind === "object" && [...shape.properties.values()].some(hasSecret));
}

/** Waits for an input and for all outputs and promises within it. Undefined while a preview does not know all of it. */
export async function resolved(input: unknown): Promise<{ readonly value: unknown } | undefined> {
  const value: unknown = await pulumi.runtime.serializeProperty("input", pulumi.output(input), new Set());
  return value === pulumi.runtime.unknownValue ? undefined : { value: pulumi.runtime.unwrapRpcSecret(value) };
}
