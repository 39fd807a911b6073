import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Connections, namespace, resolveConfiguration } from "../config";
import type { Field } from "../fields";
import type { ProviderFunction } from "../function";
import { Session } from "../operation";
import type { Properties, Resource } from "../resource";
import { isRecord } from "../unknown";
import { dynamicType, providerKey, providerText } from "./dynamic";

/** A resource of this package in a program, through the dynamic door. */
export abstract class DynamicResource extends pulumi.CustomResource {
  protected constructor(resource: Resource, name: string, args: Properties, options: pulumi.CustomResourceOptions | undefined) {
    if (!options?.id) prepareProgram();
    const declared = Object.fromEntries([...resource.inputs, ...resource.outputs].map(([property]) => [property, undefined]));
    super(
      dynamicType(resource.kind),
      name,
      { ...declared, ...withSecrets(resource.inputs, args), [providerKey]: providerText(resource.kind) },
      options,
    );
  }
}

/** Marks what is a secret by its nature, whether or not the program does. */
function withSecrets(properties: ReadonlyMap<string, Field>, values: Properties): Properties {
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

let isPrepared = false;

/** What is checked once for a program: that the engine's host will find this package, and that tokens are kept as secrets. */
function prepareProgram(): void {
  if (isPrepared) return;
  isPrepared = true;
  try {
    createRequire(join(process.cwd(), "index.js")).resolve("pulumi-agentpool-acl/dynamic");
  } catch (cause) {
    throw new pulumi.RunError(
      `pulumi-agentpool-acl can't be found from the program's folder (${process.cwd()}), where the engine loads it from. ` +
        "Add it to the dependencies of the package.json there (`npm install pulumi-agentpool-acl`): being a dependency of a dependency is not enough.",
      { cause },
    );
  }
  for (const key of ["poolsToken", "clusterToken", "clusterClientKey"]) {
    const full = `${namespace}:${key}`;
    if (configured(full) !== undefined && isPlain(full)) {
      pulumi.log.warn(
        `The configuration holds ${full} in plain text. Encrypt it: pulumi config set --secret ${full} VALUE; and replace the token, which is in the configuration's history.`,
      );
    }
  }
}

/** The SDK tells which keys are secrets, but does not declare the function: where it is missing, nobody is warned. */
function isPlain(key: string): boolean {
  const isConfigSecret: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof isConfigSecret === "function" && isConfigSecret(key) === false;
}

function configured(key: string): string | undefined {
  return pulumi.runtime.allConfig()[key];
}

let session: Session | undefined;

/** Calls a function of the provider from a program, with the program's configuration. */
export function callFunction<R extends Properties>(definition: ProviderFunction<R>, args: Properties): Promise<R> {
  session ??= new Session(new Connections(() => resolveConfiguration((key) => configured(`${namespace}:${key}`), process.env)));
  const options = {
    warn: (message: string) => void pulumi.log.warn(message),
    progress: (message: string) => void pulumi.log.info(message),
  };
  return definition.run(session.operation(options), args);
}
