import * as z from "zod";
import { enumName } from "../../cli/import/names";
import { capitalized } from "../../common/label";
import { functions } from "../../provider/functions";
import type { ProviderFunction } from "../../provider/functions/definition";
import type { Resource } from "../../provider/lifecycle/resource";
import { type Fields, mayBeLeftOut } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { exampleOf } from "./examples";
import { pluginModule } from "./examples/typescript";

/** How the classes and functions of an entry point call the provider. */
interface Entry {
  readonly imports: readonly string[];
  /** The imports after the import of the class. */
  readonly lastImports: readonly string[];
  /** The import of a kind's description. */
  readonly importOf: (kind: string) => string;
  /** The expression for a kind's description, after that import. */
  readonly descriptionOf: (kind: string) => string;
  /** The module that programs import. */
  readonly module: string;
  /** The code that registers a resource. */
  readonly register: string;
  /** The code of exported enumerations. */
  enumerations(): string[];
  /** The code that calls a function. */
  call(name: string, args: string): string;
  callOutput(name: string, args: string): string;
}

const entries = {
  dynamic: {
    imports: [
      'import * as functions from "../functions";',
      'import { dynamicResource } from "../program/dynamic";',
      'import { callFunction, callFunctionOutput } from "../program/functions";',
    ],
    lastImports: ['import { refuseSameObject } from "../program/same-objects";'],
    // As a namespace, because the kind's module also exports look-ups with the names of the generated functions.
    importOf: (kind) => `import * as ${variableOf(kind)} from "../resources/${fileOf(kind)}";`,
    descriptionOf: (kind) => `${variableOf(kind)}.${variableOf(kind)}`,
    module: "pulumi-agentpool-acl",
    register: "dynamicResource, refuseSameObject",
    enumerations: () => [],
    call: (name, args) => `callFunction(${moduleOf(name)}.${name}, ${args}, options)`,
    callOutput: (name, args) => `callFunctionOutput(${moduleOf(name)}.${name}, ${args}, options)`,
  },
  plugin: {
    imports: ['import { invokePlugin, invokePluginOutput, pluginResource } from "../program/plugin";'],
    lastImports: [],
    importOf: importOfDescription,
    descriptionOf: variableOf,
    module: pluginModule,
    register: "pluginResource",
    enumerations: () => resources.flatMap(({ kind, inputs }) => enumerationsOf(kind, inputs)),
    call: (name, args) => `invokePlugin("${name}", ${copyOf(args)}, options)`,
    callOutput: (name, args) => `invokePluginOutput("${name}", ${copyOf(args)}, options)`,
  },
} satisfies Record<string, Entry>;

/** Writes the classes and functions that programs import, for dynamic resources or for the plugin. */
export function entryOf(name: keyof typeof entries): string {
  const entry = entries[name];
  const head = [
    "// Generated from the descriptions in resources/, functions/ and access-functions/ by `npm run generate`. Edit those.",
    'import type * as pulumi from "@pulumi/pulumi";',
    ...entry.imports,
    'import { resourceClass } from "../program/resource-class";',
    ...entry.lastImports,
    ...imports(entry.importOf),
    'import type * as f from "./functions";',
    'import type * as r from "./resources";',
    "",
    'export * from "./functions";',
    'export * from "./resources";',
  ].join("\n");
  const classes = resources.map((resource) => classOf(resource, entry));
  return `${[head, ...entry.enumerations(), ...classes, ...functions.flatMap((one) => functionOf(one, entry))].join("\n\n")}\n`;
}

/** The enumerations of inputs, with the names that `pulumi import` writes. */
function enumerationsOf(owner: string, fields: Fields): string[] {
  return [...fields].flatMap(([property, { shape, schema }]) => {
    const name = owner + capitalized(property);
    if (shape.kind === "object") return enumerationsOf(name, shape.properties);
    if (!(schema instanceof z.ZodEnum)) return [];
    const words = schema.options.map((value) => `${enumName(String(value))}: ${JSON.stringify(value)}`);
    return [`export const ${name} = { ${words.join(", ")} } as const;`];
  });
}

/** Writes the handlers that the texts of dynamic resources in states refer to: an export for each kind. */
export function handlers(): string {
  const exported = resources.map(({ kind }) => `export const ${kind}: pulumi.dynamic.ResourceProvider = adapter(${variableOf(kind)});`);
  return `${[
    "// Generated from the descriptions in resources/ by `npm run generate`. Edit those.",
    'import type * as pulumi from "@pulumi/pulumi";',
    'import { adapter } from "../adapters/dynamic-process";',
    ...imports(importOfDescription),
    "",
    ...exported,
  ].join("\n")}\n`;
}

/** The imports of the descriptions, in the formatter's order. */
function imports(importOf: (kind: string) => string): string[] {
  return resources.map(({ kind }) => importOf(kind)).sort();
}

function importOfDescription(kind: string): string {
  return `import { ${variableOf(kind)} } from "../resources/${fileOf(kind)}";`;
}

/** The module that has the description of a function: its kind's, or that of all others. */
function moduleOf(name: string): string {
  const owner = resources.find(({ lookUps }) => lookUps.some((one) => one.name === name));
  return owner ? variableOf(owner.kind) : "functions";
}

function classOf({ kind, description }: Resource, { register, module, descriptionOf }: Entry): string {
  return `${docOf(kind, description, module)}
export const ${kind}: r.${kind}Class = resourceClass(${descriptionOf(kind)}, ${register});
export type ${kind} = r.${kind};`;
}

function functionOf({ name, description, inputs }: ProviderFunction, { module, call, callOutput }: Entry): string[] {
  const base = capitalized(name);
  const ofType = (suffix: string) => {
    if (inputs.size === 0) return "";
    return [...inputs.values()].every(mayBeLeftOut) ? `args: f.${base}${suffix} = {}, ` : `args: f.${base}${suffix}, `;
  };
  const args = inputs.size === 0 ? "{}" : "args";
  return [
    `${docOf(name, description, module)}
export function ${name}(${ofType("Args")}options?: pulumi.InvokeOptions): Promise<f.${base}Result> {
  return ${call(name, args)};
}`,
    `/** ${name}, ${inputs.size === 0 ? "as an output" : "with arguments that may be outputs"}. */
export function ${name}Output(${ofType("OutputArgs")}options?: pulumi.InvokeOutputOptions): pulumi.Output<f.${base}Result> {
  return ${callOutput(name, args)};
}`,
  ];
}

/** Arguments have an interface type; a copy of them is a record of properties. */
function copyOf(args: string): string {
  return args === "{}" ? args : `{ ...${args} }`;
}

/** The first paragraph of a resource's or function's description, and its example. @param module the module that the example imports */
export function docOf(name: string, description: string, module = "pulumi-agentpool-acl"): string {
  const [summary = ""] = description.split("\n");
  const example = exampleOf(name)?.texts.get("typescript")?.replace(pluginModule, module);
  if (example === undefined) return `/** ${summary} */`;
  const lines = example.split("\n").map((line) => ` * ${line}`.trimEnd());
  return ["/**", ` * ${summary}`, " *", " * @example", ...lines, " */"].join("\n");
}

/** The variable of a kind's description: "AclRole" becomes aclRole. */
function variableOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}

/** The file of a kind: "AclRole" is in acl-role. */
function fileOf(kind: string): string {
  return variableOf(kind).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
