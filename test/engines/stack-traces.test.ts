/**
 * The call stacks of resources. The engine keeps every call that it gets in the state, so it usually gets only a part of each stack. A
 * variable of the environment can ask for all calls. Runs the files in `dist`.
 */
import { stackTracesOf, withPackages } from "../support/stack-traces";

const component = `const { ComponentResource } = require("@pulumi/pulumi");
const { AclRole } = require("pulumi-agentpool-acl/plugin");
exports.Team = class Team extends ComponentResource {
  constructor(name) {
    super("teams:index:Team", name);
    new AclRole(name + "-role", { name, policies: ["read"] }, { parent: this });
  }
};
`;

const program = `const dynamic = require("pulumi-agentpool-acl");
const plugin = require("pulumi-agentpool-acl/plugin");
new dynamic.AclRole("dynamic", { name: "dynamic", policies: ["read"] });
new plugin.AclRole("plugin", { name: "plugin", policies: ["read"] });
new (require("./team").Team)("own");
new (require("teams").Team)("foreign");
function declare(name, options) {
  return new plugin.AclRole(name, { name, policies: ["read"] }, options);
}
declare("called");
plugin.AclRole.get("found", "found");
const nested = () => void declare("inner");
declare("outer", { transformations: [nested] });
`;

const files = { "index.js": program, "team.js": component, "node_modules/teams/index.js": component };

test("the engine gets the calls of the program, and of packages only the calls between the program and the resource", () =>
  withPackages(files, (folder) => {
    const { inner, ...traces } = stackTracesOf(folder);
    expect(traces).toEqual({
      dynamic: ["index.js:3"],
      plugin: ["index.js:4"],
      own: expect.arrayContaining(["index.js:5"]),
      "own-role": ["team.js:6", "index.js:5"],
      foreign: expect.arrayContaining(["index.js:6"]),
      "foreign-role": ["index.js:6", "index.js:6"],
      called: ["index.js:8", "index.js:10"],
      outer: ["index.js:8", "index.js:13"],
    });
    // Between the two calls lies the registration of the transformed resource.
    expect(inner?.slice(0, 2)).toEqual(["index.js:8", "index.js:12"]);
    expect(inner?.slice(-2)).toEqual(["index.js:8", "index.js:13"]);
  }));

test.each(["PULUMI_DEBUG_PROMISE_LEAKS", "AGENTPOOL_ACL_WHOLE_STACK_TRACES"])("with %s all calls are sent", (name) =>
  withPackages({ "index.js": program.slice(0, program.indexOf("new (")) }, (folder) => {
    const { plugin = [] } = stackTracesOf(folder, { env: { [name]: "true" } });
    expect(plugin[0]).toBe("index.js:4");
    expect(plugin.length).toBeGreaterThan(5);
  }),
);

test("a stack is prepared as before outside of a registration, and after one that failed", () => {
  const checked = `const { AclRole } = require("pulumi-agentpool-acl/plugin");
const assert = require("node:assert");
const before = Error.prepareStackTrace;
const role = (options) => new AclRole("it", { name: "it", policies: ["read"] }, options);
const fail = () => { throw new Error("no"); };
let seen;
role({ transformations: [() => void (seen = Error.prepareStackTrace)] });
assert.notStrictEqual(seen, before);
assert.strictEqual(Error.prepareStackTrace, before);
assert.throws(() => role({ transformations: [fail] }), /no/);
assert.strictEqual(Error.prepareStackTrace, before);
const theirs = (error, calls) => "Error\\n" + calls.map((call) => "    at " + call).join("\\n");
const install = () => void (Error.prepareStackTrace = theirs);
new AclRole("installing", { name: "it", policies: ["read"] }, { transformations: [install] });
assert.strictEqual(Error.prepareStackTrace, theirs);
new AclRole("after", { name: "it", policies: ["read"] });
assert.strictEqual(Error.prepareStackTrace, theirs);
Error.prepareStackTrace = undefined;
new AclRole("without", { name: "it", policies: ["read"] });
assert.strictEqual(Error.prepareStackTrace, undefined);
`;
  return withPackages({ "index.js": checked }, (folder) => {
    const traces = stackTracesOf(folder);
    expect(traces.it).toEqual(["index.js:4", "index.js:7"]);
    expect(traces.after).toEqual(["index.js:16"]);
    expect(traces.without?.[0]).toBe("index.js:19");
  });
});
