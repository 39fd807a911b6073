/** Tests stand beside what they test; what spans the whole is in provider/test. */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/provider", "<rootDir>/bench/src"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" }, sourceMaps: "inline" },
    ],
  },
  collectCoverageFrom: ["provider/**/*.ts", "!provider/**/*.test.ts", "!provider/test/**"],
};
