/**
 * The jobs of examples/pipeline, except for `comment` and `approval`: their scripts run in a shell, with the Pulumi CLI, on the simulator
 * and on a real scheduler.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessOf } from "../../testing/access";
import { CliEngine } from "../../tools/engines/cli-engine";
import { withEngine } from "../../tools/engines/engines";
import { startSimulator } from "../../tools/engines/project";
import type { Open } from "../support/http/listen";
import {
  bash,
  example,
  githubWorkflow,
  type JobResult,
  others,
  ours,
  type Runner,
  runGithub,
  runGitlab,
  vendor,
} from "../support/pipeline";
import { withAgent } from "../support/scheduler";
import { whyWithoutCli } from "../support/without-cli";

jest.setTimeout(600_000);

type Vendor = "github" | "gitlab";
type Job = "preview" | "rehearse" | "up" | "drift";

const open: Open = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Cluster {
  readonly address: string;
  readonly token: string;
}

interface Pipeline {
  readonly runner: Runner;
  run(job: Job): Promise<JobResult>;
  /** Runs a job that has no secret at all. */
  runWithoutToken(job: Job): Promise<JobResult>;
  /** Sets the keys of the stack. */
  configure(...settings: readonly string[]): Promise<void>;
  token(claims: Record<string, unknown>): string;
}

/** The example in a folder of its own, with the stack that its README makes. */
async function withPipeline(which: Vendor, { address, token }: Cluster, use: (pipeline: Pipeline) => Promise<void>): Promise<void> {
  const signer = await vendor(open, ours[which]);
  const project = { folder: example, config: {}, secretConfig: {}, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } };
  await withEngine("cli", project, async (engine) => {
    if (!(engine instanceof CliEngine)) throw new Error("this needs the Pulumi CLI");
    const config = {
      "agentpool-acl:clusterAddress": address,
      vendor: which,
      tenant: "1296269",
      keysUrl: signer.keysUrl,
      policies: '["deploy-production"]',
    };
    const values = Object.entries(config).map(([key, value]) => `--plaintext '${key}=${value}'`);
    const setUp = `pulumi stack init production && pulumi config set-all --stack production ${values.join(" ")}`;
    expect(await bash(setUp, engine.folder, engine.env)).toMatchObject({ status: 0 });
    const ofEnvironment = { AGENTPOOL_ACL_CLUSTER_TOKEN: token };
    const secrets = { "": {}, production: ofEnvironment, "production/management": ofEnvironment };
    const { identityUrl } = signer;
    const identity = (aud: string, environment: string | undefined) => signer.token({ ...ours[which], environment, aud });
    const runner: Runner = { folder: engine.folder, env: engine.env, secrets, identityUrl, identity };
    const workflowOf: Record<Job, string> = { preview: "preview", rehearse: "preview", up: "up", drift: "drift" };
    const runBy = (by: Runner, job: Job) => {
      const of = githubWorkflow(workflowOf[job]).jobs[job];
      if (!of) throw new Error(`there is no job ${job}`);
      return which === "github" ? runGithub(by, of) : runGitlab(by, job);
    };
    const configure = async (...settings: string[]) => {
      const text = settings.map((setting) => `pulumi config set --stack production ${setting}`).join("\n");
      expect(await bash(text, engine.folder, engine.env)).toMatchObject({ status: 0 });
    };
    await use({
      runner,
      run: (job) => runBy(runner, job),
      runWithoutToken: (job) => runBy({ ...runner, secrets: {} }, job),
      configure,
      token: signer.token,
    });
  });
}

const testWithCli = whyWithoutCli() === undefined ? test.each<Vendor>(["github", "gitlab"]) : undefined;
if (!testWithCli) test("the jobs of examples/pipeline", () => console.log(`Left out: ${whyWithoutCli()}.`));

