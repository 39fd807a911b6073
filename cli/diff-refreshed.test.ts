/** `diff` of a preview after a refresh: the outputs of the state are the server's, and the inputs may be older. */
import { pluginToken } from "../provider/configuration/tokens";
import { diff, file, useFolder } from "../test/support/diff";

useFolder();

type Properties = Readonly<Record<string, unknown>>;

async function previewed(op: string, kind: string, { inputs, outputs }: { inputs: Properties; outputs: Properties }): Promise<string[]> {
  const [type, urn] = [pluginToken(kind), `urn:pulumi:dev::p::${pluginToken(kind)}::it`];
  const newState = op === "delete" ? undefined : { urn, type, inputs };
  const policies = ["read", "adm"].map((name) => {
    const rules = name === "adm" ? 'operator { policy = "write" }' : 'node { policy = "read" }';
    const state = { urn: `urn:pulumi:dev::p::policy::${name}`, type: pluginToken("AclPolicy"), id: name, inputs: { name, rules } };
    return { op: "same", urn: state.urn, oldState: state, newState: state };
  });
  const steps = [...policies, { op, urn, oldState: { urn, type, id: "1", inputs, outputs }, newState }];
  return (await diff("--preview", file("preview.json", { steps }))).out.split("\n").slice(0, -1);
}

const role = { name: "ops", policies: ["adm"] };

test("an update that restores a permission removed by others is reported by the outputs of the state, although its inputs are the same", async () => {
  expect(await previewed("update", "AclRole", { inputs: role, outputs: { ...role, policies: ["read"] } })).toEqual([
    "- the role `ops` also gives `adm`; no rule here gives this role [management, widened]",
    expect.stringMatching(/^- tokens with the role `ops` may now do everything, .* \[management, widened\]$/),
    "- the role `ops` no longer gives `read`; no rule here gave this role [narrowed]",
    expect.stringMatching(/^- tokens with the role `ops` may no longer use node:read .* \[narrowed\]$/),
  ]);
  const token = { name: "ci", type: "client", policies: ["adm"] };
  expect(await previewed("update", "AclToken", { inputs: token, outputs: { ...token, policies: ["read"] } })).toContainEqual(
    "- the token `ci` gains the policy `adm` [management, widened]",
  );
  // The server no longer has this part.
  const job = { name: "db", rules: 'node { policy = "read" }', jobAcl: { namespace: "prod" } };
  const { jobAcl, ...rest } = job;
  expect((await previewed("update", "AclPolicy", { inputs: job, outputs: rest })).join()).toContain(
    "tasks of `any job of the namespace prod`",
  );
});

test("a delete is reported with the server's values", async () => {
  expect(
    (
      await previewed("delete", "AclPolicy", {
        inputs: { name: "p", rules: "" },
        outputs: { name: "p", rules: 'agent { policy = "write" }' },
      })
    ).join(),
  ).toContain("tokens with the policy `p` may no longer use agent:write");
});

test("an output that the CLI hides as a whole is read from the known inputs", async () => {
  const config = { oidcDiscoveryUrl: "https://login.test", oidcClientSecret: "[secret]", listClaimMappings: { groups: "groups" } };
  const inputs = { name: "sso", type: "OIDC", tokenLocality: "local", config };
  const report = await previewed("update", "AclAuthMethod", { inputs, outputs: { ...inputs, config: "[secret]", maxTokenTtl: "1h" } });
  expect(report).toContainEqual("- auth method `sso`: maxTokenTtl is not set instead of `1h` [undecided]");
  expect(report.join()).not.toContain("selectors may mean other claims");
});

test("an update without a visible change changes a hidden output", async () => {
  const hidden = { ...role, policies: "[secret]" };
  const open = '- `role "ops"` can\'t be compared: `policies` is secret, or unknown before an update [undecided, management]';
  expect(await previewed("update", "AclRole", { inputs: role, outputs: hidden })).toEqual([open]);
  const config = { oidcDiscoveryUrl: "https://login.test", oidcClientSecret: "[secret]", boundAudiences: ["a"] };
  const inputs = { name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h", config };
  expect(await previewed("update", "AclAuthMethod", { inputs, outputs: { ...inputs, config: "[secret]" } })).toEqual([
    '- `auth method "sso"` can\'t be compared: `config` is secret, or unknown before an update [undecided]',
  ]);
});

test("an output is secret as a whole if its input has no secret part", async () => {
  const told = await previewed("update", "AclRole", { inputs: role, outputs: { ...role, description: "before", policies: "[secret]" } });
  expect(told).toEqual(['- `role "ops"` can\'t be compared: `policies` is secret, or unknown before an update [undecided, management]']);
});
