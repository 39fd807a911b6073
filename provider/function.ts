import type * as z from "zod";
import { checkObject, type Fail, formatPath } from "./check";
import { type Field, propertiesOf } from "./fields";
import type { Operation } from "./operation";
import { Problem } from "./problem";
import type { Properties } from "./resource";

/** What a function's file says: a look at a server, which changes nothing. */
export interface FunctionDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly run: (operation: Operation, inputs: z.output<I>) => Promise<z.output<O>>;
}

/** A function as the doors consume it. */
export interface ProviderFunction<Result extends Properties = Properties> {
  readonly name: string;
  readonly description: string;
  readonly inputs: ReadonlyMap<string, Field>;
  readonly outputs: ReadonlyMap<string, Field>;
  run(operation: Operation, inputs: Properties): Promise<Result>;
}

export function defineFunction<I extends z.ZodObject, O extends z.ZodObject>(
  definition: FunctionDefinition<I, O>,
): ProviderFunction<z.output<O>> {
  const inputs = propertiesOf(definition.inputs);
  return {
    name: definition.name,
    description: definition.description,
    inputs,
    outputs: propertiesOf(definition.outputs),

    async run(operation, given) {
      const failures: string[] = [];
      const fail: Fail = (path, reason) => failures.push(`${formatPath(path)} ${reason}`);
      const checked = checkObject(inputs, given, [], fail);
      if (failures.length > 0) throw new Problem(`${definition.name}: ${failures.join("; ")}.`);
      return definition.run(operation, definition.inputs.parse(checked));
    },
  };
}
