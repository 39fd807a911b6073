/** All tests, and the whole of those of which `npm test` runs a share (test/support/extent.ts). */
process.env.TESTS = "full";
module.exports = { ...require("./jest.config"), testPathIgnorePatterns: ["/node_modules/"] };
