import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclRole } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

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
    jwksUrl: config.require("keysUrl"),
    boundAudiences: ["cluster"],
    claimMappings: { ref: "branch" },
  },
});

new AclBindingRule("main-deploys", {
  authMethod: pipelines.name,
  selector: 'value.branch == "refs/heads/main"',
  bindType: "role",
  bindName: deployers.name,
});

export const authMethod = pipelines.name;
