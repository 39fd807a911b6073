import type { Path } from "./check";
import { own, sameMeaning } from "./diff";
import type { Field } from "./fields";
import type { Ignored } from "./ignored";
import type { Remote } from "./remote";
import { isRecord } from "./unknown";

type Values = Readonly<Record<string, unknown>>;

/** The object as an update finds it, by a read of its own. */
export interface Current<Outputs> extends Remote<Outputs> {
  /** Whether nobody can tell if this copy is older than the state: of what is not ignored, the program's values are sent then. */
  readonly isOfUnknownAge?: boolean;
}

/** An object as the response to an update shows it. */
export interface Updated<Outputs> extends Remote<Outputs> {
  /** The inputs that were left out of the request, so that they stayed what they were. */
  readonly unsent?: readonly string[];
}

/** What an update writes, and over what. */
export interface Writing<Inputs, State, There> {
  readonly known: State;
  /** What the program changes, and for the rest what the server has. */
  readonly sent: Inputs;
  readonly current: There;
  /** Whether the program leaves what stands at this path to others. */
  readonly ignores: (path: Path) => boolean;
}

/** The inputs that an update has to do with. */
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
 * What an update sends: what the program changes, and for the rest what the server has now, so that nothing of others' is taken back by an update of
 * something else. One input is the unit, and within an object such as `config` one of its properties; lists and maps are whole.
 *
 * @param keepsRest false where the server's values may be older than the state: of them only what is ignored is sent back then
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
