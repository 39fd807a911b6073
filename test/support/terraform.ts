/** A Terraform state, and a simulator with most of the same objects. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type InventoryObject, resourceOf } from "../../cli/inventory/inventory";
import { readServers } from "../../cli/inventory/servers";
import { resolveConfiguration } from "../../provider/configuration/config";
import type { Resource } from "../../provider/lifecycle/resource";
import { differences } from "../../provider/model/diff";
import type { Simulator } from "../../testing/simulator";
import { certificates, privateKeys } from "./pem";

/** An output of `terraform show -json` whose secrets contain "canary". */
export const terraformFile = join(__dirname, "../fixtures/terraform/state.json");

/** The text of that output, for tests that change it. */
export const terraformState = (): string => readFileSync(terraformFile, "utf8");

const id = (number: number) => `${number.toString(16).padStart(8, "0")}-1111-4222-8333-${number.toString(16).padStart(12, "0")}`;
/**
 * The rules of two policies as the servers have them. The state has the same ones with other white space, with a comment, or as JSON
 * instead of HCL.
 */
const stagingRules = 'namespace "staging" {\n  capabilities = ["alloc-exec"]\n  policy = "write"\n}\nnode {\n  policy = "read"\n}\n';
const productionRules = 'namespace "production" {\n  policy = "write"\n}\n';
const redirects = ["http://localhost:4649/oidc/callback"];

/** Fills a simulator with the objects of the Terraform state except its token and its namespace, in the form of the servers' API. */
export function seedTerraform({ pools, cluster, organization }: Simulator): void {
  cluster.policies.put({ Name: "read-only", Rules: 'namespace "default" { policy = "read" }' });
  cluster.policies.put({ Name: "deploy-staging", Rules: stagingRules });
  cluster.policies.put({
    ...{ Name: "deploy-production", Description: "two people approve", Rules: productionRules },
    JobACL: { Namespace: "default", JobID: "deployer" },
  });
  cluster.methods.put({
    Name: "company-sso",
    ...{ Type: "OIDC", TokenLocality: "global", MaxTokenTTL: "1h", Default: true },
    Config: {
      ...{ OIDCDiscoveryURL: "https://login.example.com/realms/main", OIDCClientID: "nomad", OIDCClientSecret: "canary-client-secret" },
      AllowedRedirectURIs: [...redirects, "https://nomad.example.com/ui/settings/tokens"],
      ...{ BoundAudiences: ["nomad"], OIDCScopes: ["groups", "profile"], SigningAlgs: ["RS256"], ExpirationLeeway: "1m30s" },
      ...{ ClaimMappings: { department: "team" }, ListClaimMappings: { "https://example.com/groups": "groups" } },
    },
  });
  cluster.methods.put({
    Name: "ci",
    ...{ Type: "JWT", TokenLocality: "local", MaxTokenTTL: "15m" },
    Config: {
      ...{
        JWKSURL: "https://ci.example.com/.well-known/jwks",
        BoundAudiences: ["nomad.example.com"],
        BoundIssuer: ["https://ci.example.com"],
      },
      ...{ ClaimMappings: { ref: "ref", repository: "repository" }, ClockSkewLeeway: "2m", VerboseLogging: true },
    },
  });
  const PrivateKey = { PemKey: privateKeys[0], PemKeyFile: "", PemCert: certificates[0], PemCertFile: "", KeyID: "" };
  cluster.methods.put({
    Name: "signed",
    ...{ Type: "OIDC", TokenLocality: "global", MaxTokenTTL: "8h" },
    Config: {
      ...{
        OIDCDiscoveryURL: "https://signed.example.com",
        OIDCClientID: "nomad-signed",
        OIDCEnablePKCE: true,
        AllowedRedirectURIs: redirects,
      },
      OIDCClientAssertion: {
        ...{ KeySource: "private_key", KeyAlgorithm: "RS256", Audience: ["https://signed.example.com"], ClientSecret: "" },
        PrivateKey: { ...PrivateKey, KeyIDHeader: "x5t#S256" },
        ExtraHeaders: { typ: "JWT" },
      },
    },
  });
  const role = (number: number, Name: string, Description: string, ...policies: string[]) =>
    cluster.roles.put({ ID: id(number), Name, Description, Policies: policies.map((policy) => ({ Name: policy })) });
  role(0x101, "deploy-staging", "", "read-only", "deploy-staging");
  role(0x102, "deploy-production", "two people approve", "deploy-production");
  role(0x103, "developers", "all of engineering", "read-only");
  role(0x104, "team-ops", "", "read-only", "deploy-staging");
  const rule = (number: number, BindType: string, BindName: string, Selector: string, Description = "", AuthMethod = "company-sso") =>
    cluster.rules.put({ ID: id(number), AuthMethod, BindType, BindName, Selector, Description });
  rule(0x201, "policy", "deploy-$" + "{value.ref}", 'value.repository matches "^example/"', "pipelines", "ci");
  rule(0x202, "role", "deploy-staging", '"staging" in list.groups');
  rule(0x203, "role", "deploy-production", '"release-managers" in list.groups and value.team != "interns"');
  rule(0x204, "management", "", "admins in list.groups", "administrators");
  rule(0x205, "role", "developers", "engineering in list.groups", 'say "hi" to $' + "{everyone}\nand `more`");
  rule(0x206, "role", "operators", "ops in list.groups", "of a method that others manage", "ldap");
  rule(0x207, "role", "team-ops", "ops in list.groups");
  const workspaces = ["ws-1xxxxxxxxxxxxxxx", "ws-2xxxxxxxxxxxxxxx", "ws-3xxxxxxxxxxxxxxx"];
  for (const workspace of workspaces) pools.addWorkspace(organization, { id: workspace, name: workspace });
  const project = pools.addProject(organization, { id: "prj-1xxxxxxxxxxxxxxx", name: "networks" });
  const build = pools.put({ id: "apool-bU1ldxxxxxxxxxxx", organization, name: "build" });
  pools.put({ id: "apool-bU1ld2xxxxxxxxxx", organization, name: "build-2" });
  pools.put({
    ...{ id: "apool-lim1tedxxxxxxxx", organization, name: "limited", organizationScoped: false },
    allowedWorkspaceIds: workspaces.slice(0, 2),
    ...{ allowedProjectIds: [project.id], excludedWorkspaceIds: workspaces.slice(2) },
  });
  pools.addAgentToken(build.id, "build", "at-1xxxxxxxxxxxxxxx");
}

/** Expects the objects that were read from the state to equal those that are read from the servers, including their IDs. */
export async function expectThoseOfServers(objects: readonly InventoryObject[], simulator: Simulator, chosen: readonly Resource[]) {
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = simulator;
  const values: Record<string, unknown> = { poolsAddress, poolsToken, organization, clusterAddress, clusterToken };
  const shown = await readServers({ configuration: resolveConfiguration((key) => values[key], {}), resources: chosen });
  const keyOf = ({ kind, name, id }: InventoryObject) => `${kind} ${name} ${id}`;
  const sorted = (all: readonly InventoryObject[]) => [...all].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const ours = sorted(objects);
  expect(ours.map(keyOf)).toEqual(sorted(shown.objects).map(keyOf));
  for (const [index, { kind, inputs, outputs }] of sorted(shown.objects).entries()) {
    expect(differences(resourceOf(kind)?.inputs ?? new Map(), inputs, ours[index]?.inputs ?? {})).toEqual([]);
    expect(ours[index]?.outputs.unmanagedSecrets).toEqual(outputs.unmanagedSecrets);
  }
}
