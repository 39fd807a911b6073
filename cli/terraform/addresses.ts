import type { TerraformResource } from "./state";

/** A module in an address, with its key: `module.teams["ops"]`, `module.regions[0]`. */
const step = /module\.([^.[\]]+)(?:\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\])?/g;

/** The names in an address, in its order: those of the modules with their keys, then that of the resource with its own. */
export function nameParts({ module = "", name, index }: Pick<TerraformResource, "module" | "name" | "index">): string[] {
  const modules = [...module.matchAll(step)].flatMap(([, ofModule = "", number, key = ""]) => [ofModule, number ?? key]);
  return [...modules, name, index?.toString() ?? ""].filter((part) => part !== "");
}

/** A text as one argument of a shell. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
