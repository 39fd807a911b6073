/** examples/pipeline: the tokens and commands of each job, and the comments, which treat all text of a request as text. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import * as z from "zod";
import { root } from "../../tools/repository";
import { listen, type Open } from "../support/http/listen";
import { bash, example, type GithubJob, githubWorkflow, gitlabJobs } from "../support/pipeline";
import { posixTest } from "../support/systems";

const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-pipelines-"));
const open: Open = [];
afterAll(async () => {
  for (const one of open) await one.close();
  rmSync(folder, { recursive: true });
});

const workflows = readdirSync(join(example, ".github/workflows")).map((name) => name.replace(/\.yml$/, ""));
const jobs = workflows.flatMap((name) => Object.entries(githubWorkflow(name).jobs).map(([job, of]) => ({ name: `${name}/${job}`, ...of })));
const scripts = (job: GithubJob) => job.steps.map(({ run = "" }) => run).join("\n");
const secretsIn = (value: unknown) => [...JSON.stringify(value).matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);

test("every action is pinned by the commit that our own workflows use, or by one of its own, and no checkout keeps a token", () => {
  const text = readdirSync(join(root, ".github/workflows")).map((name) => readFileSync(join(root, ".github/workflows", name), "utf8"));
  const pins = new Map([...text.join("\n").matchAll(/uses: ([\w/-]+)@(\w+)/g)].map(([, name, commit]) => [name, commit]));
  for (const { uses, with: given } of jobs.flatMap(({ steps }) => steps)) {
    if (uses === undefined) continue;
    const [name = "", commit = ""] = uses.split("@");
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect([name, commit]).toEqual([name, pins.get(name) ?? commit]);
    if (name === "actions/checkout") expect(given?.["persist-credentials"]).toBe(false);
  }
});

test("only jobs of the environment production have the cluster's token, and jobs of a fork have none", () => {
  expect(jobs.map((job) => [job.name, job.environment ?? "", secretsIn(job)])).toEqual(
    expect.arrayContaining([
      ["comment/comment", "", []],
      ["preview/preview", "", ["PULUMI_ACCESS_TOKEN"]],
      ["preview/approval", "management", []],
      ["preview/rehearse", "", []],
      ["up/preview", "", ["PULUMI_ACCESS_TOKEN"]],
      ["up/approval", "management", []],
      ["up/up", "production", ["PULUMI_ACCESS_TOKEN", "AGENTPOOL_ACL_CLUSTER_TOKEN"]],
      ["drift/drift", "production", ["PULUMI_ACCESS_TOKEN", "AGENTPOOL_ACL_CLUSTER_TOKEN"]],
    ]),
  );
  expect(jobs).toHaveLength(8);
  for (const name of workflows) expect(Object.values(githubWorkflow(name).permissions).filter((one) => one !== "read")).toEqual([]);
  expect(jobs.filter(({ permissions = {} }) => Object.values(permissions).includes("write")).map(({ name }) => name)).toEqual([
    "comment/comment",
    "drift/drift",
    "up/up",
  ]);
  // Only these two jobs get an identity token, which the rule for the environment lets in.
  expect(jobs.filter(({ permissions = {} }) => permissions["id-token"]).map(({ environment }) => environment)).toEqual([
    "production",
    "production",
  ]);
});

test("the preview for diff has every step, including creates and deletes of replacements, which diff could not report as missing", () => {
  const lines = [...jobs.flatMap((job) => scripts(job).split("\n")), ...Object.values(gitlabJobs()).flatMap(({ script }) => script)];
  const read = lines.filter((line) => line.includes("> preview.json"));
  expect(read.map((line) => line.includes("--json --show-sames --show-replacement-steps"))).toEqual([true, true, true, true]);
});

test("on GitLab, only jobs of the protected branch have an environment, whose variables the others don't get", () => {
  const of = Object.entries(gitlabJobs()).map(([name, { environment, rules }]) => [name, environment, rules[0]?.if.split(" ")[2]]);
  expect(of).toEqual([
    ["preview", undefined, '"merge_request_event"'],
    ["rehearse", undefined, '"merge_request_event"'],
    ["comment", "comment", '"schedule"'],
    ["up", "production", '"push"'],
    ["up-approved", "production/management", '"push"'],
    ["drift", "production", '"schedule"'],
  ]);
});

test("the rule that lets the pipeline itself in names the environment of each job that gets an identity token", () => {
  const program = readFileSync(join(example, "index.ts"), "utf8");
  const [, github = "[]", gitlab = "[]"] = /environments: (\[.*?\])[\s\S]*environments: (\[.*?\])/.exec(program) ?? [];
  const withIdentity = Object.values(gitlabJobs()).filter(({ id_tokens }) => Object.keys(id_tokens).length > 0);
  expect(new Set(withIdentity.map(({ environment }) => environment))).toEqual(new Set(JSON.parse(gitlab)));
  const ofGithub = jobs.filter(({ permissions = {} }) => permissions["id-token"]).map(({ environment }) => environment);
  expect(new Set(ofGithub)).toEqual(new Set(JSON.parse(github)));
});

test("the job that comments runs no code of the request, and no script has an expression in it", () => {
  const comment = jobs.find(({ name }) => name === "comment/comment");
  expect(comment?.steps.flatMap(({ uses }) => uses?.split("@")[0] ?? [])).toEqual(["actions/download-artifact"]);
  if (comment) expect(scripts(comment)).not.toMatch(/\b(npm|npx|node|pulumi)\b/);
  expect(jobs.filter((job) => scripts(job).includes("${{")).map(({ name }) => name)).toEqual([]);
});

test("actionlint finds nothing in our workflows and in the example's", () => {
  const files = [".github/workflows", "examples/pipeline/.github/workflows"].flatMap((path) =>
    readdirSync(join(root, path)).map((name) => join(root, path, name)),
  );
  const { status, stdout, error } = spawnSync("actionlint", files, { encoding: "utf8" });
  if (error) return console.log("Left out here, because there is no actionlint on PATH; the job workflows of ci.yml runs it.");
  expect([status, stdout]).toEqual([0, ""]);
});

/**
 * The text of an artifact that an attacker has written: names, HTML, an image, a fence's end, a bell, text that is turned around, and far
 * too much.
 */
