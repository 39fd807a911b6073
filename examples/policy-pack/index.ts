import { PolicyPack } from "@pulumi/policy";
import { accessPolicies } from "pulumi-agentpool-acl/policies";

new PolicyPack("access", {
  policies: accessPolicies({
    // Roles and methods that other programs make.
    knownRoles: ["auditors"],
    knownMethods: [],
    // A working day: who stays longer logs in again.
    maxTokenTtl: "8h",
    // What ACL policies may allow: somebody may read all namespaces, and pipelines get no more than they need.
    limits: [
      { allowedInAllNamespaces: ["namespace:read"] },
      {
        loginsOf: ["ci"],
        allowedCapabilities: ["namespace:read", "submit-job", "variables:read"],
        ownNamespaces: ["web", "web-*"],
      },
    ],
    // A claim that nobody maps is mostly a mistake of today; the others must not happen at all.
    enforcementLevels: { "no-unmapped-claims": "advisory" },
  }),
});
