import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclRole } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// People log in through the company's identity provider.
const people = new AclAuthMethod("people", {
  name: "company-sso",
  type: "OIDC",
  tokenLocality: "global",
  maxTokenTtl: "8h",
  default: true,
  config: {
    oidcDiscoveryUrl: config.require("discoveryUrl"),
    oidcClientId: config.require("clientId"),
    oidcClientSecret: config.requireSecret("clientSecret"),
    oidcScopes: ["groups"],
    boundAudiences: [config.require("clientId")],
    allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    listClaimMappings: { groups: "groups" },
  },
});

// Pipelines log in with the token that their system signs for every job. The system signs the tokens of all its customers, so the method
// accepts one issuer only, and the rule one project only, by its ID. Somebody else could take the name of a renamed project.
const pipelines = new AclAuthMethod("pipelines", {
  name: "pipelines",
  type: "JWT",
  tokenLocality: "local",
  maxTokenTtl: "15m",
  config: {
    jwksUrl: config.require("pipelineKeysUrl"),
    boundIssuer: [config.require("pipelineIssuer")],
    boundAudiences: ["cluster"],
    claimMappings: { project_id: "project", ref_protected: "protected" },
  },
});

const developers = new AclRole("developers", {
  name: "developers",
  description: "Read everything, and submit jobs to the development namespace",
  policies: ["read-only", "deploy-development"],
});

const deployers = new AclRole("deployers", {
  name: "deployers",
  description: "Submit jobs to the production namespace",
  policies: ["deploy-production"],
});

// A role gives the permissions of its policies.
const engineering = new AclBindingRule("engineering", {
  authMethod: people.name,
  description: "Engineers are developers",
  selector: "engineering in list.groups",
  bindType: "role",
  bindName: developers.name,
});

new AclBindingRule("releases", {
  authMethod: pipelines.name,
  description: "Protected branches of the platform's project deploy to production",
  selector: `value.project == "${config.require("pipelineProject")}" and value.protected == "true"`,
  bindType: "role",
  bindName: deployers.name,
});

// A policy, given without a role.
new AclBindingRule("audit", {
  authMethod: people.name,
  description: "Auditors may read",
  selector: "audit in list.groups",
  bindType: "policy",
  bindName: "read-only",
});

// Management may do everything, and has no bindName.
new AclBindingRule("administration", {
  authMethod: people.name,
  description: "Administrators may do everything",
  selector: '"cluster-admins" in list.groups',
  bindType: "management",
});

export const loginCommand = pulumi.interpolate`nomad login -method=${people.name}`;
export const developersRole = developers.id;
export const engineeringRule = engineering.id;
