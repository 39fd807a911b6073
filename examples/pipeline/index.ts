import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclRole } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// Delete the one that you do not use.
const vendors = {
  github: {
    issuer: "https://token.actions.githubusercontent.com",
    keysUrl: "https://token.actions.githubusercontent.com/.well-known/jwks",
    tenantClaim: "repository_id",
  },
  gitlab: {
    issuer: "https://gitlab.com",
    keysUrl: "https://gitlab.com/oauth/discovery/keys",
    tenantClaim: "project_id",
  },
};
const vendor = vendors[config.require<"github" | "gitlab">("vendor", { allowedValues: ["github", "gitlab"] })];
const tenant = config.require("tenant", { pattern: /^\d+$/ });

const deployers = new AclRole("deployers", {
  name: "deployers",
  policies: config.requireObject<string[]>("policies"),
});

const pipelines = new AclAuthMethod("pipelines", {
  name: "pipelines",
  type: "JWT",
  tokenLocality: "local",
  maxTokenTtl: "15m",
  config: {
    jwksUrl: config.get("keysUrl") ?? vendor.keysUrl,
    boundIssuer: [config.get("issuer") ?? vendor.issuer],
    boundAudiences: ["cluster"],
    claimMappings: { [vendor.tenantClaim]: "tenant", environment: "environment", ref_protected: "protected" },
  },
});

new AclBindingRule("production-deploys", {
  authMethod: pipelines.name,
  // The tenant comes first: the vendor signs the tokens of all its customers, and the rest is the same for many of them.
  selector: `value.tenant == "${tenant}" and value.environment == "production" and value.protected == "true"`,
  bindType: "role",
  bindName: deployers.name,
});

export const authMethod = pipelines.name;
