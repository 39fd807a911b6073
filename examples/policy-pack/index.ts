import { PolicyPack } from "@pulumi/policy";
import { accessPolicies } from "pulumi-agentpool-acl/policies";

new PolicyPack("access", {
  policies: accessPolicies({
    // Roles and methods of other programs.
    knownRoles: ["auditors"],
    knownMethods: [],
    // A working day. People who stay longer log in again.
    maxTokenTtl: "8h",
    // Limits on ACL policies: reading is allowed in all namespaces, and pipelines get no more than they need.
    limits: [
      { allowedInAllNamespaces: ["namespace:read"] },
      {
        loginsOf: ["ci"],
        allowedCapabilities: ["namespace:read", "submit-job", "variables:read"],
        ownNamespaces: ["web", "web-*"],
      },
    ],
    // An unmapped claim is mostly a simple mistake; the others must not happen at all.
    enforcementLevels: { "no-unmapped-claims": "advisory" },
  }),
});
