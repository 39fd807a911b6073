import type { DialectName } from "../../provider/testing/simulator";
import type { FaultName } from "./faults";
import type { Recording, Step } from "./step";

export type Verdict =
  /** The operation does all that it was asked for. */
  | "succeeds"
  /** It fails, says why, and goes no further. */
  | "fails";

type Pair = readonly [once: Verdict, lasting: Verdict];

/** Sent again, and done by the second try. */
const retried: Pair = ["succeeds", "fails"];
const fails: Pair = ["fails", "fails"];
/** The first try did it: found again on the server (a create), or an answer whose body nobody needs (a delete). */
const done: Pair = ["succeeds", "succeeds"];
/** The name's holder is looked up after this, and adopted. */
const adopted = done;

const columns = ["read", "create", "taken create", "replace", "delete"] as const;

/** What must come of every fault, by what the request does. */
const table: Record<FaultName, readonly [Pair, Pair, Pair, Pair, Pair]> = {
  //                             read     create   taken    replace  delete
  refused: /*                */ [retried, retried, retried, retried, retried],
  "dropped before": /*       */ [retried, fails, adopted, retried, retried],
  "dropped after": /*        */ [retried, done, adopted, retried, retried],
  "delayed past the time-out": [retried, done, adopted, retried, retried],
  "401": /*                  */ [fails, fails, fails, fails, fails],
  "403": /*                  */ [fails, fails, fails, fails, fails],
  "404 of the API": /*       */ [fails, fails, fails, fails, fails],
  "404 empty": /*            */ [fails, fails, fails, fails, fails],
  "404 HTML": /*             */ [fails, fails, fails, fails, fails],
  "408": /*                  */ [retried, fails, adopted, retried, retried],
  "409": /*                  */ [fails, fails, adopted, fails, fails],
  "412": /*                  */ [fails, fails, fails, fails, fails],
  "422": /*                  */ [fails, fails, fails, fails, fails],
  "429 with seconds": /*     */ [retried, retried, retried, retried, retried],
  "429 with a date": /*      */ [retried, retried, retried, retried, retried],
  "500 text": /*             */ [retried, fails, adopted, retried, retried],
  "500 not found": /*        */ [fails, fails, fails, fails, fails],
  "502 HTML": /*             */ [retried, fails, adopted, retried, retried],
  "503": /*                  */ [retried, fails, adopted, retried, retried],
  "cut-off body": /*         */ [retried, done, adopted, retried, retried],
  "wrong shape": /*          */ [fails, done, adopted, fails, done],
  "10 MB of rubbish": /*     */ [retried, done, adopted, fails, done],
};

export interface Expectation {
  readonly verdict: Verdict;
  /** It is tried again, and the user told. */
  readonly retried?: true;
  /** What the error says, where that is not about the fault. */
  readonly says?: RegExp;
  /** How many requests have had their effect on the server in the end; left out: those before the fault, and the faulty one where it takes effect. */
  readonly stage?: number;
  /** The API denied that the name is taken, so that the create wrote over its holder. The error says so, and the state does not have it. */
  readonly overwritten?: true;
}

interface Exception {
  readonly scenario: RegExp;
  /** "GET /v1/acl/role/:id" */
  readonly request: RegExp;
  /** How many like it come before it; left out: any number. */
  readonly occurrence?: number;
  readonly faults: readonly FaultName[];
  /** With such servers alone. */
  readonly dialect?: DialectName;
  readonly once: Expectation;
  readonly lasting: Expectation;
}

const denial: readonly FaultName[] = ["404 of the API"];
const both = (expectation: Expectation) => ({ once: expectation, lasting: expectation });

