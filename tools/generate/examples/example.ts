import type { Program, Property } from "../../../cli/import/program";

/** A program that the documents have in every language. */
export interface Example {
  readonly title: string;
  /** The resources that the program declares, and its secrets; empty if it calls a function. */
  readonly program: Program;
  readonly call?: Call;
  /** The variable of the main resource, or of the function's result. */
  readonly variable: string;
  /** The properties of that variable, by the names of the stack's outputs. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The IDs that `pulumi import` takes for a resource, one of each form. */
  readonly ids: readonly string[];
}

/** The call of a function. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Property[];
}

/** Writes an example in a language. */
export type Writer = (example: Example) => string;

/** The lines of all outputs. @param write makes the line of an output */
export function outputLines({ outputs }: Example, write: (name: string, property: string) => string): string {
  return Object.entries(outputs)
    .map(([name, property]) => write(name, property))
    .join("\n");
}
