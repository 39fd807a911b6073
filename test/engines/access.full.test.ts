/** `who`, `diff` and `graph` read real previews of examples/platform by the Pulumi CLI, on the simulator and on a real scheduler. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliEngine } from "../../tools/engines/cli-engine";
import type { Project } from "../../tools/engines/engine";
import { withEngine } from "../../tools/engines/engines";
import { demoProject, policies, startSimulator } from "../../tools/engines/project";
import { runCommand } from "../support/commands";
import { withAgent } from "../support/scheduler";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(420_000);

const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-access-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** The secrets of the project, which no output of a command may contain. */
const secrets = (project: Project) => Object.values(project.secretConfig);

/** Runs `who` and `diff` before and after the first update, and about a change, and compares their answers with the cluster's own. */
async function asks(cli: CliEngine, project: Project): Promise<void> {
  const cluster = {
    clusterAddress: project.config["agentpool-acl:clusterAddress"],
    clusterToken: project.secretConfig["agentpool-acl:clusterToken"],
  };
  const configured = ["--config-file", file("config.json", JSON.stringify(cluster))];
  const preview = async () => file("preview.json", await cli.command(["preview", "--json", "--show-sames", "--show-replacement-steps"]));
  const claims = file("claims.json", '{ "groups": ["engineering"] }');
  const login = ["who", "--method", "company-sso", "--claims-file", claims];
  const gets = /GETS .*\n *role developers +read-only, deploy-development +Engineers are developers +engineering in list\.groups/;
  const printed: string[] = [];
  const command = async (...args: string[]) => {
    const result = await runCommand(...args);
    printed.push(result.out, result.err);
    return result;
  };

  // The cluster has no objects yet.
  const first = await preview();
  expect(await command(...login, "--preview", first)).toMatchObject({ status: 0, out: expect.stringMatching(gets) });
  const news = await command("diff", "--preview", first, "--fail-on", "widened");
  expect(news.status).toBe(3);
  expect(news.out).toContain("logins of `company-sso` with `engineering in list.groups` gain the role `developers`");
  expect(await command("diff", "--preview", first, "--fail-on", "management")).toMatchObject({ status: 0 });

  // `up` begins with its own preview, as it does for users: no rule is reported as two equal rules.
  const up = await cli.command(["up", "--yes"]);
  expect(up).not.toContain("has the same authMethod");
  expect(await command(...login, ...configured)).toMatchObject({ status: 0, out: expect.stringMatching(gets) });
  const same = await preview();
  expect(await command(...login, "--preview", same)).toMatchObject({ status: 0, out: expect.stringMatching(gets) });
  expect(await command("diff", "--preview", same)).toMatchObject({
    status: 0,
    out: expect.stringContaining("Logins get what they got before."),
  });

  const program = join(cli.folder, "index.ts");
  const wider = 'engineering in list.groups or \\"interns\\" in list.groups';
  writeFileSync(program, readFileSync(program, "utf8").replace('"engineering in list.groups"', `"${wider}"`));
  const changed = await command("diff", "--preview", await preview(), "--markdown");
  expect(changed.out).toContain("### What this change grants: widened");
  const wide = await command("who", "--role", "developers", "--preview", join(folder, "preview.json"));
  expect(wide.out).toContain('"interns" in list.groups');
  const state = file("state.json", await cli.storedState());
  expect(await command("who", "--role", "deployers", "--state", state)).toMatchObject({ out: expect.stringContaining("release-managers") });
  for (const format of ["mermaid", "dot", "svg", "html"]) {
    for (const source of [configured, ["--preview", same], ["--state", state]]) {
      const drawn = await command("graph", "--format", format, ...source);
      expect(drawn).toEqual({ status: 0, out: expect.stringContaining("Release managers are deployers"), err: "" });
    }
  }
  for (const secret of secrets(project)) expect(printed.join()).not.toContain(secret);
}

async function onCli(project: Project): Promise<void> {
  await withEngine("cli", project, async (cli) => {
    if (!(cli instanceof CliEngine)) throw new TypeError("the CLI's engine was asked for");
    await asks(cli, project);
    expect((await cli.run("destroy")).errors).toEqual([]);
  });
}

test("on the simulator, a preview shows the grants of logins, and the effect of a change, before the update", async () => {
  const reason = whyWithoutCli();
  if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  const simulator = await startSimulator();
  try {
    await onCli(demoProject(simulator, "plugin"));
  } finally {
    await simulator.stop();
  }
});

test("on a real scheduler, a preview shows the grants of logins, and the effect of a change, before the update", async () => {
  const reason = whyWithoutCli();
  if (reason) return console.log(`Left out, because ${reason}: ${expect.getState().currentTestName}`);
  await withAgent(async ({ address, token }) => {
    for (const Name of policies) {
      const body = JSON.stringify({ Name, Rules: 'namespace "default" { policy = "read" }' });
      const { status } = await fetch(`${address}/v1/acl/policy/${Name}`, { method: "POST", headers: { "X-Nomad-Token": token }, body });
      expect(status).toBe(200);
    }
    // The agent pool is on the simulator: no account of the real service is at hand.
    const simulator = await startSimulator();
    try {
      const { config, secretConfig, ...project } = demoProject(simulator);
      await onCli({
        ...project,
        config: { ...config, "agentpool-acl:clusterAddress": address },
        secretConfig: { ...secretConfig, "agentpool-acl:clusterToken": token },
      });
    } finally {
      await simulator.stop();
    }
  });
});
