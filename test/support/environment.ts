import asyncHooks from "node:async_hooks";
import { TestEnvironment } from "jest-environment-node";

const { AsyncLocalStorage } = asyncHooks;

/**
 * A substitute for `AsyncLocalStorage` in jest's runner. The runner runs one test or hook at a time, because no test uses test.concurrent.
 */
class OneAtATime {
  private current: unknown;

  getStore(): unknown {
    return this.current;
  }

  async run<T>(store: unknown, callback: () => Promise<T>): Promise<T> {
    const outer = this.current;
    this.current = store;
    try {
      return await callback();
    } finally {
      this.current = outer;
    }
  }
}

/**
 * Node's environment without jest's `AsyncLocalStorage`. Jest's runner makes one for each test file, and never disables it. Up to Node 22,
 * each one makes every later promise of the process slower: after a hundred files a test took twice its time.
 */
export default class LeanEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(asyncHooks, { AsyncLocalStorage: OneAtATime });
  }

  /** The first event comes when the runner is loaded, and before the tests are. */
  handleTestEvent({ name }: { readonly name: string }): void {
    if (name === "setup") Object.assign(asyncHooks, { AsyncLocalStorage });
  }
}
