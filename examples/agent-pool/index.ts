import * as pulumi from "@pulumi/pulumi";
import { AgentPool, listAgentsOutput } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

const pool = new AgentPool("build", {
  // Without this, every workspace of the organization may use the pool.
  allowedWorkspaceIds: config.getObject<string[]>("allowedWorkspaceIds"),
  // A destroy removes ended agents, and gives busy ones a minute to finish.
  forceDestroy: true,
  drainTimeoutSeconds: 60,
});

export const poolId = pool.id;
export const agents = listAgentsOutput({ agentPoolId: pool.id }).agents.apply((list) => list.map(({ id, status }) => `${id}: ${status}`));
