import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclRole } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// Delete the vendor that you do not use.
const vendors = {
  github: {
    issuer: "https://token.actions.githubusercontent.com",
    keysUrl: "https://token.actions.githubusercontent.com/.well-known/jwks",
    tenantClaim: "repository_id",
    environments: ["production"],
  },
  gitlab: {
    issuer: "https://gitlab.com",
    keysUrl: "https://gitlab.com/oauth/discovery/keys",
    tenantClaim: "project_id",
    // The second one is for the job up-approved.
    environments: ["production", "production/management"],
  },
};
const vendor = vendors[config.require<"github" | "gitlab">("vendor", { allowedValues: ["github", "gitlab"] })];
const tenant = config.require("tenant", { pattern: /^\d+$/ });

const deployers = new AclRole("deployers", {
  name: "deployers",
  policies: config.requireObject<string[]>("policies"),
});

/** The settings for the vendor's tokens with one audience. */
const tokensFor = (audience: string) => ({
  jwksUrl: config.get("keysUrl") ?? vendor.keysUrl,
  boundIssuer: [config.get("issuer") ?? vendor.issuer],
  boundAudiences: [audience],
  claimMappings: { [vendor.tenantClaim]: "tenant", environment: "environment", ref_protected: "protected" },
});
// The tenant comes first, because the vendor signs the tokens of all its customers, and the rest is the same for many of them.
const protectedJobs = `value.tenant == "${tenant}" and value.protected == "true"`;
const environmentIs = (name: string) => `value.environment == "${name}"`;

const pipelines = new AclAuthMethod("pipelines", {
  name: "pipelines",
  type: "JWT",
  tokenLocality: "local",
  maxTokenTtl: "15m",
  config: tokensFor("cluster"),
});

new AclBindingRule("production-deploys", {
  authMethod: pipelines.name,
  selector: `${protectedJobs} and ${environmentIs("production")}`,
  bindType: "role",
  bindName: deployers.name,
});

// The pipeline itself logs in with this method, so it stores no token of the cluster.
if (config.getBoolean("login")) {
  const access = new AclAuthMethod("access", {
    name: "access",
    type: "JWT",
    tokenLocality: "global",
    maxTokenTtl: "15m",
    config: tokensFor("cluster-access"),
  });
  new AclBindingRule("production-access", {
    authMethod: access.name,
    selector: `${protectedJobs} and (${vendor.environments.map(environmentIs).join(" or ")})`,
    bindType: "management",
  });
}

export const authMethod = pipelines.name;
