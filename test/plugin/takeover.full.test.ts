/** The whole way on the Pulumi CLI: a program for what exists, the import, and a preview without changes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../cli/main";
import type { Simulator } from "../../provider/testing/simulator";
import { configFor } from "../../tools/engines/project";
import { type CliScene, testOnCli } from "../support/cli";

/** Objects of all kinds, with the texts that are hard to write as code. */
function seed({ cluster, pools, organization }: Simulator): void {
  const texts = ['say "hi"', "it's", "a\nb\u2028c", "$" + "{value.x} $$", "`*/ # //", "Überall 😀", ""];
  for (const name of ["read", "write"]) cluster.policies.put(name);
  for (const [index, text] of texts.entries()) {
    cluster.roles.put({ Name: `role-${index}`, Description: text, Policies: [{ Name: "read" }, { Name: "write" }] });
    const claims = { [`https://example.com/${index}`]: "groups", [text || "empty"]: "team" };
    const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: text, AllowedRedirectURIs: ["http://localhost:4649/"] };
    cluster.methods.put({
      Name: `method-${index}`,
      MaxTokenTTL: "90m",
      Config: { ...Config, OIDCClientSecret: "theirs", ClaimMappings: claims },
    });
    const rule = { AuthMethod: `method-${index}`, Selector: index === 0 ? "" : `value.team == "${index}"`, Description: text };
    cluster.rules.put({ ...rule, BindType: "role", BindName: `role-${index}` });
    cluster.rules.put({ ...rule, BindType: "policy", BindName: "team-$" + "{value.team}" });
  }
  pools.put({ organization, name: "build", organizationScoped: true });
}

/** Writes the program for what exists. @returns its files */
async function taken({ simulator }: CliScene, ...args: string[]): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-takeover-"));
  try {
    const { config, secretConfig } = configFor(simulator);
    writeFileSync(join(folder, "config.json"), JSON.stringify({ ...config, ...secretConfig }));
    const lines: string[] = [];
    const io = { print: (text: string) => lines.push(text), complain: (text: string) => lines.push(text) };
    const invocation = ["import", "--output", join(folder, "out"), "--config-file", join(folder, "config.json"), ...args];
    const status = await run(invocation, io, new AbortController().signal);
    if (status !== 0) throw new Error(lines.join("\n"));
    const files = readdirSync(join(folder, "out"));
    return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, "out", name), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const plugin = "plugins:\n  providers:\n    - name: agentpool-acl\n      path: node_modules/pulumi-agentpool-acl/bin\n";

for (const language of ["typescript", "yaml"]) {
  testOnCli(`a program in ${language} for what exists is imported, and its preview is empty`, { "index.js": "" }, async (scene) => {
    const { cli, rewrite, simulator } = scene;
    seed(simulator);
    const files = await taken(scene, "--language", language);
    const { "package.json": _, "Pulumi.yaml": project = "", ...program } = files;
    simulator.journal.clear();
    const importFile = join(cli.folder, "import.json");
    rewrite({ "import.json": files["import.json"] ?? "" });
    await cli.command(["import", "--file", importFile, "--yes", "--protect=false", "--generate-code=false"]);
    const isYaml = language === "yaml";
    const named = project.replace(/^name: .*/, "name: trial");
    const manifest = { "package.json": '{"name":"trial","main":"index.ts"}' };
    rewrite({ ...program, ...(isYaml ? {} : manifest), "Pulumi.yaml": isYaml ? `${named}\n${plugin}` : named });
    expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
    expect(await cli.run("up")).toMatchObject({ errors: [], changes: [] });
    expect(await cli.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
    expect(simulator.journal.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });
}
