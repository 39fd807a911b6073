import type { DialectName } from "../../testing/simulator";
import { type Sample, samples } from "../kinds";
import type { FaultName } from "./faults";
import type { Recording, Step } from "./step";

export type Ending =
  /** The operation succeeds completely. */
  | "succeeds"
  /** The operation fails with the reason, and changes nothing more. */
  | "fails";

type Pair = readonly [once: Ending, lasting: Ending];

/** Sent again; the second try succeeds. */
const retried: Pair = ["succeeds", "fails"];
const fails: Pair = ["fails", "fails"];
/** The first try had its effect: the object is found on the server (a create), or the body of the response is not needed (a delete). */
const done: Pair = ["succeeds", "succeeds"];

const columns = ["read", "create", "replace", "delete"] as const;

/** The expected result of every fault, by the role of the request. */
const table: Record<FaultName, readonly [Pair, Pair, Pair, Pair]> = {
  //                             read     create   replace  delete
  refused: /*                */ [retried, retried, retried, retried],
  "dropped before": /*       */ [retried, fails, retried, retried],
  "dropped after": /*        */ [retried, done, retried, retried],
  "delayed past the time-out": [retried, done, retried, retried],
  "401": /*                  */ [fails, fails, fails, fails],
  "403": /*                  */ [fails, fails, fails, fails],
  "404 of the API": /*       */ [fails, fails, fails, fails],
  "404 empty": /*            */ [fails, fails, fails, fails],
  "404 HTML": /*             */ [fails, fails, fails, fails],
  "408": /*                  */ [retried, fails, retried, retried],
  "409": /*                  */ [fails, fails, fails, fails],
  "412": /*                  */ [fails, fails, fails, fails],
  "422": /*                  */ [fails, fails, fails, fails],
  "429 with seconds": /*     */ [retried, retried, retried, retried],
  "429 with a date": /*      */ [retried, retried, retried, retried],
  "500 text": /*             */ [retried, fails, retried, retried],
  "500 not found": /*        */ [fails, fails, fails, fails],
  "502 HTML": /*             */ [retried, fails, retried, retried],
  "503": /*                  */ [retried, fails, retried, retried],
  "cut-off body": /*         */ [retried, done, retried, retried],
  "wrong shape": /*          */ [fails, done, fails, done],
  "10 MB of rubbish": /*     */ [retried, done, fails, done],
};

export interface Expectation {
  readonly ending: Ending;
  /** The request is tried again. If the fault lasts, the log says so. */
  readonly retried?: true;
  /** The text of the error, if the error is not about the fault. */
  readonly says?: RegExp;
  /**
   * How many requests have had their effect in the end. Default: all of them if the operation succeeds. If it fails: the requests before
   * the fault, and the faulty one if it takes effect, unless that leaves an object over.
   */
  readonly stage?: number;
  /** The state has the object although its adoption failed, because the object was written. */
  readonly isInState?: true;
  /** The operation leaves an object that nobody can use, and names it, so that it can be deleted by hand. */
  readonly leavesOver?: true;
}

interface Exception {
  readonly scenario: RegExp;
  /** "GET /v1/acl/role/:id" */
  readonly request: RegExp;
  /** How many equal requests come before the request. Default: any number. */
  readonly occurrence?: number;
  readonly faults: readonly FaultName[];
  /** The only dialect with this exception. Default: both. */
  readonly dialect?: DialectName;
  readonly once: Expectation;
  readonly lasting: Expectation;
}

/** One of the texts, or nothing at all. */
const oneOf = (texts: readonly unknown[]) => (texts.length > 0 ? `(${texts.join("|")})` : "(?!)");
const kindsThat = (has: (sample: Sample) => boolean) => oneOf(samples.filter(has).map(({ kind }) => kind));
const isOfCluster = ({ resource }: Sample) => resource.api === "cluster";
const isUnique = ({ resource }: Sample) => resource.identity?.isUnique === true;

