/** Tests are next to the tested code; tests across folders are in test/. */
module.exports = {
  testEnvironment: "<rootDir>/test/support/environment.ts",
  globalSetup: "<rootDir>/test/support/surroundings.ts",
  // Only against what hangs: on a busy machine a test that starts programs or the Pulumi CLI takes minutes.
  testTimeout: 300_000,
  // Much of the time goes into waiting for programs: the usual number, one less than the processors, leaves them idle.
  maxWorkers: "100%",
  roots: ["access", "access-functions", "cli", "checks", "common", "policies", "provider", "test", "testing", "tools"].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ["**/*.test.ts"],
  // What a person does not wait for while working: `npm run test:full` runs it.
  testPathIgnorePatterns: ["/node_modules/", "\\.full\\.test\\.ts$"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" }, sourceMaps: "inline" },
    ],
  },
  // Each test file loads its modules anew, so what no test needs is left out.
  moduleNameMapper: {
    "^@npmcli/arborist$|/typescript-shim$": "<rootDir>/test/support/unused-by-sdk.js",
    "^undici$": "<rootDir>/test/support/undici.js",
    "^\\.\\./locales/index\\.cjs$": "<rootDir>/test/support/no-locales.js",
  },
  collectCoverageFrom: ["{access,access-functions,checks,cli,common,policies,provider,testing,tools}/**/*.ts", "!**/*.test.ts"],
};
