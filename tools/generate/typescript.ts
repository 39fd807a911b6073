import * as z from "zod";
import { singular } from "../../cli/import/names";
import { capitalized } from "../../common/label";
import { functions } from "../../provider/functions";
import { type Field, type Fields, isInOutputs, isInResults, mayBeLeftOut } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { docOf } from "./entries";
import { providerArguments } from "./provider-arguments";
import { leafType as schemaType } from "./pulumi";

/**
 * Writes the interfaces for TypeScript programs, with the descriptions as doc comments. Not inferred from zod, so an editor shows the
 * descriptions, and a program's compiler does not read zod's types.
 */
export function resourceTypes(): string {
  const interfaces = new Interfaces(isInOutputs);
  for (const { kind, description, inputs, outputs } of resources) {
    interfaces.add(`${kind}Args`, `The arguments of an ${kind}.`, inputs, "argument");
    interfaces.add(
      `${kind}Outputs`,
      `The outputs of an ${kind}: its inputs, and the server's fields.`,
      new Map([...inputs, ...outputs]),
      "output",
    );
    interfaces.addClass(kind, description, isLeftOut(inputs));
  }
  interfaces.add("ProviderArgs", "The arguments of an explicit provider.", providerArguments, "argument");
  return interfaces.text("resources/");
}

/** The same for the arguments and results of functions. */
export function functionTypes(): string {
  const interfaces = new Interfaces(isInResults);
  for (const { name, inputs, outputs } of functions) {
    const base = capitalized(name);
    if (inputs.size > 0) interfaces.add(`${base}Args`, `The arguments of ${name}.`, inputs, "plain");
    if (inputs.size > 0) interfaces.add(`${base}OutputArgs`, `The arguments of ${name}Output.`, inputs, "argument");
    interfaces.add(`${base}Result`, `The result of ${name}.`, outputs, "plain");
  }
  return interfaces.text("functions/, resources/ and access-functions/");
}

/** The kind of values in an interface: a program's arguments, a resource's outputs, or plain values. */
type Side = "argument" | "output" | "plain";

class Interfaces {
  private readonly written = new Map<string, string>();

  /** @param isThere whether outputs, or results, always have the property */
  constructor(private readonly isThere: (field: Field) => boolean) {}

  add(name: string, description: string, properties: Fields, side: Side): string {
    const members = [...properties].map(([property, field]) => `${comment(field, "  ")}  ${this.member(name, property, field, side)}`);
    this.written.set(name, `/** ${description} */\nexport interface ${name} {\n${members.join("\n")}\n}\n`);
    return name;
  }

  /** A resource's class. */
  addClass(kind: string, description: string, mayLackArgs: boolean): void {
    const [, taken = ""] = /\*\*Import\*\* takes (.*)/.exec(description) ?? [];
    this.written.set(
      `${kind}Class`,
      `${docOf(kind, description)}
export interface ${kind} extends pulumi.CustomResource, ${kind}Outputs {}

/** The class of an ${kind}. */
export interface ${kind}Class extends Pick<typeof pulumi.CustomResource, "isInstance"> {
${docOf(kind, description).replace(/^/gm, "  ")}
  new (name: string, args${mayLackArgs ? "?" : ""}: ${kind}Args, options?: pulumi.CustomResourceOptions): ${kind};
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): ${kind};
  /** Reads an object that exists, and never changes it. Its \`id\` is ${taken} */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ${kind};
  readonly prototype: ${kind};
}
`,
    );
  }

  text(folders: string): string {
    const head = `// Generated from the descriptions in ${folders} by \`npm run generate\`. Edit those.\nimport type * as pulumi from "@pulumi/pulumi";\n`;
    return [head, ...this.written.values()].join("\n");
  }

  private member(owner: string, property: string, field: Field, side: Side): string {
    const base = owner.replace(/(Args|Outputs|Result)$/, "");
    const nested = `${base}${capitalized(property)}`;
    const isArgument = side === "argument" || owner.endsWith("Args");
    const isOptional = isArgument ? mayBeLeftOut(field) : !this.isThere(field);
    const text = this.typeOf(nested, field, side);
    if (side === "output") return `readonly ${property}: pulumi.Output<${text}${isOptional ? " | undefined" : ""}>;`;
    return `${side === "plain" ? "readonly " : ""}${property}${isOptional ? "?" : ""}: ${side === "argument" ? `pulumi.Input<${text}>` : text};`;
  }

  private typeOf(nested: string, field: Field, side: Side): string {
    const item = (child: Field, name: string) =>
      side === "argument" ? `pulumi.Input<${this.typeOf(name, child, side)}>` : this.typeOf(name, child, side);
    switch (field.shape.kind) {
      case "object":
        return this.add(
          side === "argument" ? `${nested}Args` : nested,
          field.description,
          field.shape.properties,
          side === "output" ? "plain" : side,
        );
      case "list":
        return `${bracketed(item(field.shape.items, singular(nested)))}[]`;
      case "map":
        return `Record<string, ${item(field.shape.values, nested)}>`;
      case "leaf":
        return leafType(field.schema);
    }
  }
}

/** Whether all inputs are optional. */
function isLeftOut(inputs: Fields): boolean {
  return [...inputs.values()].every(mayBeLeftOut);
}

function leafType(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => JSON.stringify(option)).join(" | ");
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(" | ");
  if (schema instanceof z.ZodUnion) {
    return [...new Set(schema.options.map((option) => leafType(z.instanceof(z.ZodType).parse(option))))].join(" | ");
  }
  // Any JSON has no type of its own.
  const { type = "unknown" } = schemaType(schema);
  return type === "integer" ? "number" : type;
}

function comment({ description, defaultValue }: Field, indent: string): string {
  const ending = defaultValue === undefined || description.includes("Default:") ? "" : ` Default: \`${JSON.stringify(defaultValue)}\`.`;
  return `${indent}/** ${description.replaceAll("*/", "*\\/")}${ending} */\n`;
}

function bracketed(type: string): string {
  return type.includes(" | ") ? `(${type})` : type;
}
