/** Which of two copies of an object is older: a region that is read from may lag behind the authoritative one. */
import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import type { Properties, Remote } from "../model/remote";
import { relationOf } from "../model/servers";
import { isRecord } from "../model/unknown";
import type { Version } from "./resource";

/** The version of an object, as a response or a state has it. Each may be missing: some kinds have no times, and some servers no hash. */
const version = z.object({
  createIndex: z.number().optional(),
  modifyIndex: z.number().optional(),
  createTime: z.string().optional(),
  modifyTime: z.string().optional(),
  hash: z.string().optional(),
});

const wroteOver = z.object({ createIndex: z.number(), modifyIndex: z.number() });
const knownVersion = version.extend({ server: z.string().optional(), wroteOver: wroteOver.optional() });

type AnyVersion = z.output<typeof version>;
type KnownVersion = z.output<typeof knownVersion>;

/**
 * Whether a copy is older than the state's.
 *
 * @param server where the copy comes from
 */
export function isOlderThanKnown(copy: unknown, state: unknown, server: string): boolean {
  const [remote, known] = [version.parse(copy), knownVersion.parse(state ?? {})];
  return remote.modifyTime === undefined ? isOlderByIndex(remote, known, server) : isOlderByTime(remote, known, server);
}

/**
 * The time is that of the leader's clock, which may be set back: if the indexes come from one region, which is certain only for the same
 * CreateIndex, a higher one is newer whatever the time says. Another object of the same name is compared only on the server of the state.
 */
function isOlderByTime(remote: AnyVersion, known: KnownVersion, server: string): boolean {
  if (isMadeAnew(remote, known, server) && (!known.server || relationOf(known.server, server) === "other server")) return false;
  if (remote.createIndex === known.createIndex && isBefore(known.modifyIndex, remote.modifyIndex)) return false;
  return isBefore(toTime(remote.modifyTime), toTime(known.modifyTime));
}

/**
 * Indexes are compared only if they come from one region: only then both copies have the same CreateIndex. After a write,
 * those of the state come from the authoritative region, so it keeps what the other region showed before.
 */
function isOlderByIndex(remote: AnyVersion, known: KnownVersion, server: string): boolean {
  if (remote.createIndex === known.createIndex && isBefore(remote.modifyIndex, known.modifyIndex)) return true;
  const { wroteOver: before } = known;
  if (before === undefined || before.createIndex !== remote.createIndex) return false;
  const isOfSameRegion = known.server !== undefined && relationOf(known.server, server) === "same";
  return isOfSameRegion && !isBefore(before.modifyIndex, remote.modifyIndex);
}

/**
 * Whether the object that has the id of the state's, which is a name, is another one: others deleted it, and made this one. Without times
 * the index of its creation shows that, if both are of one region.
 *
 * @param server where the copy comes from
 */
export function isMadeAnew(copy: unknown, state: unknown, server: string): boolean {
  const [remote, known] = [version.parse(copy), knownVersion.parse(state ?? {})];
  if (known.createTime !== undefined) return known.createTime !== remote.createTime;
  if (remote.createTime !== undefined || known.createIndex === undefined || known.server === undefined) return false;
  return relationOf(known.server, server) === "same" && known.createIndex !== remote.createIndex;
}

/** When an object was made, for a message: its time, or without one the index of its creation. */
export function madeAt(outputs: Properties): string {
  return `at ${String(ownProperty(outputs, "createTime") ?? `index ${String(ownProperty(outputs, "createIndex"))}`)}`;
}

/** True if a copy has no times, and indexes of another region than the state's: then nothing shows which of both is older. */
export function isOfUnknownAge(remote: unknown, known: unknown): boolean {
  const { createIndex, modifyTime } = version.parse(remote);
  return modifyTime === undefined && createIndex !== knownVersion.parse(known ?? {}).createIndex;
}

/** The version of an object in a list. */
export function versionOf(item: unknown): Version {
  const { createIndex = 0, modifyIndex = 0, hash } = version.parse(item);
  return { createIndex, modifyIndex, ...(hash ? { hash } : {}) };
}

/**
 * What the state keeps of the version that a write replaced in the region that is read from. A write that changed nothing may keep the
 * indexes: then no copy is older.
 */
export function withWroteOver<O, R extends Remote<O>>(before: Remote<O>, after: R, isChanged: boolean, known?: unknown): R {
  const [old, written] = [version.parse(before.outputs), version.parse(after.outputs)];
  if (written.modifyTime !== undefined || written.createIndex === undefined) return after;
  const isOfOtherRegion = isChanged && old.createIndex !== written.createIndex;
  const kept = isOfOtherRegion ? wroteOver.parse(old) : knownVersion.parse(known ?? {}).wroteOver;
  return kept ? { ...after, outputs: { ...after.outputs, wroteOver: kept } } : after;
}

/**
 * Whether a list shows that the object is as the state has it, so it need not be read. The indexes of two regions may be the same by chance,
 * and a hash may come back with an old content: only together, and from the server of the state, do they show that nothing has changed.
 */
export async function isUnchanged(outputs: unknown, server: string, look: () => Promise<unknown>): Promise<boolean> {
  const known = knownVersion.parse(outputs);
  if (!known.hash || known.server === undefined || relationOf(known.server, server) !== "same") return false;
  const item = await look();
  return isRecord(item) && (["createIndex", "modifyIndex", "hash"] as const).every((name) => ownProperty(item, name) === known[name]);
}

function isBefore(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

function toTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
