/** Lists that a program gives as outputs without a value. */
import * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../model/remote";
import { agentPool } from "../resources/agent-pool";
import { dynamicResource } from "./dynamic";
import { pluginResource } from "./plugin";
import { resolved } from "./resource-inputs";

beforeEach(() => pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) }));

const classes = [
  ["a dynamic resource", (args: Properties) => dynamicResource(agentPool, "pool", args)],
  ["a resource of the plugin", (args: Properties) => pluginResource(agentPool, "pool", args)],
] as const;

describe.each(classes)("allowedWorkspaceIds of %s", (_, registration) => {
  const listOf = async (args: Properties) => (await resolved(await registration(args)[2].allowedWorkspaceIds))?.value;

  test.each([
    ["an output", () => pulumi.output(undefined)],
    ["an output of null", () => pulumi.output(null)],
    ["a promise", () => Promise.resolve(undefined)],
    ["a secret", () => pulumi.secret(undefined)],
  ])("given as %s without a value is an error, because the pool would be open to all workspaces", async (__, list) => {
    await expect(listOf({ allowedWorkspaceIds: list() })).rejects.toThrow(
      "allowedWorkspaceIds is given as an output that has no value (undefined).",
    );
  });

  test("may be left out, come from an output, or be unknown in a preview", async () => {
    expect(await listOf({})).toBeUndefined();
    expect(await listOf({ allowedWorkspaceIds: undefined })).toBeUndefined();
    expect(await listOf({ allowedWorkspaceIds: pulumi.output(["ws-1"]) })).toEqual(["ws-1"]);
    expect(await listOf({ allowedWorkspaceIds: Promise.resolve([]) })).toEqual([]);
    expect(await listOf({ allowedWorkspaceIds: pulumi.output(pulumi.unknown) })).toBeUndefined();
  });
});
