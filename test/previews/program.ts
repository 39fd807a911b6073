import type { Kind } from "../support/stack";

/** A reference to a property of another resource of the program. */
export interface Reference {
  readonly of: string;
  readonly property: string;
}

/** The declaration of a resource in a program. */
export interface Declared {
  readonly kind: Kind;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Options of the resource, as in a program; `deletedWith` is a {@link Reference} without a property. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The ID of an object that the program looks up, and does not manage. */
  readonly get?: string;
}

/** The resources of a program by their names, in an order in which each refers to earlier ones only. */
export type Program = Readonly<Record<string, Declared>>;

export const reference = (of: string, property = ""): Reference => ({ of, property });

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "of" in value && "property" in value;
}

/** A program in JavaScript. */
export function textOf(program: Program, module: string): string {
  const lines = Object.entries(program).map(([name, { kind, inputs, options, get }]) => {
    const rest = options ? `, ${expression(options)}` : "";
    const made = get === undefined ? `new acl.${kind}(${JSON.stringify(name)}, ${expression(inputs ?? {})}${rest})` : "";
    return `const ${variable(name)} = ${made || `acl.${kind}.get(${JSON.stringify(name)}, ${JSON.stringify(get)})`};`;
  });
  return `const acl = require("${module}");\n${lines.join("\n")}\n`;
}

const variable = (name: string) => `$${name.replace(/\W/g, "_")}`;

function expression(value: unknown): string {
  if (isReference(value)) return value.property === "" ? variable(value.of) : `${variable(value.of)}.${value.property}`;
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${expression(item)}`);
  return `{ ${entries.join(", ")} }`;
}
