/** All tests. Tests that run only in part with `npm test` run completely (test/support/extent.ts). */
process.env.TESTS = "full";
module.exports = { ...require("./jest.config"), testPathIgnorePatterns: ["/node_modules/"] };
