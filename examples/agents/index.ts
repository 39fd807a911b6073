import * as pulumi from "@pulumi/pulumi";
import { AgentPool, AgentToken, getWorkspaceOutput } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

const pool = new AgentPool("runners", {
  // A workspace that does not exist is an error, already in the preview.
  allowedWorkspaceIds: config.requireObject<string[]>("workspaces").map((name) => getWorkspaceOutput({ name }).id),
  // A destroy removes agents that have ended, and gives busy ones a minute to finish.
  forceDestroy: true,
  drainTimeoutSeconds: 60,
});

const runners = new AgentToken(
  "runners",
  {
    agentPoolId: pool.id,
    description: `Agents of ${pulumi.getProject()}, stack ${pulumi.getStack()}`,
    // Another value makes a new token, and then deletes the old one.
    keepers: { rotation: config.get("rotation") ?? "1" },
  },
  // The token stays valid until the pool's agents are gone, and ends with the pool.
  { deletedWith: pool },
);

/** What an agent needs to join the pool, as its variables TFC_ADDRESS and TFC_AGENT_TOKEN. */
export const address = runners.server;
export const token = runners.token;
