import fc from "fast-check";
import type { Identity } from "../../access/claims";

/** Random selectors that join these parts by `and`, `or` and `not`. */
export function selectorsOver(parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ selector: string }>((tie) => ({
    selector: fc.oneof(
      { maxDepth: 2 },
      parts,
      fc.tuple(tie("selector"), fc.constantFrom("and", "or"), tie("selector")).map(([a, how, b]) => `(${a}) ${how} (${b})`),
      tie("selector").map((inner) => `not (${inner})`),
    ),
  })).selector;
}

/** Random logins with some of these values, and with or without `list.groups`. */
export function identitiesWith(names: readonly string[], texts: readonly string[], groups: readonly string[]): fc.Arbitrary<Identity> {
  const values = fc.tuple(...names.map((name) => fc.option(fc.constantFrom(...texts)).map((text) => [name, text] as const)));
  return fc.record({ values, groups: fc.option(fc.array(fc.constantFrom(...groups), { maxLength: 3 })) }).map((login) => ({
    value: new Map(login.values.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]))),
    list: new Map(login.groups === null ? [] : [["groups", login.groups]]),
  }));
}
