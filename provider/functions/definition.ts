import type * as z from "zod";
import { UserError } from "../../common/user-error";
import { isNotFound } from "../apis/http/errors";
import { type CheckFailure, checkObject, type Fail, formatPath } from "../model/check";
import { type Fields, propertiesOf } from "../model/fields";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";

/** The description of a function, which reads from a server and changes nothing. */
export interface FunctionDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  /** Markdown for the registry's page and schema.json. */
  readonly description: string;
  /** The section of the API's document, or of the service's public reference, that describes the function. */
  readonly source: string;
  readonly inputs: I;
  readonly outputs: O;
  /** The result may have more properties than `outputs`, such as a secret of a response. The function leaves these out. */
  readonly run: (context: CallContext, inputs: z.output<I>) => Promise<z.input<O>>;
}

/** A function for the adapters. */
export interface ProviderFunction<Result extends Properties = Properties> {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
  run(context: CallContext, inputs: Properties): Promise<Result>;
}

/** The error for a function that is called with invalid arguments. Nothing was sent. */
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
  return checkedFunction(definition, async (context, inputs) => definition.outputs.parse(await definition.run(context, inputs)));
}

/** A function whose result needs no further parse. */
export function checkedFunction<I extends z.ZodObject, Result extends Properties>(
  definition: Omit<FunctionDefinition<I, z.ZodObject>, "run">,
  run: (context: CallContext, inputs: z.output<I>) => Promise<Result>,
): ProviderFunction<Result> {
  const inputs = propertiesOf(definition.inputs);
  return {
    ...definition,
    inputs,
    outputs: propertiesOf(definition.outputs),

    async run(context, given) {
      const failures: CheckFailure[] = [];
      const fail: Fail = (path, reason) => failures.push({ path: formatPath(path), reason });
      const checked = checkObject(inputs, given, [], fail);
      if (failures.length > 0) throw new InvalidArgumentsError(definition.name, failures);
      return run(context, definition.inputs.parse(checked));
    },
  };
}

/** Looks an object up. @throws if the cluster lacks it; the error names the object and the next step */
export async function orMissing<T>(name: string, what: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      "not-found",
      `${name}: the cluster has no ${what}. Check the argument, and which cluster and region are configured. ${error.report}`,
      {
        cause: error,
      },
    );
  }
}
