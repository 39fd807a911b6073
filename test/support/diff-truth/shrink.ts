/** Reduces a change that shows a defect. */
import type { Change } from "./draw";
import { isSame, type Thing } from "./parts";

/**
 * A change that still shows the defect, and that no single step makes smaller. A step leaves out an object, a hidden part or a difference,
 * or gives a property a plain value.
 */
export async function smallest(change: Change, shows: (change: Change) => Promise<boolean>): Promise<Change> {
  for (const candidate of smaller(change)) {
    if (await shows(candidate)) return smallest(candidate, shows);
  }
  return change;
}

function* smaller(change: Change): Generator<Change> {
  const { before, after, hidden } = change;
  const urns = [...new Set([...before, ...after].map(({ urn }) => urn))];
  const without = (things: readonly Thing[], urn: string) => things.filter((one) => one.urn !== urn);
  for (const urn of urns)
    yield { ...change, before: without(before, urn), after: without(after, urn), hidden: hidden.filter((one) => one.urn !== urn) };
  for (const one of hidden) yield { ...change, hidden: hidden.filter((other) => other !== one) };
  for (const one of hidden)
    if (one.only !== undefined) yield { ...change, hidden: hidden.map((other) => (other === one ? { ...one, only: undefined } : other)) };
  for (const was of before) {
    const is = after.find(({ urn }) => urn === was.urn);
    if (!is || isSame(was, is)) continue;
    yield { ...change, after: after.map((one) => (one === is ? was : one)) };
    for (const name of Object.keys(was.properties)) {
      if (isSame(was.properties[name], is.properties[name])) continue;
      const reset = { ...is, properties: { ...is.properties, [name]: was.properties[name] } };
      yield { ...change, after: after.map((one) => (one === is ? reset : one)) };
    }
  }
  // Simplifies a property on both sides.
  for (const one of [...before, ...after]) {
    for (const [name, plain] of Object.entries(plainest)) {
      if (one.properties[name] === undefined || isSame(one.properties[name], plain)) continue;
      const simple = (things: readonly Thing[]) =>
        things.map((other) =>
          other.urn === one.urn && isSame(other.properties[name], one.properties[name])
            ? { ...other, properties: { ...other.properties, [name]: plain } }
            : other,
        );
      yield { ...change, before: simple(before), after: simple(after) };
    }
  }
}

const plainest = {
  description: undefined,
  rules: 'node { policy = "read" }',
  jobAcl: undefined,
  selector: "",
  global: false,
  expirationTtl: undefined,
  keepExpired: undefined,
  default: false,
  tokenNameFormat: "",
  maxTokenTtl: "10m",
  tokenLocality: "local",
  config: {},
  roles: [],
  policies: ["a"],
};
