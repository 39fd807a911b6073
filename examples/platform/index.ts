import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclRole, AgentPool, AgentToken } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// The agents that deploy, on the cluster's own network.
// A destroy waits for busy agents, and removes ended ones.
const pool = new AgentPool("deployments", { forceDestroy: true, drainTimeoutSeconds: config.getNumber("drainSeconds") ?? 300 });

// The token with which they join. A destroy leaves it valid until the pool's agents are gone, and it is deleted with the pool.
const agents = new AgentToken("deployments", { agentPoolId: pool.id, description: "Deploys to production" }, { deletedWith: pool });

const deployers = new AclRole("deployers", {
  name: "deployers",
  description: pulumi.interpolate`What the agents of pool ${pool.id} may do`,
  policies: ["deploy-production"],
});

const developers = new AclRole("developers", {
  name: "developers",
  description: "What engineers may do",
  policies: ["read-only", "deploy-development"],
});

const sso = new AclAuthMethod("sso", {
  name: "company-sso",
  type: "OIDC",
  tokenLocality: "global",
  maxTokenTtl: "8h",
  config: {
    oidcDiscoveryUrl: config.require("discoveryUrl"),
    oidcClientId: "cluster",
    oidcClientSecret: config.requireSecret("clientSecret"),
    allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    listClaimMappings: { groups: "groups" },
  },
});

new AclBindingRule("engineering", {
  authMethod: sso.name,
  description: "Engineers are developers",
  selector: "engineering in list.groups",
  bindType: "role",
  bindName: developers.name,
});

new AclBindingRule("releases", {
  authMethod: sso.name,
  description: "Release managers are deployers",
  selector: '"release-managers" in list.groups',
  bindType: "role",
  bindName: deployers.name,
});

export const poolId = pool.id;
export const agentToken = agents.token;
export const loginMethod = sso.name;
