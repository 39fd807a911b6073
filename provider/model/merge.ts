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

/**
 * What an update sends: what the program changes, and for the rest what the server has now, so that nothing of others' is taken back by an update of
 * something else. One input is the unit, and within an object such as `config` one of its properties; lists and maps are whole.
 *
 * @param keepsRest false where the server's values may be older than the state: of them only what is ignored is sent back then
 */
export function merged(
  fields: ReadonlyMap<string, Field>,
  { olds, news, server }: Versions,
  ignored: Ignored,
  keepsRest = true,
): Record<string, unknown> {
  const merge = (field: Field, old: unknown, wanted: unknown, there: unknown, left: Ignored, isInput: boolean): unknown => {
    if (field.traits.local) return wanted;
    if (left.covers(field)) return there;
    const { shape } = field;
    if ((isInput || left.reachesBelow) && shape.kind === "object" && isRecord(wanted)) {
      const child = ([name, property]: [string, Field]) => [name, property, left.at(name)] as const;
      return mergeParts([...shape.properties].map(child), record(old), wanted, record(there));
    }
    if (left.reachesBelow && shape.kind === "map" && isRecord(wanted)) {
      const keys = new Set([...Object.keys(wanted), ...Object.keys(record(there))]);
      const parts = [...keys].map((key) => [key, shape.values, left.at(key)] as const);
      return mergeParts(parts, record(old), wanted, record(there));
    }
    return keepsRest && sameMeaning(field, old, wanted) ? there : wanted;
  };
  const mergeParts = (parts: readonly (readonly [string, Field, Ignored])[], old: Values, wanted: Values, there: Values) =>
    withoutUndefined(
      parts.map(([name, field, left]) => [name, merge(field, own(old, name), own(wanted, name), own(there, name), left, false)]),
    );
  return withoutUndefined(
    [...fields].map(([name, field]) => [name, merge(field, own(olds, name), own(news, name), own(server, name), ignored.at(name), true)]),
  );
}

function record(value: unknown): Values {
  return isRecord(value) ? value : {};
}

function withoutUndefined(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
