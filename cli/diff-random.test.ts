import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import type { AccessObjects } from "../access/graph";
import { methodAccess } from "../access/graph";
import type { LoginOutcome } from "../access/login";
import { evaluateLogin } from "../access/login";
import { parseDuration } from "../common/durations";
import { sizeOf } from "../test/support/extent";
import { change, claims, type DrawnObject, policyNames } from "../test/support/random-changes";
import { cases } from "../test/support/seed";
import { type Finding, type FindingKind, findingsOf } from "./access/changes";
import { plainText } from "./access/markup";
import { accessModel } from "./access/read-model";
import { comparedSides } from "./diff";

const { CHANGES } = process.env;
/** 100,000 of them take some minutes: `CHANGES=100000 npx jest cli/diff-random`. */
const numRuns = CHANGES === undefined ? sizeOf({ quick: 400, full: 10_000 }) : Number(CHANGES);
const LOGINS = 8;

/** What a login gets, as words that can be compared. Undefined for a login that fails. */
interface Power {
  readonly manages: boolean;
  readonly grants: ReadonlySet<string>;
  readonly global: boolean;
  readonly ttl: bigint;
}

function objectsOf(objects: readonly DrawnObject[]): AccessObjects {
  const inventory = {
    source: "what there is",
    gaps: [],
    objects: objects.map(({ kind, id, properties }) => ({ kind, id, name: "", inputs: properties, outputs: properties })),
  };
  return accessModel(inventory, { policies: policyNames });
}

function defaultOf(objects: readonly DrawnObject[]): unknown {
  return objects.find(({ properties }) => properties.default === true)?.properties.name;
}

function powerOf(objects: AccessObjects, method: string, outcome: LoginOutcome | undefined): Power | undefined {
  if (!outcome?.ok) return undefined;
  const { token } = outcome;
  const policies = [...token.policies, ...token.roles.flatMap((role) => objects.roles[role] ?? [])];
  const { maxTokenTtl = "" } = objects.methods.find(({ name }) => name === method) ?? {};
  return {
    manages: token.type === "management",
    grants: new Set([...token.roles.map((role) => `role ${role}`), ...policies.map((policy) => `policy ${policy}`)]),
    global: token.global,
    ttl: parseDuration(maxTokenTtl) ?? 0n,
  };
}

/** Whether one has what the other lacks. */
function hasMore(one: Power | undefined, other: Power | undefined): boolean {
  if (!one || !other) return one !== undefined;
  const isMore = (one.manages && !other.manages) || (one.global && !other.global) || one.ttl > other.ttl;
  return isMore || (!other.manages && [...one.grants].some((grant) => !other.grants.has(grant)));
}

const gains: readonly FindingKind[] = ["management", "widened", "undecided"];
const losses: readonly FindingKind[] = ["narrowed", "failing", "undecided"];

/** Whether the kinds are said of the method, or of an object that is not known to be of another. */
function isSaid(found: readonly Finding[], method: string, kinds: readonly FindingKind[]): boolean {
  return found.some((finding) => {
    const text = plainText(finding.sentence);
    const mayConcern = text.includes(`\`${method}\``) || /^the role|can't be compared/.test(text);
    return mayConcern && finding.kinds.some((kind) => kinds.includes(kind));
  });
}

/** What is missed of a login, in words. Of rules without IDs, nobody knows the order, and it may be the same. */
function missed(found: readonly Finding[], method: string, was: Power | undefined, is: Power | undefined): string | undefined {
  if (hasMore(is, was) && !isSaid(found, method, gains)) return "gains something";
  if (hasMore(was, is) && !isSaid(found, method, losses)) return "loses something";
  const isOfOrder = found.some(({ sentence }) => plainText(sentence).includes("that order is not known"));
  return is?.manages && !was?.manages && !isOfOrder && !isSaid(found, method, ["management"]) ? "gets management" : undefined;
}

function allOf(found: readonly Finding[]): string {
  return found.map(({ kinds, sentence }) => `${plainText(sentence)} [${kinds.join(", ")}]`).join("\n");
}

test("whatever changes, a login that gets more or less than before is among what diff says, and nothing is said of what stays", () => {
  const counted = { changes: 0, "logins that gain": 0, "logins that lose": 0, "changes of which nothing is said": 0 };
  fc.assert(
    fc.property(change, fc.array(claims, { minLength: LOGINS, maxLength: LOGINS }), ({ before, after, read, isSame }, logins) => {
      const found = findingsOf(comparedSides(read));
      counted.changes++;
      if (found.length === 0) counted["changes of which nothing is said"]++;
      if (isSame) expect(found).toEqual([]);
      if (defaultOf(before) !== defaultOf(after)) expect(found).not.toEqual([]);
      const [old, now] = [objectsOf(before), objectsOf(after)];
      for (const method of new Set([...old.methods, ...now.methods].map(({ name }) => name))) {
        const [wasAccess, isAccess] = [methodAccess(old, method), methodAccess(now, method)];
        if (isDeepStrictEqual(wasAccess, isAccess)) continue;
        for (const login of logins) {
          const was = powerOf(old, method, wasAccess && evaluateLogin(wasAccess, login));
          const is = powerOf(now, method, isAccess && evaluateLogin(isAccess, login));
          if (hasMore(is, was)) counted["logins that gain"]++;
          if (hasMore(was, is)) counted["logins that lose"]++;
          const what = missed(found, method, was, is);
          if (what !== undefined) throw new Error(`a login of ${method} ${what}: ${JSON.stringify(login)}\n${allOf(found)}`);
        }
      }
    }),
    cases({ numRuns }),
  );
  const { changes, ...seen } = counted;
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  if (CHANGES !== undefined) console.log(`${changes} changes: ${JSON.stringify(seen)}`);
});
