import type { Simulator } from "../../testing/simulator";
import { clientSecret } from "../lifecycle/samples";
import type { Adapter } from "../support/adapters";
import type { Outcome } from "../support/stack";
import { type Expectation, expectationOf } from "./expectations";
import { type FaultName, faultNames, faultOf } from "./faults";
import { Gateway } from "./gateway";
import { Stage } from "./recording";
import type { Scenario } from "./scenarios";
import type { Recording, Step } from "./step";

/** One request of one operation, with one fault. */
export interface Case {
  readonly scenario: Scenario;
  readonly recording: Recording;
  readonly index: number;
  readonly step: Step;
  readonly fault: FaultName;
  /** Whether the fault affects every such request from then on, and not only this one. */
  readonly lasting: boolean;
}

/** Every fault, once and lasting, at every request of the scenario at which it can happen. */
export function casesOf(scenario: Scenario, recording: Recording): Case[] {
  return recording.steps.flatMap((step, index) =>
    faultNames
      .filter((fault) => applies(fault, step))
      .flatMap((fault) => [false, true].map((lasting) => ({ scenario, recording, index, step, fault, lasting }))),
  );
}

/**
 * Whether a fault can happen at a request. A successful response with an invalid body needs a read, or a write that succeeds. A service
 * can't be down for only one of two requests at the same time.
 */
function applies(fault: FaultName, step: Step): boolean {
  if (fault === "wrong shape" || fault === "10 MB of rubbish") return step.method === "GET" || (step.status ?? 0) < 300;
  return fault !== "refused" || !step.overlaps;
}

export function titleOf({ scenario, recording, step, fault, lasting }: Case): string {
  const which = step.occurrence === 0 ? step.name : `${step.name} (number ${step.occurrence + 1})`;
  return `${scenario.name}, ${recording.dialect} servers: ${which}: ${fault}, ${lasting ? "for ever" : "once"}`;
}

/**
 * Runs the operation with the fault, and then up, preview and destroy without it.
 *
 * @returns the violated expectations; empty when the case holds
 */
export async function run(adapter: Adapter, one: Case): Promise<string[]> {
  const wrong: string[] = [];
  let gateway: Gateway | undefined;
  const stage = await Stage.set(adapter, one.scenario, one.recording.dialect, async (simulator) => {
    if (one.fault === "refused") gateway = await Gateway.before(addressOf(simulator, one.step));
    return configOf(one, gateway);
  });
  try {
    await stage.begin();
    const recovery = meet(one, stage, gateway);
    const expected = expectationOf(one.scenario.name, one.recording, one.step, one.fault, one.lasting);
    const outcome = await stage.operate();
    wrong.push(...judge(one, stage, expected, outcome));
    if (!one.lasting && stage.stack.simulator.faults.pending() > 0) wrong.push("the fault did not happen");
    stage.stack.simulator.faults.clear();
    await recovery();
    wrong.push(...(await recover(one, stage, expected)));
  } catch (error) {
    wrong.push(`afterwards: ${String(error)}`);
  } finally {
    gateway?.stop();
    await stage.stack.simulator.stop();
  }
  return wrong;
}

function addressOf(simulator: Simulator, { api }: Step): string {
  return api === "pools" ? simulator.poolsAddress : simulator.clusterAddress;
}

function configOf({ step, fault }: Case, gateway: Gateway | undefined): Record<string, string> {
  return {
    maxRetries: "2",
    ...(fault === "delayed past the time-out" && { requestTimeoutSeconds: "1" }),
    ...(gateway && { [step.api === "pools" ? "poolsAddress" : "clusterAddress"]: gateway.address }),
  };
}

/** Prepares the fault. @returns a function that ends the fault after the operation */
function meet(one: Case, stage: Stage, gateway: Gateway | undefined): () => Promise<void> {
  const { step, lasting, index, recording } = one;
  const { stack } = stage;
  if (gateway) {
    gateway.goDown(recording.steps.slice(0, index).filter(({ api }) => api === step.api).length);
    // The service comes up before the next try, but not during the shorter wait of a list for further creates.
    if (!lasting) stack.clock.duringSleep = (ms) => void (ms >= 125 && gateway.isDown && gateway.comeUp());
    return () => gateway.comeUp();
  }
  const { poolsToken, clusterToken, faults } = stack.simulator;
  const isAboutOurs = step.name.endsWith(":id");
  const secrets = [...(step.sendsSecret ? [clientSecret] : []), ...(isAboutOurs ? stage.ownSecrets() : [])];
  const echo = step.api === "pools" ? poolsToken : [clusterToken, ...secrets].join(" ");
  const fault = faultOf(one.fault).fault?.({ api: step.api, echo });
  if (!fault) throw new Error(`unknown fault ${one.fault}`);
  faults.add({ ...step, skip: step.occurrence, times: lasting ? Number.POSITIVE_INFINITY : 1, fault });
  return async () => {};
}

