import * as pulumi from "@pulumi/pulumi";
import type { Field } from "../fields";
import type { Properties, Resource } from "../resource";
import { isRecord } from "../unknown";

/** What a resource is registered with: its arguments, and every output by name, so that the SDK makes it a property of the object. */
export function declared(resource: Resource, args: Properties): Properties {
  const outputs = Object.fromEntries([...resource.inputs, ...resource.outputs].map(([property]) => [property, undefined]));
  return { ...outputs, ...withSecrets(resource.inputs, args) };
}

/** Marks what is a secret by its nature, whether or not the program does. */
export function withSecrets(properties: ReadonlyMap<string, Field>, values: Properties): Properties {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = properties.get(name);
      return [name, field ? markSecret(field, value) : value];
    }),
  );
}

function markSecret(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (field.traits.secret) return pulumi.secret(value);
  if (field.shape.kind !== "object" || !hasSecret(field)) return value;
  const { properties } = field.shape;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    return pulumi.output(value).apply((known) => pulumi.output(isRecord(known) ? withSecrets(properties, known) : known));
  }
  return isRecord(value) ? withSecrets(properties, value) : value;
}

function hasSecret({ traits, shape }: Field): boolean {
  return traits.secret === true || (shape.kind === "object" && [...shape.properties.values()].some(hasSecret));
}
