/** The move from Pulumi's Nomad provider, on the CLI: the program's import, its empty preview, and the old stack without the objects. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { contents } from "../lifecycle/contents";
import { bridgedFile, bridgedState } from "../support/bridged";
import { testOnCli } from "../support/cli";
import { runImport } from "../support/commands";
import { run } from "../support/languages";
import { withPluginHere } from "../support/program-languages";
import { seedTerraform } from "../support/terraform";

jest.setTimeout(600_000);

const kinds = ["AclAuthMethod", "AclPolicy", "AclRole", "AclBindingRule", "AclToken"];
const stack = z.object({ deployment: z.object({ resources: z.array(z.object({ urn: z.string() })) }) });

/**
 * The state after an update that has deleted the resources that waited for their deletion. Its secrets are left out, because another stack
 * can't decrypt them.
 */
function withoutSecrets(): string {
  const isSecret = (value: unknown) => typeof value === "object" && value !== null && "ciphertext" in value;
  const { deployment } = bridgedState();
  const whole = { version: 3, deployment: { resources: deployment.resources.filter((one) => !one.delete) } };
  return JSON.stringify(whole, (_, value: unknown) => (isSecret(value) ? undefined : value));
}

testOnCli(
  "the objects of a stack with the other provider are imported, and leave that stack without a delete",
  { "index.js": "" },
  async (scene) => {
    const { cli, rewrite, simulator } = scene;
    seedTerraform(simulator);
    const developers = simulator.cluster.roles.list().find(({ Name }) => Name === "developers")?.ID ?? "";
    const token = { AccessorID: "00000301-1111-4222-8333-000000000301", Name: "ci", Policies: ["read-only"], Roles: [{ ID: developers }] };
    const { SecretID } = simulator.cluster.tokens.put(token);
    const before = contents(simulator);
    const { out, files } = await runImport(undefined, "--from-state", bridgedFile, ...kinds.flatMap((kind) => ["--only", kind]));
    expect(JSON.stringify(files)).not.toContain(SecretID);
    rewrite(withPluginHere(files));
    await cli.command(["import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false"]);
    for (const refresh of [false, true]) expect(await cli.run("preview", { refresh })).toMatchObject({ errors: [], changes: [] });

    const old = join(cli.folder, "old");
    mkdirSync(old);
    writeFileSync(join(old, "Pulumi.yaml"), "name: cluster-access\nruntime: yaml\n");
    writeFileSync(join(old, "state.json"), withoutSecrets());
    const pulumi = (...args: string[]) => run("pulumi", args, old, cli.env);
    await pulumi("stack", "init", "dev");
    await pulumi("stack", "import", "--file", "state.json", "--stack", "dev");
    const [removal = ""] = /^pulumi state delete (?:.*\\\n)*.*$/m.exec(out) ?? [];
    await run("sh", ["-c", removal], old, cli.env);
    const { deployment } = stack.parse(JSON.parse(await pulumi("stack", "export", "--stack", "dev")));
    const rest = deployment.resources.map(({ urn }) => urn.split("::").slice(2).join(" ")).filter((urn) => urn.includes("nomad:index/acl"));
    expect(rest).toEqual(["nomad:index/aclPolicy:AclPolicy theirs"]);
    expect(contents(simulator)).toEqual(before);
    expect(simulator.journal.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(readFileSync(join(cli.folder, "policies/deploy-staging.hcl"), "utf8")).toContain("# Jobs of staging.");
  },
);
