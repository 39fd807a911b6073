/**
 * What Pulumi's SDK loads to send functions to another process, TypeScript among it: nine megabytes for each test file. No test in its own
 * process does that, and programs that tests start load the real ones.
 */
module.exports = new Proxy(
  {},
  {
    get(_, name) {
      // The import of a module looks at this.
      if (name === "__esModule") return true;
      throw new Error(`The SDK reads ${String(name)} of a module that test/support/unused-by-sdk.js replaces: see jest.config.js`);
    },
  },
);
