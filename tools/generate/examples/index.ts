import { pluginToken } from "../../../provider/context/tokens";
import { functions } from "../../../provider/functions";
import { resources } from "../../../provider/resources";
import { csharpNamespace, goModule } from "../languages";
import { csharp } from "./csharp";
import { go } from "./go";
import { type Catalog, isDeclaration, type Program, type Writer } from "./program";
import { programs } from "./programs";
import { python } from "./python";
import { typescript } from "./typescript";
import { yaml } from "./yaml";

export { programs } from "./programs";

/** The languages of the examples, by the names that Markdown and Pulumi's registry give them. */
export const languages: Readonly<Record<string, Writer>> = {
  typescript,
  python,
  go: go(goModule),
  csharp: csharp(csharpNamespace),
  yaml,
};

const catalog: Catalog = {
  inputsOf: (step) => {
    const found = isDeclaration(step) ? resources.find(({ kind }) => kind === step.kind) : functions.find(({ name }) => name === step.call);
    if (!found) throw new Error(`an example names the unknown ${isDeclaration(step) ? step.kind : step.call}`);
    return found.inputs;
  },
  isKind: (name) => resources.some(({ kind }) => kind === name),
};

/** A program in a language. @throws for an unknown language */
export function programIn(language: string, program: Program): string {
  const write = languages[language];
  if (!write) throw new Error(`no examples are written in ${language}`);
  return write(program, catalog);
}

/** The example of a resource or function in every language; undefined where it has none. */
export function exampleOf(name: string): { readonly title: string; readonly texts: ReadonlyMap<string, string> } | undefined {
  const program = programs[name];
  if (!program) return undefined;
  return { title: program.title, texts: new Map(Object.keys(languages).map((language) => [language, programIn(language, program)])) };
}

/** The examples in the form that Pulumi's registry and its generators of SDKs read; "" where there is none. */
export function exampleSection(name: string): string {
  const example = exampleOf(name);
  if (!example) return "";
  const blocks = [...example.texts].map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``);
  return `\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n### ${example.title}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`;
}

/** A resource's description, its examples, and how it is imported, in the same form. */
export function withExamples(kind: string, description: string): string {
  const [text = "", forms] = description.split("\n\n**Import** takes ");
  if (forms === undefined) return `${description}${exampleSection(kind)}`;
  return `${text}${exampleSection(kind)}\n\n## Import\n\n\`pulumi import\` takes ${forms}${importCommands(kind)}`;
}

/** A command for each form of the ID that an import takes; "" where the example names none. */
function importCommands(kind: string): string {
  const { ids = [], steps = [] } = programs[kind] ?? {};
  const variable = steps.at(-1)?.variable;
  if (ids.length === 0) return "";
  const commands = ids.map((id) => `pulumi import ${pluginToken(kind)} ${variable} ${quoted(id)}`);
  const note = ids.some((id) => quoted(id) !== id) ? " Quote what holds spaces or other characters of the shell." : "";
  return `${note}\n\n\`\`\`sh\n${commands.join("\n")}\n\`\`\``;
}

/** A word of a shell's command. */
function quoted(text: string): string {
  return /^[\w/.-]+$/.test(text) ? text : `'${text}'`;
}