testWithCli?.("%s: preview, rehearse, up and drift do what they say, and the simulator lets in nobody but ours", async (which) => {
  const simulator = await startSimulator();
  const { cluster, journal } = simulator;
  try {
    await withPipeline(which, { address: simulator.clusterAddress, token: simulator.clusterToken }, async ({ runner, run, token }) => {
      // The jobs of a fork and of a branch have no token, and send no request.
      expect(await run("rehearse")).toMatchObject({ status: 0, printed: expect.stringContaining("AclBindingRule") });
      const preview = await run("preview");
      expect(preview).toMatchObject({ status: 0, printed: expect.stringContaining("gain the role `deployers`") });
      if (which === "github") expect(preview.outputs).toBe("approval=none\n");
      expect(readFileSync(join(runner.folder, "access.txt"), "utf8")).toContain("deployers");
      expect(journal.lines()).toEqual([]);

      expect(await run("up")).toMatchObject({ status: 0 });
      const login = (claims: Record<string, unknown>) => accessOf(simulator).login("pipelines", token(claims));
      expect(login(ours[which])).toMatchObject({ ok: true, roles: ["deployers"] });
      for (const [who, claims] of Object.entries(others[which])) {
        expect([who, login(claims)]).toEqual([who, expect.objectContaining({ ok: false, roles: [] })]);
      }

      expect(await run("drift")).toMatchObject({ status: 0 });
      const [role] = cluster.roles.list();
      if (!role) throw new Error("there is no role");
      cluster.roles.put({ ...role, Description: "changed by hand" });
      expect((await run("drift")).status).not.toBe(0);
      cluster.roles.put(role);

      // Management for somebody waits for an approval, before and after the merge.
      const program = join(runner.folder, "index.ts");
      const text = readFileSync(program, "utf8");
      writeFileSync(program, text.replace('bindType: "role",\n  bindName: deployers.name,', 'bindType: "management",'));
      const wanted = await run("preview");
      if (which === "github") expect(wanted).toMatchObject({ status: 0, outputs: "approval=needed\n" });
      else expect(wanted.status).toBe(3);
      expect(wanted.printed).toContain("management");
      if (which === "gitlab") {
        expect((await run("up")).status).toBe(3);
        expect(login(ours.gitlab)).toMatchObject({ management: false });
        expect(await runGitlab(runner, "up-approved")).toMatchObject({ status: 0 });
        expect(login(ours.gitlab)).toMatchObject({ management: true });
      }
    });
  } finally {
    await simulator.stop();
  }
});

testWithCli?.("%s: a real scheduler lets in nobody but ours", async (which) => {
  await withAgent(async (agent) => {
    const call = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${agent.address}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    };
    const rules = 'namespace "default" { policy = "read" }';
    const policy = await call(
      "acl/policy/deploy-production",
      { Name: "deploy-production", Rules: rules },
      { "X-Nomad-Token": agent.token },
    );
    expect(policy.status).toBe(200);
    await withPipeline(which, agent, async ({ runner, run, runWithoutToken, configure, token }) => {
      expect(await run("preview")).toMatchObject({ status: 0 });
      expect(await run("up")).toMatchObject({ status: 0 });
      const login = (claims: Record<string, unknown>) => call("acl/login", { AuthMethodName: "pipelines", LoginToken: token(claims) });
      const own = await login(ours[which]);
      expect(own).toMatchObject({ status: 200, text: expect.stringContaining('"deployers"') });
      for (const [who, claims] of Object.entries(others[which])) {
        const { status, text } = await login(claims);
        const reason = "iss" in claims && claims.iss !== ours[which].iss ? "invalid JWT issuer" : "no role or policy bindings matched";
        expect([who, status]).toEqual([who, reason === "invalid JWT issuer" ? 401 : 400]);
        expect(text).toContain(reason);
      }
      expect(await run("drift")).toMatchObject({ status: 0 });

      // The pipeline logs in itself, and its jobs need no secret any more.
      await configure("login true");
      expect(await (which === "github" ? run("up") : runGitlab(runner, "up-approved"))).toMatchObject({ status: 0 });
      const source = which === "github" ? "jwtFile identity-token" : "jwtVariable CLUSTER_ID_TOKEN";
      await configure("--path agentpool-acl:clusterLogin.authMethod access", `--path agentpool-acl:clusterLogin.${source}`);
      await call("acl/policy/read-logs", { Name: "read-logs", Rules: rules }, { "X-Nomad-Token": agent.token });
      await configure(`policies '["deploy-production","read-logs"]'`);
      // A refresh uses the configuration that the last update has saved.
      expect(await runWithoutToken("up")).toMatchObject({ status: 0, printed: expect.stringContaining("1 updated") });
      expect(await runWithoutToken("drift")).toMatchObject({ status: 0 });
      // The job that applies an approved change needs no secret either, although its environment is another one.
      await configure(`policies '["deploy-production"]'`);
      if (which === "gitlab") {
        const approved = await runGitlab({ ...runner, secrets: {} }, "up-approved");
        expect(approved).toMatchObject({ status: 0, printed: expect.stringContaining("1 updated") });
      }
      const listed = await fetch(`${agent.address}/v1/acl/tokens`, { headers: { "X-Nomad-Token": agent.token } });
      expect(await listed.text()).not.toContain("JWT-access");
    });
  });
});
