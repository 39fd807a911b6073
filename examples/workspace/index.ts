import * as pulumi from "@pulumi/pulumi";
import * as tfe from "@pulumi/tfe";
import { AgentPool, AgentToken } from "pulumi-agentpool-acl";

const config = new pulumi.Config();
const organization = new pulumi.Config("agentpool-acl").require("organization");

const workspace = new tfe.Workspace("network", { name: config.require("workspace"), organization });

// The pool lets the workspace in. Without allowedWorkspaceIds, every workspace of the organization may use the pool.
const pool = new AgentPool("runners", { allowedWorkspaceIds: [workspace.id] });

// The workspace uses the pool. Without this, no run ever reaches an agent.
const attached = new tfe.WorkspaceSettings("network", { workspaceId: workspace.id, executionMode: "agent", agentPoolId: pool.id });

const runners = new AgentToken("runners", { agentPoolId: pool.id, description: "Runners" }, { deletedWith: pool });

export const workspaceId = attached.workspaceId;
export const address = runners.server;
export const token = runners.token;
