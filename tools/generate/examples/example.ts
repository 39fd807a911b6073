import type { Program, Property } from "../../../cli/import/program";

/** A program that the documents show in every language. */
export interface Example {
  readonly title: string;
  /** What it declares, or nothing but what its secrets are if it calls a function. */
  readonly program: Program;
  readonly call?: Call;
  /** The variable that holds the resource it is for, or the result of the function. */
  readonly variable: string;
  /** The properties of that variable, by the names of the stack's outputs. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Of a resource: what `pulumi import` takes for it, in each form. */
  readonly ids: readonly string[];
}

/** The call of a function. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Property[];
}

/** Writes an example in a language. */
export type Writer = (example: Example) => string;

/** Lines that a writer makes of each output. */
export function outputLines({ outputs }: Example, write: (name: string, property: string) => string): string {
  return Object.entries(outputs)
    .map(([name, property]) => write(name, property))
    .join("\n");
}
