import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclPolicy, AclRole, AgentPool, AgentToken } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// Permissions: each policy is a file in the folder policies.
const develop = new AclPolicy("develop", {
  name: "develop",
  description: "Runs jobs in the namespace default",
  rules: readFileSync("policies/develop.hcl", "utf8"),
});

const operate = new AclPolicy("operate", {
  name: "operate",
  description: "Runs jobs in every namespace, and drains nodes",
  rules: readFileSync("policies/operate.hcl", "utf8"),
});

// Roles wait for their policies, because they take the names as outputs.
const developers = new AclRole("developers", { name: "developers", policies: [develop.name] });
const operators = new AclRole("operators", { name: "operators", policies: [operate.name] });

// People log in with a token that the company's identity provider has signed.
const issuer = config.require("issuer");
const publicKey = config.get("publicKey");
const company = new AclAuthMethod("company", {
  name: "company",
  type: "JWT",
  tokenLocality: "local",
  maxTokenTtl: "8h",
  config: {
    // The issuer publishes its keys, unless the key is given.
    ...(publicKey ? { jwtValidationPubKeys: [publicKey] } : { oidcDiscoveryUrl: issuer }),
    boundIssuer: [issuer],
    boundAudiences: ["cluster"],
    listClaimMappings: { groups: "groups" },
  },
});

// Rules give roles to logins.
new AclBindingRule("engineering", {
  authMethod: company.name,
  description: "Engineers are developers",
  selector: "engineering in list.groups",
  bindType: "role",
  bindName: developers.name,
});

new AclBindingRule("operations", {
  authMethod: company.name,
  description: "Operations are operators",
  selector: "operations in list.groups",
  bindType: "role",
  bindName: operators.name,
});

// The agents that run this organization's deployments, and the token with which they join.
const pool = new AgentPool("runners", {});
const runners = new AgentToken("runners", { agentPoolId: pool.id, description: "Runners on the cluster's network" }, { deletedWith: pool });

export const loginMethod = company.name;
export const agentAddress = runners.server;
export const agentToken = runners.token;
