/** Versions of objects: whether two copies belong to the same object, and whether it has changed between them. */
import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import type { Properties } from "../model/remote";
import { relationOf } from "../model/servers";
import type { Version } from "./resource";

/**
 * The parts of a version in a response or a state. Any may be missing: some kinds have no times, some servers no hashes, and agent pools
 * neither.
 */
const version = z.object({
  createIndex: z.number().optional(),
  modifyIndex: z.number().optional(),
  createTime: z.string().optional(),
  hash: z.string().optional(),
  server: z.string().optional(),
});

export function versionIn(object: unknown): z.output<typeof version> {
  return version.parse(object ?? {});
}

/** The version of an object in a list. */
export function versionOf(item: unknown): Version {
  const { createIndex = 0, modifyIndex = 0, hash } = versionIn(item);
  return { createIndex, modifyIndex, ...(hash ? { hash } : {}) };
}

/**
 * Whether an object with the state's id, which is a name, is another object: others deleted the old one, and created this one. Without
 * times, the index of its creation shows that on the server of the state.
 *
 * @param server the server of the copy
 */
export function isMadeAnew(copy: unknown, state: unknown, server: string): boolean {
  const [remote, known] = [versionIn(copy), versionIn(state)];
  if (known.createTime !== undefined) return known.createTime !== remote.createTime;
  if (remote.createTime !== undefined || known.createIndex === undefined || known.server === undefined) return false;
  return relationOf(known.server, server) === "same" && known.createIndex !== remote.createIndex;
}

/** The creation of an object, for a message: its time or, without one, its index. */
export function madeAt(outputs: Properties): string {
  return `at ${String(ownProperty(outputs, "createTime") ?? `index ${String(ownProperty(outputs, "createIndex"))}`)}`;
}

/**
 * Whether an item of a list equals the state, so the object need not be read. A hash alone proves nothing, because old content has its old
 * hash again. Hash and indexes together prove that nothing has changed, on the server of the state.
 */
export function isUnchanged(item: unknown, state: unknown, server: string): boolean {
  const [listed, known] = [versionIn(item), versionIn(state)];
  if (!known.hash || known.server === undefined || relationOf(known.server, server) !== "same") return false;
  return (["createIndex", "modifyIndex", "hash"] as const).every((name) => listed[name] === known[name]);
}