const hostile = `gain \`deployers\` @acme/owners <img src=x> ![x](https://evil.test/x)
\`\`\`
$(touch pwned) \u0007\u202eevil\u202c
${"x".repeat(200_000)}`;

function expectText(body: string): void {
  const [marker, title, empty, ...lines] = body.trimEnd().split("\n");
  expect([marker, title, empty]).toEqual(["<!-- access -->", expect.stringMatching(/^What logins gain and lose by [0-9a-f]{40}:$/), ""]);
  expect(lines.filter((line) => !line.startsWith("    "))).toEqual([]);
  expect(lines[2]).toBe("    $(touch pwned) evil");
  expect(body.length).toBeLessThan(51_000);
}

describe("the comment on GitHub", () => {
  const [step] = githubWorkflow("comment").jobs.comment?.steps.filter(({ run }) => run !== undefined) ?? [];
  const sha = "a".repeat(40);

  /** Runs the step with a `gh` that keeps the comments in a file and says which commit the request has. */
  async function run(comments: readonly object[], head = sha, link = false) {
    const place = mkdtempSync(join(folder, "github-"));
    mkdirSync(join(place, "access"));
    if (link) symlinkSync("/etc/passwd", join(place, "access/access.txt"));
    else writeFileSync(join(place, "access/access.txt"), hostile);
    writeFileSync(join(place, "comments.json"), JSON.stringify(comments));
    writeFileSync(
      join(place, "gh"),
      `#!/usr/bin/env bash
case "$*" in
  *"/pulls/7 "*) echo "${head}" ;;
  *--paginate*) jq --raw-output "\${@: -1}" comments.json ;;
  *--input*) echo "$*" > call; cat > sent.json ;;
  *) exit 1 ;;
esac
`,
    );
    chmodSync(join(place, "gh"), 0o755);
    const env = { PATH: `${place}:${process.env.PATH}`, GITHUB_REPOSITORY: "acme/access", NUMBER: "7", HEAD_SHA: sha, GH_TOKEN: "t" };
    const { status, printed } = await bash(step?.run ?? "exit 9", place, env);
    const read = (name: string) => (readdirSync(place).includes(name) ? readFileSync(join(place, name), "utf8") : undefined);
    return { status, printed, call: read("call"), sent: read("sent.json"), files: readdirSync(place) };
  }

  posixTest("is created once, then changed, and is a bounded text for any text of the request", async () => {
    if (spawnSync("jq", ["--version"]).error) {
      console.log("Left out, because there is no jq on PATH, which GitHub's runners have.");
      return;
    }
    const first = await run([{ id: 1, user: { login: "mallory" }, body: "<!-- access -->" }]);
    expect([first.status, first.call]).toEqual([0, "api --method POST repos/acme/access/issues/7/comments --input - --silent\n"]);
    expectText(z.object({ body: z.string() }).parse(JSON.parse(first.sent ?? "")).body);
    expect(first.files).not.toContain("pwned");
    const second = await run([{ id: 5, user: { login: "github-actions[bot]" }, body: "<!-- access -->\nold" }]);
    expect([second.status, second.call]).toEqual([0, "api --method PATCH repos/acme/access/issues/comments/5 --input - --silent\n"]);
  });

  posixTest("is not written for an older commit, and not from anything but a file", async () => {
    expect(await run([], "b".repeat(40))).toMatchObject({ status: 0, call: undefined });
    expect(await run([], sha, true)).toMatchObject({ status: 1, call: undefined });
  });
});

