import { shellText } from "../../../cli/import/text";
import { pluginToken } from "../../../provider/configuration/tokens";
import { csharp } from "./csharp";
import type { Writer } from "./example";
import { go } from "./go";
import { programs } from "./programs";
import { python } from "./python";
import { typescript } from "./typescript";
import { yaml } from "./yaml";

export { programs } from "./programs";

/** The languages of the examples, by their names in Markdown and Pulumi's registry. */
export const languages: Readonly<Record<string, Writer>> = { typescript, python, go, csharp, yaml };

/** The example of a resource or function in every language; undefined for none. */
export function exampleOf(name: string): { readonly title: string; readonly texts: ReadonlyMap<string, string> } | undefined {
  const example = programs[name];
  if (!example) return undefined;
  return { title: example.title, texts: new Map(Object.entries(languages).map(([language, write]) => [language, write(example)])) };
}

/** The examples in the form of Pulumi's registry and SDK generators; "" for none. */
export function exampleSection(name: string): string {
  const example = exampleOf(name);
  if (!example) return "";
  const blocks = [...example.texts].map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``);
  return `\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n### ${example.title}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`;
}

/** A resource's description, its examples, and its import commands, in the same form. */
export function withExamples(kind: string, description: string): string {
  const [text = "", forms] = description.split("\n\n**Import** takes ");
  if (forms === undefined) return `${description}${exampleSection(kind)}`;
  return `${text}${exampleSection(kind)}\n\n## Import\n\n\`pulumi import\` takes ${forms}${importCommands(kind)}`;
}

/** A command for each form of an import's ID; "" if the example has none. */
function importCommands(kind: string): string {
  const { ids = [], variable } = programs[kind] ?? {};
  if (ids.length === 0) return "";
  const commands = ids.map((id) => `pulumi import ${pluginToken(kind)} ${variable} ${shellText(id)}`);
  const note = ids.some((id) => shellText(id) !== id) ? " Quote what holds spaces or other characters of the shell." : "";
  return `${note}\n\n\`\`\`sh\n${commands.join("\n")}\n\`\`\``;
}
