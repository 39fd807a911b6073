import { ownProperty } from "../../common/own-property";
import { formatPath } from "./check";
import { type Change, changesOf, meaning, sameMeaning } from "./diff";
import type { Fields } from "./fields";
import type { Properties } from "./remote";

/** The changes for the API: without those of inputs that only this provider reads. */
export function sentChanges(properties: Fields, olds: Properties, news: Properties): Change[] {
  return changesOf(properties, olds, news).filter((change) => isSent(properties, change));
}

/**
 * The paths of the inputs whose values on the server differ in meaning from those of the program, without inputs that only this provider
 * reads.
 */
export function differences(properties: Fields, news: Properties, remote: Properties): string[] {
  return [...new Set(sentChanges(properties, news, remote).map(({ path }) => formatPath(path)))];
}

/** Whether the inputs for the server have the same meaning in both. */
export function sameInputs(properties: Fields, a: Properties, b: Properties): boolean {
  return [...properties].every(([name, field]) => field.traits.local || sameMeaning(field, ownProperty(a, name), ownProperty(b, name)));
}

/** One text for all spellings of the same inputs. */
export function contentOf(properties: Fields, values: Properties): string {
  return JSON.stringify([...properties].map(([name, field]) => meaning(field, ownProperty(values, name)) ?? null));
}

/** Whether the API knows the property of a change. */
export function isSent(properties: Fields, change: Change): boolean {
  return !properties.get(topLevel(change))?.traits.local;
}

export function topLevel(change: Change): string {
  return String(change.path[0]);
}