describe("the comment on GitLab", () => {
  test("is created once, then changed, for requests of the project whose last preview has left a text", async () => {
    const sha = "c".repeat(40);
    const written: { method: string; url: string; body: unknown }[] = [];
    const notes = [{ id: 3, author: { id: 8 }, body: "<!-- access -->\nof somebody else" }];
    const answers: Record<string, unknown> = {
      "/user": { id: 9 },
      "/projects/4/merge_requests?state=opened&per_page=100&page=1": [
        { iid: 1, sha },
        { iid: 2, sha: "d".repeat(40) },
      ],
      "/projects/4/merge_requests/1/pipelines?per_page=100&page=1": [{ id: 11, sha, project_id: 4 }],
      "/projects/4/merge_requests/2/pipelines?per_page=100&page=1": [{ id: 12, sha: "d".repeat(40), project_id: 666 }],
      "/projects/4/pipelines/11/jobs?per_page=100&page=1": [{ id: 21, name: "preview" }],
    };
    const server = createServer(async (request, response) => {
      const { method = "", url = "" } = request;
      if (method !== "GET") {
        const body = z.object({ body: z.string() }).parse(await json(request));
        written.push({ method, url, body: body.body });
        notes.push({ id: 30, author: { id: 9 }, body: body.body });
      }
      const answer = url.includes("/notes?") ? notes : answers[url];
      const isArtifact = url.endsWith("/artifacts/access.txt");
      response.statusCode = answer === undefined && !isArtifact && method === "GET" ? 404 : 200;
      response.end(isArtifact ? hostile : JSON.stringify(answer ?? {}));
    });
    const port = await listen(server, open);
    const env = { PATH: process.env.PATH, CI_API_V4_URL: `http://127.0.0.1:${port}`, CI_PROJECT_ID: "4", COMMENT_TOKEN: "t" };
    const run = () => bash(`${process.execPath} ${join(example, ".gitlab/comment.mjs")}`, folder, env);
    expect(await run()).toEqual({ status: 0, printed: "" });
    expect(written).toEqual([{ method: "POST", url: "/projects/4/merge_requests/1/notes", body: expect.any(String) }]);
    expectText(String(written[0]?.body));
    expect(await run()).toEqual({ status: 0, printed: "" });
    expect(written).toHaveLength(1);
    const own = notes.find(({ id }) => id === 30);
    if (own) own.body = "<!-- access -->\nold";
    expect(await run()).toEqual({ status: 0, printed: "" });
    expect(written[1]).toMatchObject({ method: "PUT", url: "/projects/4/merge_requests/1/notes/30" });
  });
});
