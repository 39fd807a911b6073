import * as nomad from "@pulumi/nomad";
import * as pulumi from "@pulumi/pulumi";
import { AclAuthMethod, AclBindingRule, AclPolicy, AclRole } from "pulumi-agentpool-acl";

const config = new pulumi.Config();

// The namespace and its job, by the provider for Nomad.
const payments = new nomad.Namespace("payments", { name: "payments", description: "The jobs of the payments team" });

const hello = new nomad.Job("hello", {
  jobspec: pulumi.interpolate`job "hello" {
  namespace = "${payments.name}"
  type      = "batch"
  group "hello" {
    task "hello" {
      driver = "raw_exec"
      config {
        command = "true"
      }
    }
  }
}`,
});

// The permissions in that namespace, by this provider. The policy waits for the namespace, because it takes the name as an output.
const write = new AclPolicy("payments-write", {
  name: "payments-write",
  rules: pulumi.interpolate`namespace "${payments.name}" { policy = "write" }`,
});

const team = new AclRole("payments", { name: "payments", policies: [write.name] });

const issuer = config.require("issuer");
const company = new AclAuthMethod("company", {
  name: "company",
  type: "JWT",
  tokenLocality: "local",
  maxTokenTtl: "8h",
  config: {
    oidcDiscoveryUrl: issuer,
    boundIssuer: [issuer],
    boundAudiences: ["cluster"],
    listClaimMappings: { groups: "groups" },
  },
});

new AclBindingRule("payments", {
  authMethod: company.name,
  description: "The payments team writes its namespace",
  selector: "payments in list.groups",
  bindType: "role",
  bindName: team.name,
});

export const job = hello.id;
