/** The jobs of examples/pipeline, as its files have them, and the tokens that a CI vendor signs for them. */
import { spawn } from "node:child_process";
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { root } from "../../tools/repository";
import { listen, type Open } from "./http/listen";

const { load } = jest.requireActual<{ load(text: string): unknown }>("js-yaml");

export const example = join(root, "examples/pipeline");

const step = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).default({}),
});
const githubJob = z.object({
  if: z.string().optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.object({ on: z.unknown(), permissions: z.record(z.string(), z.string()), jobs: z.record(z.string(), githubJob) });
const gitlabJob = z.object({
  environment: z.string().optional(),
  id_tokens: z.record(z.string(), z.object({ aud: z.string() })).default({}),
  before_script: z.array(z.string()).optional(),
  script: z.array(z.string()),
  rules: z.array(z.object({ if: z.string() }).loose()),
});

export type GithubJob = z.output<typeof githubJob>;

export function githubWorkflow(name: string): z.output<typeof workflow> {
  return workflow.parse(load(readFileSync(join(example, `.github/workflows/${name}.yml`), "utf8")));
}

export function gitlabJobs(): Record<string, z.output<typeof gitlabJob>> {
  const { default: _, ...jobs } = z.record(z.string(), z.unknown()).parse(load(readFileSync(join(example, ".gitlab-ci.yml"), "utf8")));
  return z.record(z.string(), gitlabJob).parse(jobs);
}

export interface JobResult {
  readonly status: number;
  /** The standard output and the standard error of the job. */
  readonly printed: string;
  /** The job's outputs, which GitHub passes on to other jobs. Empty for GitLab. */
  readonly outputs: string;
}

/** The folder that jobs run in, and their settings that the pipeline's files do not contain. */
export interface Runner {
  readonly folder: string;
  /** The environment variables of the machine: for the CLI, its backend and its passphrase. */
  readonly env: NodeJS.ProcessEnv;
  /** The secrets of the jobs of each environment, by its name. The secrets under "" are for all jobs. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The identity token that the vendor gives to a job of this environment. */
  identity(audience: string, environment: string | undefined): string;
  /** The address at which GitHub's jobs request their identity token. */
  readonly identityUrl: string;
}

/** Runs the scripts of a GitHub job's steps, as GitHub's runner does, except `npm ci`: the packages are installed already. */
export async function runGithub(
  { folder, env, secrets, identityUrl }: Runner,
  { steps, environment = "", permissions = {} }: GithubJob,
  github: Record<string, string> = {},
) {
  const output = join(folder, "github-output");
  writeFileSync(output, "");
  const known: Record<string, string> = { ...secrets[""], ...secrets[environment] };
  const filled = (value: string) =>
    value.replace(/\$\{\{ (?:secrets\.)?([\w.[\]]+) \}\}/g, (_, name: string) => known[name] ?? github[name] ?? "");
  const identityOf =
    permissions["id-token"] === "write" ? { ACTIONS_ID_TOKEN_REQUEST_URL: `${identityUrl}?a=b`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t" } : {};
  let printed = "";
  for (const { run, env: own } of steps) {
    if (run === undefined || run === "npm ci") continue;
    const given = Object.entries(own).flatMap(([name, value]) => (filled(value) === "" ? [] : [[name, filled(value)] as const]));
    const result = await bash(run, folder, { ...env, ...Object.fromEntries(given), GITHUB_OUTPUT: output, ...identityOf, ...github });
    printed += result.printed;
    if (result.status !== 0) return { status: result.status, printed, outputs: readFileSync(output, "utf8") };
  }
  return { status: 0, printed, outputs: readFileSync(output, "utf8") };
}

/** Runs the script of a GitLab job, as GitLab's runner does. */
export async function runGitlab(
  { folder, env, secrets, identity }: Runner,
  name: string,
  more: Record<string, string> = {},
): Promise<JobResult> {
  const job = gitlabJobs()[name];
  if (!job) throw new Error(`there is no job ${name}`);
  const known = { ...secrets[""], ...secrets[job.environment ?? ""] };
  const identities = Object.fromEntries(
    Object.entries(job.id_tokens).map(([variable, { aud }]) => [variable, identity(aud, job.environment)]),
  );
  return { ...(await bash(job.script.join("\n"), folder, { ...env, ...known, ...identities, ...more })), outputs: "" };
}

/** Runs a script in a shell as GitLab's runner does. Unlike in GitHub's default, a failure within a pipe ends it, too. */
export async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ status: number; printed: string }> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await ended, printed: out + err };
}

/**
 * Serves a CI vendor's key set, and identity tokens for a job. @param job the claims of that job @returns the two addresses, and a function
 * that signs a token with any claims
 */
export async function vendor(
  open: Open,
  job: Record<string, unknown>,
): Promise<{ keysUrl: string; identityUrl: string; token(claims: Record<string, unknown>): string }> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] });
  const server = createServer(({ url = "" }, response) => {
    const aud = new URL(url, "http://vendor").searchParams.get("audience");
    const value = () => JSON.stringify({ value: token({ ...job, aud }) });
    response.setHeader("content-type", "application/json").end(url.startsWith("/identity") ? value() : keys);
  });
  const port = await listen(server, open);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = (claims: Record<string, unknown>) => {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, nbf: now - 5, exp: now + 300, jti: randomUUID() };
    const signed = `${part({ alg: "RS256", kid: "one", typ: "JWT" })}.${part({ ...times, aud: "cluster", ...claims })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
  };
  return { keysUrl: `http://127.0.0.1:${port}/keys`, identityUrl: `http://127.0.0.1:${port}/identity`, token };
}

/** The claims of a job on the protected branch, in the environment, from GitHub and from GitLab. */
export const ours = {
  github: {
    iss: "https://token.actions.githubusercontent.com",
    sub: "repo:acme/access:environment:production",
    repository: "acme/access",
    repository_id: "1296269",
    ref: "refs/heads/main",
    ref_protected: "true",
    environment: "production",
  },
  gitlab: {
    iss: "https://gitlab.com",
    sub: "project_path:acme/access:ref_type:branch:ref:main",
    project_path: "acme/access",
    project_id: "1296269",
    ref: "main",
    ref_protected: "true",
    environment: "production",
  },
} as const;

/**
 * The claims of identity tokens that the same keys sign and that must not get access: of foreign projects, and of our own jobs that are no
 * deployments.
 */
export const others = {
  github: {
    "a foreign repository": {
      ...ours.github,
      sub: "repo:attacker/evil:environment:production",
      repository: "attacker/evil",
      repository_id: "666",
    },
    "a pull request of ours": { ...ours.github, ref: "refs/pull/1/merge", ref_protected: "false", environment: undefined },
    "a branch of ours that is not protected": { ...ours.github, ref: "refs/heads/x", ref_protected: "false" },
    "another issuer with these keys": { ...ours.github, iss: "https://token.actions.githubusercontent.com/attacker" },
  },
  gitlab: {
    "a foreign project": {
      ...ours.gitlab,
      sub: "project_path:attacker/evil:ref_type:branch:ref:main",
      project_path: "attacker/evil",
      project_id: "666",
    },
    "a merge request of ours": { ...ours.gitlab, ref: "x", ref_protected: "false", environment: undefined },
    "another environment of ours": { ...ours.gitlab, environment: "review/x" },
    "another issuer with these keys": { ...ours.gitlab, iss: "https://gitlab.attacker.test" },
  },
} as const;
