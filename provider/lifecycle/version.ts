/** The version of an object: whether two copies are of one object, and of one state of it. */
import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import type { Properties } from "../model/remote";
import { relationOf } from "../model/servers";
import type { Version } from "./resource";

/** As a response or a state has it. Each may be missing: some kinds have no times, some servers no hash, and agent pools nothing. */
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
 * Whether the object that has the id of the state's, which is a name, is another one: others deleted it, and made this one. Without times
 * the index of its creation shows that, on the server of the state.
 *
 * @param server where the copy comes from
 */
export function isMadeAnew(copy: unknown, state: unknown, server: string): boolean {
  const [remote, known] = [versionIn(copy), versionIn(state)];
  if (known.createTime !== undefined) return known.createTime !== remote.createTime;
  if (remote.createTime !== undefined || known.createIndex === undefined || known.server === undefined) return false;
  return relationOf(known.server, server) === "same" && known.createIndex !== remote.createIndex;
}

/** When an object was made, for a message: its time, or without one the index of its creation. */
export function madeAt(outputs: Properties): string {
  return `at ${String(ownProperty(outputs, "createTime") ?? `index ${String(ownProperty(outputs, "createIndex"))}`)}`;
}

/**
 * Whether an item of a list is as the state has it, so the object need not be read. A hash may come back with an old content: only with the
 * indexes, and from the server of the state, does it show that nothing has changed.
 */
export function isUnchanged(item: unknown, state: unknown, server: string): boolean {
  const [listed, known] = [versionIn(item), versionIn(state)];
  if (!known.hash || known.server === undefined || relationOf(known.server, server) !== "same") return false;
  return (["createIndex", "modifyIndex", "hash"] as const).every((name) => listed[name] === known[name]);
}
