import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { holdsUnknown, isRecord, unknown } from "../../common/unknown";
import type { Checked, Resource } from "../../provider/lifecycle/resource";
import type { Properties } from "../../provider/model/remote";
import type { CallContext } from "../../provider/operation/call-context";
import { type Sample, samples } from "../kinds";
import { sizeOf } from "../support/extent";
import { cases } from "../support/seed";
import { nowhere, operationWith } from "../support/session";
import { isChosen } from "./scenarios";

/** The numbers of tried values. A full run tries more than 20,000 for each kind. */
const runs = {
  arbitrary: sizeOf({ quick: 60, full: 10_000 }),
  nearlyValid: sizeOf({ quick: 70, full: 12_000 }),
  valid: sizeOf({ quick: 50, full: 4_000 }),
  /** Valid values in which a long text replaces each part in turn. */
  longTexts: sizeOf({ quick: 1, full: 5 }),
};

/** The most processor time that a value may take, so no check hangs. Elapsed time would include the time of other processes. */
const longestMs = 2_000;

/** Texts that are hard for patterns and counters. */
const nasty = fc.constantFrom(
  "",
  " ",
  "\0",
  "\ud800",
  "-",
  "__proto__",
  "redacted",
  "60",
  "-1s",
  "9223372036854775808ns",
  "NaN",
  "a".repeat(257),
);
/** Texts on which an ambiguous pattern takes exponential time. `npm test` takes the first one. */
const allLong = [
  "1".repeat(100_000),
  "1h".repeat(50_000),
  "1.".repeat(50_000),
  `${"a-".repeat(50_000)}!`,
  "(".repeat(100_000),
  "😀".repeat(50_000),
];
const long = allLong.slice(0, sizeOf({ quick: 1, full: allLong.length }));
/** An object that can't be converted to text. */
const noText = { toString: "no function" };
const deep = fc.constantFrom("[", '{"a":').map((opening) => {
  const depth = 1_000;
  return JSON.parse(`${opening.repeat(depth)}1${(opening === "[" ? "]" : "}").repeat(depth)}`);
});
const leaf = fc.oneof(nasty, fc.constant(unknown), fc.constant(undefined), fc.constant(Number.NaN), fc.constant(-0), deep);
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.anything({ maxDepth: 2, withNullPrototype: true, withObjectString: true }) },
  { weight: 1, arbitrary: leaf },
);

/** Objects with the kind's properties and others, with any values. */
function arbitraryInputs(resource: Resource): fc.Arbitrary<Properties> {
  const name = fc.oneof(
    fc.constantFrom(...resource.inputs.keys()),
    fc.constantFrom("__proto__", "constructor", "id"),
    fc.string({ maxLength: 8 }),
  );
  return fc.array(fc.tuple(name, anything), { maxLength: 8 }).map((entries) => Object.fromEntries(entries));
}

/** Valid inputs, with one or two parts left out, moved, or replaced by anything. */
function nearlyValidInputs({ valid }: Sample): fc.Arbitrary<Properties> {
  const change = fc.record({ steps: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), value: anything });
  return fc.tuple(valid(), fc.array(change, { minLength: 1, maxLength: 2 })).map(([whole, changes]) => {
    const mutated = changes.reduce<unknown>((value, { steps, value: replacement }) => changed(value, steps, replacement), whole);
    return isRecord(mutated) ? mutated : {};
  });
}

function changed(value: unknown, [step, ...further]: readonly number[], replacement: unknown): unknown {
  const container = isRecord(value) || Array.isArray(value);
  if (step === undefined || !container) return replacement;
  const entries = Object.entries(value);
  const index = step % (entries.length + 1);
  const result = entries.map(([key, item], at): [string, unknown] => [key, at === index ? changed(item, further, replacement) : item]);
  // An index past the end stands for a new part.
  if (index === entries.length) result.push([String(step), replacement]);
  return Array.isArray(value) ? result.map(([, item]) => item) : Object.fromEntries(result);
}

/** Copies of `value`. Each of them has `other` in another place. */
function withInEveryPlace(other: unknown, value: unknown): unknown[] {
  if (!isRecord(value) && !Array.isArray(value)) return [other];
  const entries = Object.entries(value);
  return entries.flatMap(([key, item], index) =>
    withInEveryPlace(other, item).map((put) => {
      return Array.isArray(value) ? value.with(index, put) : { ...value, [key]: put };
    }),
  );
}

/** Whether the checked value contains all given values. It may contain defaults, too. */
function holdsAll(checked: unknown, given: unknown): boolean {
  if (!isRecord(given) || !isRecord(checked)) return isDeepStrictEqual(checked, given);
  return Object.entries(given).every(([key, value]) => value === undefined || holdsAll(checked[key], value));
}

/**
 * Checks inputs. @throws if the check takes too long: a plain error, because jest's matchers would take most of the time for a hundred
 * thousand values
 */
function timedCheck(context: CallContext, resource: Resource, news: Properties): Checked {
  const begun = process.cpuUsage();
  const checked = resource.check({ context, olds: {}, resourceName: "named", urn: "urn:pulumi:dev::fuzz::type::named" }, news);
  const { user, system } = process.cpuUsage(begun);
  const ms = (user + system) / 1_000;
  if (ms > longestMs) throw new Error(`it took ${ms} ms of a processor`);
  return checked;
}

describe.each(samples.filter(({ kind }) => isChosen(kind)))("check of $kind", (sample) => {
  const { resource, valid } = sample;
  const { context } = operationWith({ ...nowhere, organization: "example-org" });

  /**
   * Checks inputs. @throws unless each failure has a path and a reason, and, without failures, a second check changes nothing and diff
   * finds no difference
   */
  const holds = (news: Properties): Checked => {
    const checked = timedCheck(context, resource, news);
    const { inputs, failures } = checked;
    if (!failures.every(({ path, reason }) => typeof path === "string" && reason !== "")) throw new Error("a failure says nothing");
    if (failures.length > 0) return checked;
    if (!isDeepStrictEqual(timedCheck(context, resource, inputs), checked)) throw new Error("a second check says something else");
    // An unknown value may become any value.
    const { changes } = resource.diff(context, randomUUID(), { olds: inputs, news: { ...inputs } });
    if (changes.length > 0 && !holdsUnknown(inputs)) throw new Error(`it differs from itself in ${JSON.stringify(changes)}`);
    return checked;
  };

  test("takes long texts, and values other than texts, in every place of a valid value without a throw or a hang", () => {
    for (const news of fc.sample(valid(), cases({ numRuns: runs.longTexts }))) {
      for (const other of [...long, noText]) for (const value of withInEveryPlace(other, news)) holds(isRecord(value) ? value : {});
    }
  });

  test(`takes ${runs.arbitrary} arbitrary values without a throw or a hang`, () => {
    fc.assert(
      fc.property(arbitraryInputs(resource), (news) => void holds(news)),
      cases({ numRuns: runs.arbitrary }),
    );
  });

  test(`takes ${runs.nearlyValid} values that are nearly valid without a throw or a hang`, () => {
    fc.assert(
      fc.property(nearlyValidInputs(sample), (news) => void holds(news)),
      cases({ numRuns: runs.nearlyValid }),
    );
  });

  test(`accepts ${runs.valid} values that the documents allow, and keeps them`, () => {
    const accepted = (news: Properties) => {
      const { inputs, failures } = holds(news);
      expect(failures).toEqual([]);
      if (!holdsAll(inputs, news)) throw new Error(`it became ${JSON.stringify(inputs)}`);
    };
    fc.assert(fc.property(valid(), accepted), cases({ numRuns: runs.valid }));
  });
});