const upserts = samples.filter(({ isUpsert }) => isUpsert);
const upsertPaths = oneOf(upserts.map(({ create }) => create.slice(0, create.lastIndexOf("/"))));
const ofCluster = kindsThat(isOfCluster);
/** The kinds whose creates the server refuses if the name is taken. Only then, the provider looks up the holder. */
const refusing = kindsThat((sample) => isOfCluster(sample) && isUnique(sample) && !sample.isIdName);
const refusedNames = oneOf(samples.filter((sample) => isUnique(sample) && !sample.isIdName).map(({ faults }) => faults.inputs.name));
/** The kinds whose creates first look for the object in the list. */
const looking = kindsThat((sample) => isOfCluster(sample) && sample.faults.theirs !== undefined && (sample.isIdName || !isUnique(sample)));
/** The ends of the addresses of objects. */
const keys = oneOf([":id", ...samples.filter(({ isIdName }) => isIdName).map(({ faults }) => faults.inputs.name)]);

/** The addresses of creates that choose the id of their object. */
const choosing = oneOf(samples.flatMap(({ choosesId, create }) => (choosesId ? [create] : [])));

/** The faults after which the request may have arrived. */
const unanswered: readonly FaultName[] = ["dropped before", "408", "500 text", "502 HTML", "503"];
/** The faults after which the request has arrived, and its response is lost or useless. */
const unheard: readonly FaultName[] = ["dropped after", "delayed past the time-out", "cut-off body", "wrong shape", "10 MB of rubbish"];

const denial: readonly FaultName[] = ["404 of the API"];
const both = (expectation: Expectation) => ({ once: expectation, lasting: expectation });

