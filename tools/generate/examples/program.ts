import * as z from "zod";
import type { Field } from "../../../provider/model/fields";

/** A property of a resource or of a function's result, which another value uses. */
export class Reference {
  constructor(
    readonly variable: string,
    readonly property: string,
  ) {}
}

/** A secret of the stack's configuration. */
export class SecretKey {
  constructor(readonly key: string) {}
}

export type Value = string | number | boolean | Reference | SecretKey | readonly Value[] | Values;
export interface Values {
  readonly [name: string]: Value;
}

/** A resource of an example. */
export interface Declaration {
  readonly variable: string;
  readonly kind: string;
  readonly properties: Values;
}

/** The call of a function in an example. */
export interface Call {
  readonly variable: string;
  readonly call: string;
  readonly properties: Values;
}

export type Step = Declaration | Call;

/** A program that the documents show in every language. Variables are one word each, so that all languages spell them alike. */
export interface Program {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly outputs: Readonly<Record<string, Reference>>;
  /** Of a resource's program: what `pulumi import` takes for its last declaration, in each form. */
  readonly ids?: readonly string[];
}

/** The descriptions that a language's types follow from. */
export interface Catalog {
  /** The inputs of a resource or of a function. @throws for an unknown name */
  inputsOf(step: Step): ReadonlyMap<string, Field>;
  /** Whether a kind of resources has this name. */
  isKind(name: string): boolean;
}

/** Writes a program in a language. */
export type Writer = (program: Program, catalog: Catalog) => string;

export function isDeclaration(step: Step): step is Declaration {
  return "kind" in step;
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isValues(value: Value): value is Values {
  return typeof value === "object" && !isList(value) && !(value instanceof Reference) && !(value instanceof SecretKey);
}

/** Whether a field is a map of texts, and not of values of any type. */
export function isMapOfTexts(field: Field | undefined): boolean {
  return field?.shape.kind === "map" && field.shape.values.schema instanceof z.ZodString;
}

/** The secrets of the configuration that a value uses. */
export function secretsIn(value: Value): SecretKey[] {
  if (value instanceof SecretKey) return [value];
  if (isList(value)) return value.flatMap(secretsIn);
  return isValues(value) ? Object.values(value).flatMap(secretsIn) : [];
}

export function usesSecrets({ steps }: Program): boolean {
  return steps.some(({ properties }) => secretsIn(properties).length > 0);
}

/** Whether a later step or an output refers to the variable. */
export function isUsed(variable: string, { steps, outputs }: Program): boolean {
  const refersTo = (value: Value): boolean => {
    if (value instanceof Reference) return value.variable === variable;
    if (isList(value)) return value.some(refersTo);
    return isValues(value) && Object.values(value).some(refersTo);
  };
  return steps.some(({ properties }) => refersTo(properties)) || Object.values(outputs).some(refersTo);
}

const widest = 90;

/** A list of items between brackets: on one line where it fits, otherwise an item on each line. */
export function bracketed(open: string, items: readonly string[], close: string, { indent = "    ", padding = "" } = {}): string {
  const line = `${open}${padding}${items.join(", ")}${padding}${close}`;
  if (items.length === 0) return `${open}${close}`;
  if (!line.includes("\n") && line.length <= widest) return line;
  return `${open}\n${items.map((item) => `${indented(item, indent)},\n`).join("")}${close}`;
}

/** Each line of a text, indented. */
export function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}
