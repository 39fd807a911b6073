import * as pulumi from "@pulumi/pulumi";
import { AgentPool, AgentToken, getWorkspaceOutput } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

const pool = new AgentPool("runners", {
  // A missing workspace is an error, even in the preview.
  allowedWorkspaceIds: config.requireObject<string[]>("workspaces").map((name) => getWorkspaceOutput({ name }).id),
  // A destroy removes ended agents, and gives busy ones a minute to finish.
  forceDestroy: true,
  drainTimeoutSeconds: 60,
});

const runners = new AgentToken(
  "runners",
  {
    agentPoolId: pool.id,
    description: `Agents of ${pulumi.getProject()}, stack ${pulumi.getStack()}`,
    // A new value creates a new token, and then deletes the old one.
    keepers: { rotation: config.get("rotation") ?? "1" },
  },
  // The token stays valid until the pool's agents are gone, and is deleted with the pool.
  { deletedWith: pool },
);

/** `address` and `token` are for the variables TFC_ADDRESS and TFC_AGENT_TOKEN, with which an agent joins the pool. */
export const address = runners.server;
export const token = runners.token;
