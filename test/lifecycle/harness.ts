import { basename } from "node:path";
import type { DialectName, Simulator, SimulatorOptions } from "../../testing/simulator";
import { type Adapter, adapters } from "../support/adapters";
import { isFull } from "../support/extent";
import { TestStack } from "../support/stack";

export * from "../support/stack";

type Start = (options?: SimulatorOptions) => Promise<TestStack>;

/** The adapter of a suite, by the name of its file. */
function adapterOfSuite(): Adapter[] {
  const { testPath = "" } = expect.getState();
  return adapters.filter((_, index) => index === basename(testPath).length % adapters.length);
}

/** Defines tests that run through every adapter. In `npm test` they run through one adapter. Their servers are stopped after each test. */
export function throughEveryAdapter(title: string, tests: (start: Start) => void): void {
  describe.each(isFull ? [...adapters] : adapterOfSuite())(`${title} (through the $name adapter)`, (adapter) =>
    tests(starting(adapter, "measured")),
  );
}

/**
 * Defines tests that run through one adapter, with measured servers, and in `npm run test:full` with documented servers, too. A test of a
 * feature that documented servers lack checks the dialect. In `npm test`, documented.test.ts, the random lifecycles and the fault matrix
 * use documented servers. Adapters don't depend on servers: test/faults/adapters.test.ts shows that both send the same requests.
 */
export function toEveryServer(title: string, tests: (start: Start, dialect: DialectName) => void): void {
  describe.each(adapterOfSuite())(`${title} (through the $name adapter)`, (adapter) => {
    tests(starting(adapter, "measured"), "measured");
    if (isFull) describe("to servers that are as documented", () => tests(starting(adapter, "documented"), "documented"));
  });
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