/** The exceptions from the table, mostly for a 404 of the API. */
const exceptions: readonly Exception[] = [
  {
    // A server may not know the path, or a proxy may block it: then there are no regions to choose from.
    scenario: /./,
    request: /^GET \/v1\/regions$/,
    faults: ["401", "403", "404 of the API", "404 empty", "404 HTML"],
    ...both({ ending: "succeeds" }),
  },
  {
    // The server's list has the object, so a second read finds the object. A second 404 contradicts the list.
    scenario: new RegExp(`^${ofCluster}: (refresh|update|delete|replace, create first|replace by force, delete first)$`),
    request: new RegExp(`^GET .*/${keys}$`),
    occurrence: 0,
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /the server lists it, and returns a 404 for it/ },
  },
  {
    // The list of the pool's tokens has the token, so a second read finds the token. A second 404 contradicts the list.
    scenario: /^AgentToken: refresh$/,
    request: /^GET .*authentication-tokens\/:id$/,
    occurrence: 0,
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /the server lists it, and returns a 404 for it/ },
  },
  {
    // The list of the organization's pools has the pool, so a second read finds the pool. A second 404 contradicts the list.
    scenario: /^AgentPool: (refresh|update|update, with workspaces that are not managed)$/,
    request: /^GET .*agent-pools\/:id$/,
    occurrence: 0,
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /the server lists it, and returns a 404 for it/ },
  },
  {
    // No object with the name is found, because another resource of the program may have given it up: a second create is sent.
    scenario: new RegExp(`^${refusing}: adopt$`),
    request: new RegExp(`^GET .*/${refusedNames}$`),
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /already exists/ },
  },
  {
    // No object with the name is found, because another resource of the program may have given it up: a second create is sent.
    scenario: new RegExp(`^${refusing}: (create|replace by force, delete first)$`),
    request: /^POST /,
    faults: ["409"],
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /409/ },
  },
  {
    // The list names the object, so the object is read again. A second 404 contradicts the list.
    scenario: new RegExp(`^${looking}: adopt$`),
    request: new RegExp(`^GET .*/${keys}$`),
    occurrence: 0,
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /the server lists it, and returns a 404/ },
  },
  {
    // The response has nothing to read.
    scenario: /./,
    request: new RegExp(`^POST ${upsertPaths}/`),
    faults: ["wrong shape", "10 MB of rubbish"],
    ...both({ ending: "succeeds" }),
  },
  {
    // The name is unique, so the create is refused, and the object is looked up again.
    scenario: /^AgentPool: adopt$/,
    request: /^GET .*:id$/,
    faults: denial,
    once: { ending: "succeeds" },
    lasting: { ending: "fails", says: /has already been taken/ },
  },
  {
    // Such servers refuse the first create, with chosen identifiers. It has no effect, so a second try of it is refused, too.
    scenario: /let nobody choose/,
    request: /^POST .*token$/,
    occurrence: 0,
    faults: [...unanswered, ...unheard],
    once: { ending: "succeeds" },
    lasting: { ending: "fails" },
  },
  {
    scenario: /let nobody choose|of type management|^AgentToken/,
    request: /^POST .*tokens?$/,
    faults: unheard,
    once: { ending: "succeeds", leavesOver: true },
    lasting: { ending: "fails", leavesOver: true },
  },
  {
    // These creates are sent again.
    scenario: /./,
    request: new RegExp(`^POST (${choosing}|.*/authentication-tokens)$`),
    faults: unanswered,
    once: { ending: "succeeds" },
    lasting: { ending: "fails" },
  },
  {
    // If the token can't see the pool, the organization counts as the configured one, and no agent as busy.
    scenario: /^AgentToken/,
    request: /^GET .*agent-pools\/:id(\/agents)?$/,
    faults: denial,
    ...both({ ending: "succeeds" }),
  },
  {
    // Even without a fault, the service refuses the first delete because of an agent.
    scenario: /^AgentPool: delete, with agents that may be removed$/,
    request: /^DELETE .*agent-pools/,
    occurrence: 0,
    faults: ["409", "412", "422"],
    once: { ending: "succeeds" },
    lasting: { ending: "fails", stage: 4 },
  },
  {
    // The agent counts as gone, or as busy again, but still exists when the pool is deleted.
    scenario: /^AgentPool: delete, with agents that may be removed$/,
    request: /^DELETE .*agents\//,
    faults: ["404 of the API", "409", "412", "500 not found"],
    ...both({ ending: "fails", says: /can't be deleted now.* still has agent|500/ }),
  },
];

/** The state has the written object, although no read shows it. */
const unread: Expectation = { ending: "fails", says: /404/, isInState: true };

/** The expected result of a fault at one request of an operation. */
export function expectationOf(
  scenario: string,
  { steps, dialect }: Recording,
  step: Step,
  fault: FaultName,
  lasting: boolean,
): Expectation {
  const exception = exceptions.find(
    (one) =>
      (one.dialect ?? dialect) === dialect &&
      one.scenario.test(scenario) &&
      one.request.test(step.name) &&
      (one.occurrence ?? step.occurrence) === step.occurrence &&
      one.faults.includes(fault),
  );
  // An operation succeeds without its requests of the role "afterthought", unless the fault lasts and affects a later request that matters.
  const later = steps.slice(steps.indexOf(step) + 1).filter(({ role }) => role !== "afterthought");
  const hidden = lasting ? later.find(({ name, role }) => name === step.name && role === "read back") : undefined;
  // The API's normal response is no fault.
  if (fault === "404 of the API" && step.status === 404)
    return hidden ? { ...unread, stage: steps.indexOf(hidden) } : { ending: "succeeds" };
  const matters = lasting && later.some(({ name }) => name === step.name || fault === "refused");
  if (step.role === "afterthought" && !matters) return { ending: "succeeds" };
  if (exception) return lasting ? exception.lasting : exception.once;
  if (step.role === "read back" && fault === "404 of the API") return unread;
  if (step.role === "read back") return { ...usually("read", fault, lasting), isInState: true };
  return usually(step.role === "afterthought" ? "read" : step.role, fault, lasting);
}

/** The table's expectation. */
export function usually(role: (typeof columns)[number], fault: FaultName, lasting: boolean): Expectation {
  const pair = table[fault][columns.indexOf(role)] ?? fails;
  return { ending: pair[lasting ? 1 : 0], ...(pair === retried && { retried: true }) };
}
