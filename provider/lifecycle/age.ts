/** Which of two copies of an object is older: a region that is read from may lag behind the one that takes the writes. */
import * as z from "zod";
import { own } from "../../common/own";
import type { Properties, Remote } from "../model/remote";
import { relationOf } from "../model/servers";
import { isRecord } from "../model/unknown";

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

type Version = z.output<typeof version>;
type KnownVersion = z.output<typeof knownVersion>;

/**
 * Whether a copy is older than the state's.
 *
 * @param server where the copy comes from
 */
export function isOlderCopy(copy: unknown, known: unknown, server: string): boolean {
  const [seen, state] = [version.parse(copy), knownVersion.parse(known ?? {})];
  return seen.modifyTime === undefined ? isOlderByIndex(seen, state, server) : isOlderByTime(seen, state, server);
}

/**
 * The time is that of the leader's clock, which may be set back: where the indexes come from one region, which is certain only for the same
 * CreateIndex, a higher one is newer whatever the time says. Another object of the same name is compared only on the server of the state.
 */
function isOlderByTime(copy: Version, known: KnownVersion, server: string): boolean {
  if (isMadeAnew(copy, known) && (!known.server || relationOf(known.server, server) === "other server")) return false;
  if (copy.createIndex === known.createIndex && isBefore(known.modifyIndex, copy.modifyIndex)) return false;
  return isBefore(toTime(copy.modifyTime), toTime(known.modifyTime));
}

/**
 * Indexes are compared only where they come from one region: there, and only there, both copies have the same CreateIndex. After a write,
 * those of the state come from the region that takes the writes, so it keeps what the other region showed before.
 */
function isOlderByIndex(copy: Version, known: KnownVersion, server: string): boolean {
  if (copy.createIndex === known.createIndex && isBefore(copy.modifyIndex, known.modifyIndex)) return true;
  const { wroteOver: before } = known;
  if (before === undefined || before.createIndex !== copy.createIndex) return false;
  const isOfSameRegion = known.server !== undefined && relationOf(known.server, server) === "same";
  return isOfSameRegion && !isBefore(before.modifyIndex, copy.modifyIndex);
}

/** Whether the object that has the id of the state's, which is a name, is another one: others deleted it, and made this one. */
export function isMadeAnew(copy: unknown, known: unknown): boolean {
  const { createTime } = knownVersion.parse(known ?? {});
  return createTime !== undefined && createTime !== version.parse(copy).createTime;
}

/** Whether nobody can see if a copy without times is older than the state's: its indexes are another region's. */
export function isOfUnknownAge(copy: unknown, known: unknown): boolean {
  const { createIndex, modifyTime } = version.parse(copy);
  return modifyTime === undefined && createIndex !== knownVersion.parse(known ?? {}).createIndex;
}

/** The version of an object in a list. */
export function versionOf(item: unknown): { readonly createIndex: number; readonly modifyIndex: number; readonly hash?: string } {
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
 * The result of a read, without reading, when a list shows that the object is as the state has it. The indexes of two regions may be the
 * same by chance, and a hash may come back with an old content: only together, and from the server of the state, do they show that nothing
 * has changed.
 *
 * @returns undefined when that is not proved, so the object must be read
 */
export async function readUnchanged<O>(
  id: string,
  server: string,
  state: { readonly inputs: z.ZodType<Properties>; readonly outputs: z.ZodType<O>; readonly known: Properties | undefined },
  look: () => Promise<unknown>,
): Promise<Remote<O> | undefined> {
  // A state of another version of this provider may lack values.
  const outputs = state.outputs.safeParse(state.known);
  if (!state.known || !outputs.success || !isRecord(outputs.data) || !state.inputs.safeParse(state.known).success) return undefined;
  const { data } = outputs;
  const known = knownVersion.parse(data);
  if (!known.hash || known.server === undefined || relationOf(known.server, server) !== "same") return undefined;
  const listed = await look();
  const isSame = (["createIndex", "modifyIndex", "hash"] as const).every(
    (field) => isRecord(listed) && own(listed, field) === known[field],
  );
  return isSame ? { id, inputs: state.known, outputs: outputs.data } : undefined;
}

function isBefore(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

function toTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
