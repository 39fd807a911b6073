/** Objects for everything that a picture can show. */

import type { AccessModel } from "../../cli/access/model";
import { toAccessModel } from "../../cli/access/read-model";
import { parseExport } from "../../cli/inventory/export";

const rule = (authMethod: string, description: string, selector: string, bindType: string, bindName = "") => ({
  authMethod,
  description,
  selector,
  bindType,
  bindName,
});

/** An output of `pulumi-agentpool-acl export`. */
export const exampleExport = {
  format: 1,
  objects: {
    AclAuthMethod: [
      {
        name: "company-sso",
        type: "OIDC",
        tokenLocality: "global",
        maxTokenTtl: "8h",
        default: true,
        config: { claimMappings: { department: "department", team: "team" }, listClaimMappings: { groups: "groups" } },
      },
      {
        name: "pipelines",
        type: "JWT",
        tokenLocality: "local",
        maxTokenTtl: "30m",
        config: { claimMappings: { project_path: "project", ref: "ref" } },
      },
    ],
    AclRole: [
      { name: "auditors", policies: ["read-only"] },
      { name: "deployers", policies: ["deploy-production", "read-only"] },
      { name: "developers", policies: ["deploy-development", "read-only"] },
      { name: "team-ops", policies: ["operate"] },
      { name: "team-web", policies: ["deploy-development"] },
      { name: "unused", policies: ["read-only"] },
    ],
    AclBindingRule: [
      rule("company-sso", "Engineers are developers", "engineering in list.groups", "role", "developers"),
      rule(
        "company-sso",
        "Release managers are deployers",
        '"release-managers" in list.groups and not (contractors in list.groups or value.department == "sales")',
        "role",
        "deployers",
      ),
      rule("company-sso", "Everybody but contractors", "contractors not in list.grups", "role", "auditors"),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
      rule("company-sso", "Each team has a role", "value.team is not empty", "role", "team-${value.team}"),
      rule("company-sso", "Administrators", "admins in list.groups", "management"),
      rule("company-sso", "Readers", "", "policy", "read-only"),
      rule("company-sso", "Former operators", "operators in list.groups", "role", "operators"),
      rule("pipelines", "The main branch deploys", 'value.ref == main and value.project matches "^platform/.*"', "role", "deployers"),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
      rule("pipelines", "Branches of teams", "value.ref == dev", "role", "team-${value.teem}"),
      rule("left-over", "Of a method that is gone", "value.x == y", "role", "developers"),
    ],
  },
};

/** The same objects and one more role, with the rules of the roles' policies, and of policies that apply without a login. */
export const rightsExport = {
  ...exampleExport,
  objects: {
    ...exampleExport.objects,
    AclRole: [...exampleExport.objects.AclRole, { name: "backups", policies: ["snapshots"] }],
    AclPolicy: [
      { name: "read-only", rules: 'namespace "*" { policy = "read" }\nnode { policy = "read" }' },
      {
        name: "deploy-production",
        rules: `namespace "prod" {
  policy = "write"
  variables { path "app/*" { capabilities = ["read", "write"] } }
}
namespace "legacy" { policy = "deny" }
node_pool "gpu" { policy = "write" }`,
      },
      { name: "deploy-development", rules: 'namespace "dev-*" { capabilities = ["submit-job", "made-up"] }' },
      // The rules of "operate" are a secret.
      { name: "operate", rules: "[secret]" },
      { name: "snapshots", rules: 'operator { capabilities = ["snapshot-save"] }' },
      { name: "anonymous", rules: 'namespace "default" { capabilities = ["list-jobs"] }' },
      {
        name: "database",
        rules: 'namespace "prod" { variables { path "app/db" { capabilities = ["read"] } } }',
        jobAcl: { namespace: "prod", jobId: "api" },
      },
    ],
  },
};

export function exampleModel(): AccessModel {
  return modelOf(exampleExport);
}

/** @param exported the output of `pulumi-agentpool-acl export` */
export function modelOf(exported: object): AccessModel {
  return toAccessModel(parseExport(JSON.stringify(exported), "export.json"));
}

/** Very many objects. */
export function largeExport({ methods = 100, roles = 1_000, rules = 1_000 } = {}): object {
  const some = <T>(count: number, make: (place: number) => T) => Array.from({ length: count }, (_, place) => make(place));
  return {
    format: 1,
    objects: {
      AclAuthMethod: some(methods, (place) => ({
        name: `method-${place}`,
        type: "JWT",
        tokenLocality: "local",
        config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } },
      })),
      AclRole: some(roles, (place) => ({
        name: `role-${place}`,
        policies: [`policy-${place % 50}`, `policy-${(place * 7) % 300}`, "read-only"],
      })),
      AclBindingRule: some(rules, (place) =>
        rule(
          `method-${place % methods}`,
          `Rule ${place}`,
          `"group-${place}" in list.groups and value.team != ""`,
          "role",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
          place % 50 === 0 ? "role-${value.team}" : `role-${(place * 37) % roles}`,
        ),
      ),
    },
  };
}
