import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of the program in the first of the folders that has it. */
export function findExecutable(name: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** The folders of a PATH. */
export function foldersOf(path = ""): string[] {
  return path.split(delimiter);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