/** The expectations that are violated right after the operation. */
function judge(one: Case, stage: Stage, expected: Expectation, outcome: Outcome): string[] {
  const { scenario, step } = one;
  const wrong = [...leaks(stage, outcome), ...stage.touched().map((key) => `${key}, which belongs to others, was changed`)];
  // A refused create has no effect. It is repeated after the default is handed over, or when a name is free again.
  const isSent = (status: number | undefined) => status === undefined || ![400, 409, 429].includes(status);
  const creates = outcome.requests.filter(({ method, path, status }) => method === "POST" && step.path.test(path) && isSent(status));
  const sent = new Set(creates.map(({ body }, index) => (scenario.resends === "the same" ? JSON.stringify(body) : index)));
  if (step.role === "create" && sent.size > 1 && scenario.resends !== "another")
    wrong.push("a create was repeated although it may have had its effect");
  if (scenario.racing) return wrong;

  const ending = scenario.unblock ? "fails" : expected.ending;
  if (outcome.result.ok !== (ending === "succeeds")) {
    return [...wrong, `it ${outcome.result.ok ? "succeeded" : "failed"}, and ${ending} was expected. ${outcome.errors}`];
  }
  if (ending === "fails" && !scenario.unblock && !(expected.says ?? faultOf(one.fault).says).test(outcome.errors)) {
    wrong.push(`the error does not say what happened: ${outcome.errors}`);
  }
  wrong.push(...judgeContent(one, stage, expected, outcome), ...judgeRetries(one, expected, outcome));
  return wrong;
}

function judgeContent(one: Case, stage: Stage, expected: Expectation, outcome: Outcome): string[] {
  const { scenario, recording, index, fault } = one;
  const ending = scenario.unblock ? "fails" : expected.ending;
  const wrong: string[] = [];
  if (expected.leavesOver && stage.removeLeftOver(outcome).length === 0) wrong.push("what may be left over is not named");
  const isFinal = ending === "succeeds";
  const reached =
    expected.stage ?? (isFinal ? recording.stages.length - 1 : index + (faultOf(fault).takesEffect && !expected.leavesOver ? 1 : 0));
  const content = recording.stages[reached];
  if (stage.ours() !== content) wrong.push(`the server has ${stage.ours()} and not ${content}`);
  const [server, state] = [stage.ids(), stage.stateIds()];
  if (scenario.adopts && ending === "fails" && !expected.isInState) {
    if (state.length > 0) wrong.push(`the state has ${state}`);
  } else if (server.join() !== state.join() && !isAhead(one, expected))
    wrong.push(`the server has the objects ${server}, the state ${state}`);
  return wrong;
}

/** Whether the state still has the object of a delete that took effect without a response. The next refresh removes it. */
function isAhead({ step, fault }: Case, { ending }: Expectation): boolean {
  return step.role === "delete" && ending === "fails" && faultOf(fault).takesEffect === true;
}

/** Retries are logged from the third try on, and the wait that a server requests is kept. */
function judgeRetries({ fault, lasting }: Case, expected: Expectation, { log }: Outcome): string[] {
  const isLogged = (text: string) => log.some((line) => line.includes(text));
  const { asksToWait } = faultOf(fault);
  if (asksToWait) {
    const seconds = asksToWait / 1000;
    const waits = log.flatMap((line) => /limits the rate of requests: the next ones are sent in ([\d.]+) s/.exec(line)?.[1] ?? []);
    return waits.some((text) => Number(text) === seconds)
      ? []
      : [`the wait of ${seconds} s is not kept: logged were ${waits.join(", ") || "none"}`];
  }
  if (isLogged("; try 2 of ")) return ["a second try is logged"];
  return expected.retried && lasting && !isLogged("; try 3 of 3 in ") ? ["the retry is not logged"] : [];
}

/** No output may hold a secret, and no error may rely on the engine, which masks the configuration's secrets. */
function leaks(stage: Stage, { result, log, errors }: Outcome): string[] {
  const shown = JSON.stringify({ ...result, state: undefined }) + log.join("\n");
  const { poolsToken, clusterToken } = stage.stack.simulator;
  const found = [poolsToken, clusterToken, clientSecret, ...stage.secrets()].filter((secret) => shown.includes(secret));
  return [
    ...found.map((secret) => `the secret ${secret} is shown`),
    ...(errors.includes("[secret]") ? ["the engine had to conceal a token"] : []),
  ];
}

/** Without faults, an up makes everything as declared, and a destroy removes it. */
async function recover(one: Case, stage: Stage, expected: Expectation): Promise<string[]> {
  const { scenario, recording } = one;
  const { stack, options } = stage;
  scenario.unblock?.(stack);
  const wrong: string[] = [];
  const { program } = scenario;
  // An up without a refresh detects neither drift nor deleted objects.
  await stack.up(program, { ...options, refresh: scenario.command === "refresh" || isAhead(one, expected) });
  if (stage.ours() !== recording.settled) wrong.push(`after an up the server has ${stage.ours()} and not ${recording.settled}`);
  if (stage.ids().join() !== stage.stateIds().join())
    wrong.push(`after an up the state has ${stage.stateIds()}, the server ${stage.ids()}`);
  const { changes } = await stack.preview(program, { ...options, refresh: true });
  if (changes.length > 0) wrong.push(`the preview after an up shows ${changes}`);
  await stack.destroy(options);
  if (stage.ids().length > 0) wrong.push(`after a destroy the server has ${stage.ours()}`);
  wrong.push(...stage.touched().map((key) => `${key}, which belongs to others, was changed in the end`));
  return wrong;
}
