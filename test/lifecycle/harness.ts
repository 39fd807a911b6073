import { basename } from "node:path";
import type { DialectName, Simulator, SimulatorOptions } from "../../testing/simulator";
import { type Adapter, adapters } from "../support/adapters";
import { isFull } from "../support/extent";
import { TestStack } from "../support/stack";

export * from "../support/stack";

type Start = (options?: SimulatorOptions) => Promise<TestStack>;

/** The adapters of a suite: both, or in `npm test` one of them, by the name of its file. */
function adaptersOfSuite(): readonly Adapter[] {
  const { testPath = "" } = expect.getState();
  return isFull ? adapters : adapters.filter((_, index) => index === basename(testPath).length % adapters.length);
}

/** Defines tests that run through every adapter, in `npm test` through one. Their servers are stopped after each test. */
export function throughEveryAdapter(title: string, tests: (start: Start) => void): void {
  describe.each(adaptersOfSuite())(`${title} (through the $name adapter)`, (adapter) => tests(starting(adapter, "measured")));
}

/**
 * The same, and once more with documented servers, in `npm test` if the suite's adapter is the dynamic one. A test of features that those lack
 * checks the dialect. One adapter is enough there, because adapters don't depend on the servers. The random lifecycles and the fault matrix
 * use both.
 */
export function throughEveryAdapterToEveryServer(title: string, tests: (start: Start, dialect: DialectName) => void): void {
  throughEveryAdapter(title, (start) => tests(start, "measured"));
  // None in npm test, if the suite's adapter is the other one.
  for (const adapter of adaptersOfSuite().filter(({ name }) => name === "dynamic"))
    describe(`${title} (through the ${adapter.name} adapter, to servers that are as documented)`, () =>
      tests(starting(adapter, "documented"), "documented"));
}

function starting(adapter: Adapter, dialect: DialectName): Start {
  const running: Simulator[] = [];
  afterEach(() => Promise.all(running.splice(0).map((simulator) => simulator.stop())));
  return async (options = {}) => {
    const stack = await TestStack.start(adapter, { dialect, ...options });
    running.push(stack.simulator);
    return stack;
  };
}
