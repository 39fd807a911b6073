/** What to do about a resource of these types, which no program of this package declares. */
const remedies: Readonly<Record<string, string>> = {
  nomad_acl_policy: "ACL policies are only looked up: leave it in Terraform, or declare it by another package of Pulumi",
  nomad_acl_token: "ACL tokens are not managed: leave it in Terraform",
  tfe_agent_token: "tokens of agents are not managed: leave it in Terraform, with the pool's ID as a text",
  tfe_agent_pool_allowed_projects:
    "of a pool's limits only allowed workspaces are managed: leave it in Terraform, with the pool's ID as a text",
  tfe_agent_pool_excluded_workspaces:
    "of a pool's limits only allowed workspaces are managed: leave it in Terraform, with the pool's ID as a text",
};

export function remedyOf(type: string): string {
  return remedies[type] ?? "it is of no kind of this package: leave it in Terraform, or declare it by another package of Pulumi";
}
