/** What of the call stacks of a program's resources reaches the engine, which keeps all of it in the state. Runs what is in `dist`. */
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packages } from "../../tools/engines/engines";
import { type Files, withProgram } from "../support/programs";
import { stackTracesOf } from "../support/stack-traces";

const links = ["@pulumi/pulumi", "pulumi-agentpool-acl", "source-map-support"];

/** Program and libraries that come with it, in a folder where it finds this package and the SDK. */
function withPackages<T>(files: Files, use: (folder: string) => T): Promise<T> {
  return withProgram(files, async (folder) => {
    for (const name of links) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(packages, name), link, "junction");
    }
    return use(folder);
  });
}

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

test("the engine is sent the calls of the program, of packages only those between them and the resource", () =>
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
    // Between the two lies the registration of the one that is transformed.
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

test("what maps positions to sources maps them still: Node, which then has all calls sent, and source-map-support", async () => {
  // Line 1 of what runs is line 10 of its source.
  const map = JSON.stringify({ version: 3, sources: ["source.ts"], names: [], mappings: "AASA" });
  const mapped = `const { AclRole } = require("pulumi-agentpool-acl/plugin"); new AclRole("it", { name: "it", policies: ["read"] });
//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}
`;
  await withPackages({ "index.js": mapped }, (folder) => {
    const byNode = stackTracesOf(folder, { flags: ["--enable-source-maps"] }).it ?? [];
    expect(byNode[0]).toBe("source.ts:10");
    expect(byNode.length).toBeGreaterThan(5);
    expect(stackTracesOf(folder, { flags: ["--require", "source-map-support/register"] })).toEqual({ it: ["source.ts:10"] });
  });
});

test("where all of the program is in packages, all calls are sent", () =>
  withPackages({ "node_modules/whole/index.js": program.slice(0, program.indexOf("new (")) }, (folder) => {
    const { plugin = [] } = stackTracesOf(join(folder, "node_modules/whole"));
    expect(plugin[0]).toBe("index.js:4");
    expect(plugin.length).toBeGreaterThan(5);
  }));

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
