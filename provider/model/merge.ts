import { own } from "../../common/own";
import type { Path } from "./check";
import { sameMeaning } from "./diff";
import type { Field } from "./fields";
import type { Ignored } from "./ignored";
import type { Remote } from "./remote";
import { isRecord } from "./unknown";

type Values = Readonly<Record<string, unknown>>;

/** The object that an update has just read. */
export interface Current<Outputs> extends Remote<Outputs> {
  /** Whether this copy may be older than the state: then the program's values are sent for everything that is not ignored. */
  readonly isOfUnknownAge?: boolean;
}

/** The object in the response to an update. */
export interface Updated<Outputs> extends Remote<Outputs> {
  /** The inputs that were left out of the request, and so did not change. */
  readonly unsent?: readonly string[];
}

/** The values that an update writes, and the object that it overwrites. */
export interface Writing<Inputs, State, There> {
  readonly known: State;
  /** The program's values where it changes them, and the server's for the rest. */
  readonly sent: Inputs;
  readonly current: There;
  /** Whether the program ignores this path. */
  readonly ignores: (path: Path) => boolean;
}

/** The three versions of the inputs in an update. */
export interface Versions {
  /** As the state has them. */
  readonly olds: Values;
  /** As the program wants them. */
  readonly news: Values;
  /** As the server has them, by a read just before the write. */
  readonly server: Values;
}

/** One value of {@link Versions}. */
type VersionsOfValue = Readonly<Record<keyof Versions, unknown>>;

/**
 * The values that an update sends: the program's where it changes them, and the server's present ones for the rest, so that an update
 * undoes no change by others of something else. It decides per input, and within an object such as `config` per property; lists and maps
 * are taken as a whole.
 *
 * @param keepsRest false where the server's values may be older than the state: then only ignored ones of them are sent back
 */
export function merged(
  fields: ReadonlyMap<string, Field>,
  versions: Versions,
  ignored: Ignored,
  keepsRest = true,
): Record<string, unknown> {
  const merge = (field: Field, { olds: old, news: wanted, server: there }: VersionsOfValue, left: Ignored, isInput = false): unknown => {
    if (field.traits.local) return wanted;
    if (left.covers(field)) return there;
    const { shape } = field;
    const within = () => ({ olds: record(old), news: record(wanted), server: record(there) });
    if ((isInput || left.reachesBelow) && shape.kind === "object" && isRecord(wanted)) {
      return mergeParts(shape.properties, within(), left);
    }
    if (left.reachesBelow && shape.kind === "map" && isRecord(wanted)) {
      const keys = new Set([...Object.keys(wanted), ...Object.keys(record(there))]);
      return mergeParts(new Map([...keys].map((key) => [key, shape.values])), within(), left);
    }
    return keepsRest && sameMeaning(field, old, wanted) ? there : wanted;
  };
  const mergeParts = (parts: ReadonlyMap<string, Field>, versions: Versions, left: Ignored, areInputs = false) =>
    withoutUndefined(
      [...parts].map(([name, field]) => {
        const values = { olds: own(versions.olds, name), news: own(versions.news, name), server: own(versions.server, name) };
        return [name, merge(field, values, left.at(name), areInputs)];
      }),
    );
  return mergeParts(fields, versions, ignored, true);
}

function record(value: unknown): Values {
  return isRecord(value) ? value : {};
}

function withoutUndefined(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
