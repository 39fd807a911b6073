import { functions } from "../../provider/functions";
import type { ProviderFunction } from "../../provider/functions/definition";
import { Simulator } from "../../testing/simulator";
import { everything } from "../lifecycle/contents";
import { isFull } from "../support/extent";
import { argumentsOf, fill } from "../support/look-ups";
import { configurationOf, operationWith } from "../support/session";
import { shareOf } from "../support/share";
import { usually } from "./expectations";
import { type FaultName, faultNames, faultOf } from "./faults";

/** @returns the violated expectations */
async function run(simulator: Simulator, asked: ProviderFunction, fault: FaultName, lasting: boolean): Promise<string[]> {
  const timeout = fault === "delayed past the time-out" ? { requestTimeoutSeconds: 0.3 } : {};
  const { context, progress, close } = operationWith({ ...configurationOf(simulator), ...timeout, maxRetries: 2 });
  const api = /Agent|Workspace|Project/.test(asked.name) ? "pools" : "cluster";
  const secrets = [simulator.poolsToken, simulator.clusterToken, "their-secret"];
  const made = faultOf(fault).fault?.({ api, echo: secrets.slice(0, 2).join(" ") });
  // The first request to the cluster asks for its regions.
  const skip = api === "cluster" ? 1 : 0;
  if (made) simulator.faults.add({ fault: made, skip, times: lasting ? Number.POSITIVE_INFINITY : 1 });
  else await simulator.unplug(api);
  const expected = usually("read", fault, lasting || !made);
  const failure = await asked.run(context, argumentsOf(asked, simulator)).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  await close();
  simulator.faults.clear();
  await simulator.plug(api);

  const wrong: string[] = [];
  if ((failure === undefined) !== (expected.ending === "succeeds"))
    wrong.push(`it ${failure ?? "succeeded"}, and ${expected.ending} was expected`);
  if (failure !== undefined && !faultOf(fault).says.test(failure)) wrong.push(`the error does not say what happened: ${failure}`);
  const { asksToWait } = faultOf(fault);
  const line = asksToWait ? "limits the rate of requests" : "try 3 of 3";
  if (expected.retried && (asksToWait || lasting) && !progress.some((text) => text.includes(line))) wrong.push("the retry is not logged");
  if (secrets.some((secret) => `${failure} ${progress}`.includes(secret) && secret !== otherToken(api, simulator)))
    wrong.push("a secret is shown");
  return wrong;
}

/** The token of the other service. A response that quotes it is no leak of ours, because we never send it to the service that responds. */
function otherToken(api: "pools" | "cluster", { poolsToken, clusterToken }: Simulator): string {
  return api === "pools" ? clusterToken : poolsToken;
}

/** All functions send their requests in the same way, so `npm test` tries only some of them: other ones after every change of the code. */
test.each(
  shareOf(
    5,
    functions.map(({ name }) => name),
  ),
)(
  "%s handles every fault as the table says for a read, and changes nothing",
  async (name) => {
    const asked = functions.find((one) => one.name === name);
    if (!asked) throw new Error(`there is no function ${name}`);
    const simulator = await Simulator.start();
    fill(simulator);
    const before = everything(simulator);
    const broken: string[] = [];
    for (const [index, fault] of faultNames.entries()) {
      // `npm test` tries each chosen function with a fourth of the faults, each fault either once or lasting. `npm run test:full` tries
      // all faults, once and lasting.
      const turn = (index + functions.indexOf(asked)) % 8;
      for (const lasting of isFull ? [false, true] : [false, true].filter((_, place) => turn === 4 * place)) {
        const wrong = await run(simulator, asked, fault, lasting);
        if (wrong.length > 0) broken.push(`${fault}, ${lasting ? "for ever" : "once"}: ${wrong.join("; ")}`);
      }
    }
    expect(everything(simulator)).toEqual(before);
    expect(simulator.journal.requests().every(({ method }) => method === "GET")).toBe(true);
    await simulator.stop();
    expect(broken).toEqual([]);
  },
  60_000,
);