/** Where the table is not all there is to say: mostly, what comes of a 404 of the API's own. */
const exceptions: readonly Exception[] = [
  {
    // A second look finds it. Denied again, it is asked for by a write, and the error says that reads do not show it.
    scenario: /^Acl\w+: (refresh|update|delete|replace, create first|replace by force, delete first)$/,
    request: /^GET .*(:id|sso)$/,
    faults: denial,
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", says: /does not have it, but the region that takes the writes has/ },
  },
  {
    scenario: /^Acl(AuthMethod|Role|BindingRule): update$/,
    request: /^POST/,
    faults: denial,
    ...both({ verdict: "fails", says: /no longer exists/ }),
  },
  {
    // A second look finds what the list has named. Denied again, it is made anew, and the server refuses that.
    scenario: /^AclAuthMethod: adopt$/,
    request: /^GET .*sso$/,
    faults: denial,
    dialect: "documented",
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", stage: 3, says: /already exists/ },
  },
  {
    // Where the server does not refuse it, it is written anew, and what the write then finds is told.
    scenario: /^AclAuthMethod: adopt$/,
    request: /^GET .*sso$/,
    faults: denial,
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", stage: 4, overwritten: true, says: /has replaced a method of that name that someone else made/ },
  },
  {
    // The name is taken by the response to the create, so that its holder is looked for again.
    scenario: /^AclRole: adopt$/,
    request: /^GET .*dev$/,
    faults: denial,
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", says: /does not show the one that there is .*already exists/ },
  },
  {
    // Nobody is shown to have the name, which another resource of the program may have given up: a second create is sent.
    scenario: /^AclRole: (create|replace by force, delete first)$/,
    request: /^POST .*role$/,
    faults: ["409"],
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", says: /409/ },
  },
  {
    // The list names the rule, and so a second look is taken; denied again, there is a contradiction.
    scenario: /^AclBindingRule: adopt$/,
    request: /^GET .*:id$/,
    faults: denial,
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", says: /lists ACL binding rule .* and responds that there is none/ },
  },
  {
    // A read has shown it, and the write only asks whether it is gone: it is to be refused, and any refusal but "not found" leaves it there.
    scenario: /^AclBindingRule: adopt$/,
    request: /^POST .*:id$/,
    faults: ["409", "412", "422"],
    ...both({ verdict: "succeeds" }),
  },
  {
    // The name is unique, so that the create is refused, and the holder looked for again.
    scenario: /^AgentPool: adopt$/,
    request: /^GET .*:id$/,
    faults: denial,
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", says: /has already been taken/ },
  },
  {
    // That agents block the delete is what the service says without a fault too.
    scenario: /^AgentPool: delete, with agents that may be removed$/,
    request: /^DELETE .*agent-pools/,
    occurrence: 0,
    faults: ["409", "412"],
    once: { verdict: "succeeds" },
    lasting: { verdict: "fails", stage: 3 },
  },
  {
    // An agent that is gone, or went to work again, is counted as such; it is there still when the pool is deleted.
    scenario: /^AgentPool: delete, with agents that may be removed$/,
    request: /^DELETE .*agents\//,
    faults: ["404 of the API", "409", "412", "500 not found"],
    ...both({ verdict: "fails", says: /can't be deleted now.* still has agent|500/ }),
  },
];

/** What must come of a fault at one of the requests of an operation. */
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
  // What the API would have answered anyway is no fault.
  if (fault === "404 of the API" && step.status === 404) return { verdict: "succeeds" };
  if (exception) return lasting ? exception.lasting : exception.once;
  // Nothing depends on it, unless the fault lasts and meets a later read that something depends on.
  const matters = lasting && steps.slice(steps.indexOf(step) + 1).some(({ name }) => name === step.name || fault === "refused");
  if (step.role === "afterthought" && !matters) return { verdict: "succeeds" };
  return usually(step.role === "afterthought" ? "read" : step.role, fault, lasting);
}

/** What the table says. */
export function usually(role: (typeof columns)[number], fault: FaultName, lasting: boolean): Expectation {
  const pair = table[fault][columns.indexOf(role)] ?? fails;
  return { verdict: pair[lasting ? 1 : 0], ...(pair === retried && { retried: true }) };
}
