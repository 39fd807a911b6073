import { defined, ownProperty } from "../../common/own-property";
import { isRecord, recordOf } from "../../common/unknown";
import { sameMeaning } from "./diff";
import type { Field, Fields } from "./fields";
import type { Ignored } from "./ignored";

type Values = Readonly<Record<string, unknown>>;

/** The three versions of the inputs in an update. */
export interface Versions {
  /** The inputs of the state. */
  readonly olds: Values;
  /** The inputs of the program. */
  readonly news: Values;
  /** The server's values, read just before the write. */
  readonly remote: Values;
}

/** One value of {@link Versions}. */
type VersionsOfValue = Readonly<Record<keyof Versions, unknown>>;

/**
 * The values that an update sends: the program's values where it changes them, and the server's current values otherwise, so an update does
 * not undo unrelated changes by others. Inputs are merged one by one, and so are the properties of an input such as `config`. Lists,
 * maps and objects within such an input are taken as a whole, except for a map or an object with ignored parts.
 */
export function merged(fields: Fields, versions: Versions, ignored: Ignored): Record<string, unknown> {
  const merge = (field: Field, { olds: old, news, remote }: VersionsOfValue, left: Ignored, isInput = false): unknown => {
    if (field.traits.local) return news;
    if (left.isWhole) return remote;
    const { shape } = field;
    const within = () => ({ olds: recordOf(old), news: recordOf(news), remote: recordOf(remote) });
    if ((isInput || left.reachesBelow) && shape.kind === "object" && isRecord(news)) {
      return mergeParts(shape.properties, within(), left);
    }
    if (left.reachesBelow && shape.kind === "map" && isRecord(news)) {
      const keys = new Set([...Object.keys(news), ...Object.keys(recordOf(remote))]);
      return mergeParts(new Map([...keys].map((key) => [key, shape.values])), within(), left);
    }
    return sameMeaning(field, old, news) ? remote : news;
  };
  const mergeParts = (parts: Fields, versions: Versions, left: Ignored, areInputs = false) =>
    defined(
      Object.fromEntries(
        [...parts].map(([name, field]) => {
          const values = {
            olds: ownProperty(versions.olds, name),
            news: ownProperty(versions.news, name),
            remote: ownProperty(versions.remote, name),
          };
          return [name, merge(field, values, left.at(name), areInputs)];
        }),
      ),
    );
  return mergeParts(fields, versions, ignored, true);
}
