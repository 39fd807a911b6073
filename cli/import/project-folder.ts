import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, extname, join } from "node:path";
import { CommandError } from "../command-line";

/**
 * Writes the files of a project, by their paths, into a folder: all of them or, if one can't be written, none.
 *
 * @returns the other source files of the same language there. Nothing of the project uses them, but a compiler may take them.
 * @throws CommandError when the folder has files already, unless forced; and if one of the files is a link, which may lead elsewhere
 */
export function writeProject(folder: string, files: Readonly<Record<string, string>>, isForced: boolean): string[] {
  if (!isForced && existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CommandError(`${folder} is not empty, and nothing was written. Give another folder, or --force to write over its files.`);
  }
  const names = Object.keys(files);
  const within = new Set(names.map((name) => dirname(name)).filter((name) => name !== "."));
  for (const path of [...within].map((name) => join(folder, name))) {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry && !entry.isDirectory()) throw notOwnError(path, "folder");
  }
  for (const path of names.map((name) => join(folder, name))) {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry && !entry.isFile()) throw notOwnError(path, "file");
  }
  const made = mkdirSync(folder, { recursive: true });
  try {
    putFiles(folder, files);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true });
    throw error;
  }
  return othersIn(folder, names);
}

/**
 * Writes all files beside their places first: a full disk, or a file that this user may not write, is noticed before any of the folder has
 * changed.
 */
function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const all = Object.entries(files).map(([name, text]) => ({
    text,
    target: join(folder, name),
    draft: join(folder, `${name}.${randomUUID()}`),
  }));
  const folders: string[] = [];
  try {
    for (const { text, target, draft } of all) {
      about(target, () => {
        const made = mkdirSync(dirname(target), { recursive: true });
        if (made !== undefined) folders.push(made);
        writeFileSync(draft, text);
        if (!existsSync(target)) return;
        closeSync(openSync(target, "r+"));
        chmodSync(draft, statSync(target).mode & 0o7777);
      });
    }
  } catch (error) {
    for (const path of [...all.map(({ draft }) => draft), ...folders]) rmSync(path, { recursive: true, force: true });
    throw error;
  }
  try {
    for (const { target, draft } of all) about(target, () => renameSync(draft, target));
  } finally {
    for (const { draft } of all) rmSync(draft, { force: true });
  }
}

/** Takes a step towards a file. An error names that file, and not the place where it is meanwhile. */
function about<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (typeof error === "object" && error !== null) Object.assign(error, { path });
    throw error;
  }
}

const sources = new Set([".ts", ".py", ".go"]);

function othersIn(folder: string, names: readonly string[]): string[] {
  const languages = new Set(names.map((name) => extname(name)).filter((extension) => sources.has(extension)));
  const present = [".", "methods"].flatMap((name) => entriesOf(join(folder, name)).map((file) => join(name, file)));
  const written = new Set(names.map((name) => join(name)));
  return present.filter((name) => languages.has(extname(name)) && !written.has(name)).sort();
}

/** None if there is no folder, or one that this user can't list: no compiler takes a source from there. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function notOwnError(path: string, what: string): CommandError {
  return new CommandError(`${path} is no ${what} of its own, and nothing was written. Remove it, or give another folder.`);
}
