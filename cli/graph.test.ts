import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleExport, largeExport, rightsExport } from "../test/support/access-example";
import { type CommandScene, commandScene, runCommand, seedOne } from "../test/support/commands";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graph-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(content: object): string {
  const path = join(folder, "content.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const graph = (...args: string[]) => runCommand("graph", ...args);

const beginnings = { mermaid: /^flowchart LR\n/, dot: /^digraph access \{\n/, svg: /^<svg /, html: /^<!doctype html>\n/ };

describe("on servers and states", () => {
  let scene: CommandScene;
  beforeEach(async () => {
    scene = await commandScene();
    seedOne(scene.simulator);
  });
  afterEach(() => scene.stop());

  it.each(Object.entries(beginnings))(
    "%s has the objects of the configured cluster, to which nothing is written, and no secret",
    async (format, start) => {
      const { status, out, err } = await scene.command("graph", "--format", format);
      expect([status, err]).toEqual([0, ""]);
      expect(out).toMatch(start);
      for (const name of ["sso", "devs", "dev", "read"]) expect(out).toContain(name);
      expect(out).not.toContain("hunter2");
      expect(scene.simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
    },
  );

  it("the state of a stack is a source, too, and a missing role is marked", async () => {
    const state = await scene.stateFile();
    expect((await graph("--format", "dot", "--state", state)).out).toContain('label="dev"');
    for (const { ID } of scene.simulator.cluster.roles.list()) scene.simulator.cluster.roles.delete(ID);
    expect((await scene.command("graph", "--format", "dot")).out).toContain('label="dev\\n! does not exist"');
  });
});

it("--output writes the file instead of printing it", async () => {
  const source = file(exampleExport);
  for (const format of Object.keys(beginnings)) {
    const path = join(folder, `graph.${format}`);
    expect(await graph("--format", format, "--export", source, "--output", path)).toEqual({ status: 0, out: "", err: "" });
    expect(readFileSync(path, "utf8")).toBe(`${(await graph("--format", format, "--export", source)).out}\n`);
  }
});

it("--method and --role draw a part", async () => {
  const source = file(exampleExport);
  const pipelines = (await graph("--format", "dot", "--export", source, "--method", "pipelines")).out;
  expect(pipelines).toContain("The main branch deploys");
  expect(pipelines).not.toMatch(/company-sso|Readers|team-ops/);
  const toOps = (await graph("--format", "svg", "--export", source, "--role", "team-ops")).out;
  expect(toOps).toContain("Each team has a role");
  expect(toOps).not.toMatch(/Readers|pipelines/);
  const page = (await graph("--format", "html", "--export", source, "--method", "pipelines")).out;
  expect(page).not.toContain("company-sso");
});

it("--rights adds the permissions of policies to every format, and a page shows them at first", async () => {
  const source = file(rightsExport);
  for (const format of Object.keys(beginnings)) {
    const drawn = async (...args: string[]) =>
      ((await graph("--format", format, "--export", source, ...args)).out.split('id="data"')[0] ?? "").replaceAll("#45;", "-");
    expect(await drawn("--rights")).toMatch(/submit jobs, run commands in tasks|submit jobs#44; run commands in tasks/);
    expect(await drawn()).not.toContain("run commands");
  }
  const page = (await graph("--format", "html", "--export", source)).out;
  expect(page).not.toContain("[secret]");
});

it("--role names partly unknown rules that may lead there, even if no other rule does", async () => {
  const rule = (name: string, inputs: object) => {
    const state = { type: "agentpool-acl:index:AclBindingRule", inputs: { authMethod: "ci", bindType: "role", ...inputs } };
    return { op: "create", urn: `urn:pulumi:dev::p::${state.type}::${name}`, newState: state };
  };
  const steps = [rule("hidden", { selector: "[secret]", bindName: "ops" }), rule("other", { selector: "[secret]", bindName: "dev" })];
  const preview = file({ steps });
  const { status, out, err } = await graph("--format", "dot", "--preview", preview, "--role", "ops");
  expect([status, err]).toEqual([0, ""]);
  expect(out).toContain('binding rule \\"hidden\\" (selector)');
  expect(out).not.toContain("other");
  const unbound = await graph("--format", "dot", "--preview", preview, "--role", "qa");
  expect(unbound.err).toMatch(/has no role "qa", and no rule that leads to it/);
});

it("a part says in its title which one it is, and every format draws the policy anonymous with the rights of a method", async () => {
  const objects = { ...rightsExport.objects, AclPolicy: [{ name: "anonymous", rules: 'operator { policy = "write" }' }] };
  const source = file({ ...rightsExport, objects });
  for (const format of ["dot", "svg", "html"]) {
    const { out } = await graph("--format", format, "--export", source, "--method", "pipelines", "--rights");
    expect(out).toMatch(/content\.json, only the auth method pipelines/);
    expect(out).toContain("everybody has it, without a token");
    expect((await graph("--format", format, "--export", source)).out).not.toContain("content.json, only");
  }
  expect((await graph("--format", "dot", "--export", source, "--role", "deployers")).out).toContain(
    "content.json, only the role deployers",
  );
  const mermaid = (await graph("--format", "mermaid", "--export", source, "--role", "deployers")).out;
  expect(mermaid).toContain("Only a part of");
});

it("--role of a part of a cluster follows computed names, which may be the name of a role outside of the part", async () => {
  const rule = (id: string, bindName: string) => ({ id, authMethod: "sso", bindType: "role", bindName, selector: "", description: id });
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: { t: "team" } } }],
    AclBindingRule: [rule("computed", "$" + "{value.team}")],
    AclRole: [{ name: "team-a", policies: [] }],
  };
  const { status, out } = await graph("--format", "mermaid", "--export", file({ format: 1, objects }), "--role", "ops");
  expect(status).toBe(0);
  expect(out).toMatch(/computed/);
  expect(out).toMatch(/"ops/);
});

it("an unknown name is one error with a suggestion", async () => {
  const source = file(exampleExport);
  const output = join(folder, "graph.svg");
  const wrong: [string[], number, RegExp][] = [
    [[], 2, /^give --format with one of mermaid, dot, svg, html\nusage:/],
    [["--format", "png"], 2, /^--format png: give mermaid or dot or svg or html\nusage:/],
    [["--format", "svg", "--config-file", "a"], 2, /^--export reads no server: leave out --config-file\nusage:/],
    [["--format", "svg", "--method", "company-sos"], 1, /has no auth method "company-sos"; did you mean "company-sso"\?$/],
    [["--format", "svg", "--role", "deployer"], 1, /has no role "deployer", and no rule that leads to it; did you mean "deployers"\?$/],
  ];
  for (const [args, status, message] of wrong) {
    expect(await graph(...args, "--export", source, "--output", output)).toEqual({ status, out: "", err: expect.stringMatching(message) });
  }
  expect(existsSync(output)).toBe(false);
});

it("a Mermaid graph with very many objects is drawn, with a warning that it is too large for GitHub and GitLab", async () => {
  const { status, out, err } = await graph("--format", "mermaid", "--export", file(largeExport()));
  expect([status, err]).toEqual([
    0,
    expect.stringMatching(/^The graph has 5000 lines and \d+ characters, and GitHub and GitLab draw at most 500 and 50000: choose a part/),
  ]);
  expect(out).toContain("Rule 999");
});
