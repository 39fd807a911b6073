import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { CommandError } from "../command-line";

/**
 * Writes the files of a project, by their paths, into a folder.
 *
 * @returns other source files of the same language in the folder. The project does not use them, but a compiler may include them.
 * @throws CommandError if the folder is not empty, unless forced, and if a file is a link, which may lead elsewhere
 */
export function writeProject(folder: string, files: Readonly<Record<string, string>>, isForced: boolean): string[] {
  if (!isForced && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CommandError(`${folder} is not empty, and nothing was written. Give another folder, or --force to write over its files.`);
  }
  const names = Object.keys(files);
  for (const name of [...names.map((name) => dirname(name)), ...names].filter((name) => name !== ".")) {
    const path = join(folder, name);
    const entry = lstatSync(path, { throwIfNoEntry: false });
    const isFile = names.includes(name);
    if (!entry || (isFile ? entry.isFile() : entry.isDirectory())) continue;
    const what = isFile ? "file" : "folder";
    throw new CommandError(`${path} is not a regular ${what}, and nothing was written. Remove it, or give another folder.`);
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return othersIn(folder, names);
}

function othersIn(folder: string, names: readonly string[]): string[] {
  const language = names.map((name) => extname(name)).find((extension) => [".ts", ".py", ".go"].includes(extension));
  const present = [".", "methods"].flatMap((name) => entriesOf(join(folder, name)).map((file) => join(name, file)));
  const written = names.map((name) => join(name));
  return present.filter((name) => extname(name) === language && !written.includes(name)).sort();
}

/** The entries of a folder; none for a missing or unreadable one, from which no compiler takes a source. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
