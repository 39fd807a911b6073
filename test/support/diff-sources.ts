/** Sources that `diff` compares: resources of a state, objects of an export, and steps of a preview. */
import { pluginToken } from "../../provider/configuration/tokens";
import { between, diff, file } from "./diff";

export type Objects = Readonly<Record<string, readonly object[]>>;
export type Options = Readonly<Record<string, unknown>>;

/** A resource of a state. Its outputs are its inputs, and its ID is its name, unless `more` has others. */
export function stored(kind: string, name: string, inputs: object, { id = name, ...more }: Options = {}) {
  const type = pluginToken(kind);
  return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, custom: true, id, inputs, outputs: inputs, ...more };
}

export type Stored = ReturnType<typeof stored>;

export function policy(name: string, rules: string | undefined, more: Options = {}): Stored {
  return stored("AclPolicy", name, { name, rules }, more);
}

/** The step of a preview that leaves a resource unchanged. */
export function unchanged(one: Stored): object {
  return { op: "same", urn: one.urn, oldState: one, newState: { ...one, outputs: undefined } };
}

export function stateOf(name: string, ...resources: object[]): string {
  return file(name, { deployment: { resources } });
}

export function exportOf(name: string, objects: Objects, more: Options = {}): string {
  return file(name, { format: 1, objects, ...more });
}

/** The lines of a report on two states. */
export async function states(before: readonly object[], after: readonly object[]): Promise<string[]> {
  return (await between(stateOf("before.json", ...before), stateOf("after.json", ...after))).lines;
}

/** The lines of a report on two exports. */
export async function exports(before: Objects, after: Objects): Promise<string[]> {
  return (await between(exportOf("before.json", before), exportOf("after.json", after))).lines;
}

/** The lines of a report on a preview. */
export async function previewed(...steps: object[]): Promise<string[]> {
  return (await diff("--preview", file("preview.json", { steps }))).out.split("\n").slice(0, -1);
}
