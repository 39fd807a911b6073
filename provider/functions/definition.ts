import type * as z from "zod";
import { type CheckFailure, checkObject, type Fail, formatPath } from "../model/check";
import { type Field, propertiesOf } from "../model/fields";
import type { Properties } from "../model/remote";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";

/** The description of a function, which reads from a server and changes nothing. */
export interface FunctionDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  /** The section of the API's document that describes it. */
  readonly source: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly run: (context: CallContext, inputs: z.output<I>) => Promise<z.output<O>>;
}

/** A function for the adapters. */
export interface ProviderFunction<Result extends Properties = Properties> {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly inputs: ReadonlyMap<string, Field>;
  readonly outputs: ReadonlyMap<string, Field>;
  run(context: CallContext, inputs: Properties): Promise<Result>;
}

/** A function was called with invalid arguments. Nothing was sent. */
export class InvalidArgumentsError extends UserError {
  override readonly name = "InvalidArgumentsError";

  constructor(
    name: string,
    readonly failures: readonly CheckFailure[],
  ) {
    super("arguments-invalid", `${name}: ${failures.map(({ path, reason }) => `${path} ${reason}`).join("; ")}`.replace(/(?<!\?)$/, "."));
  }
}

export function defineFunction<I extends z.ZodObject, O extends z.ZodObject>(
  definition: FunctionDefinition<I, O>,
): ProviderFunction<z.output<O>> {
  const inputs = propertiesOf(definition.inputs);
  return {
    name: definition.name,
    description: definition.description,
    source: definition.source,
    inputs,
    outputs: propertiesOf(definition.outputs),

    async run(context, given) {
      const failures: CheckFailure[] = [];
      const fail: Fail = (path, reason) => failures.push({ path: formatPath(path), reason });
      const checked = checkObject(inputs, given, [], fail);
      if (failures.length > 0) throw new InvalidArgumentsError(definition.name, failures);
      return definition.run(context, definition.inputs.parse(checked));
    },
  };
}
