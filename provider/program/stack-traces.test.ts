import { execFileSync } from "node:child_process";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { AclRole } from "../plugin";

/** Declares a role, and lets a transformation look around while it is registered. */
async function whileRegistering<T>(look: () => T): Promise<T | undefined> {
  let seen: T | undefined;
  const transformation = () => {
    seen = look();
    return undefined;
  };
  const role = new AclRole("dev", { name: "dev", policies: ["read"] }, { transformations: [transformation] });
  await new Promise((resolve) => role.urn.apply(resolve));
  return seen;
}

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  }),
);

test("there is one call between the SDK's constructor and the program, so that the engine gets the program's place", () => {
  // As it is built: what transforms the tests may add calls.
  const script = `
    const pulumi = require("@pulumi/pulumi");
    const { AclRole } = require(${JSON.stringify(join(__dirname, "../../dist/provider/plugin.js"))});
    const look = () => {
      Error.stackTraceLimit = 20;
      console.log(new Error().stack);
    };
    pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
    function inProgram() {
      new AclRole("dev", { name: "dev", policies: ["read"] }, { transformations: [look] });
    }
    inProgram();
  `;
  const calls = execFileSync(process.execPath, ["-e", script], { encoding: "utf8", cwd: __dirname }).split("\n");
  const sdk = calls.findLastIndex((line) => line.includes("new CustomResource"));
  expect(calls[sdk + 1]).toMatch(/new AclRole .*resource-class\.js/);
  expect(calls[sdk + 2]).toContain("inProgram");
});

test("a resource is registered with call stacks of one call, and the program's are as long as before", async () => {
  const before = Error.stackTraceLimit;
  expect(before).toBeGreaterThan(1);
  expect(await whileRegistering(() => Error.stackTraceLimit)).toBe(1);
  expect(Error.stackTraceLimit).toBe(before);
});

test("with PULUMI_DEBUG_PROMISE_LEAKS the stacks are whole", async () => {
  process.env.PULUMI_DEBUG_PROMISE_LEAKS = "true";
  try {
    expect(await whileRegistering(() => Error.stackTraceLimit)).toBe(Error.stackTraceLimit);
  } finally {
    delete process.env.PULUMI_DEBUG_PROMISE_LEAKS;
  }
});

test("an error of the registration names the place in the program, and leaves the stacks as they were", () => {
  const before = Error.stackTraceLimit;
  let error: unknown;
  try {
    new AclRole("", { name: "dev", policies: ["read"] });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    message: expect.stringContaining("Missing resource name"),
    stack: expect.stringContaining("stack-traces.test.ts"),
  });
  expect(Error.stackTraceLimit).toBe(before);
});
