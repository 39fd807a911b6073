/** All addresses follow from the repository in package.json. Without one, no file for users has an address that others could register. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { goModule, pluginDownloadUrl } from "../../provider/generated/source";
import { root } from "../repository";
import { packageFacts, pulumiSchema } from "./pulumi";
import { withTables } from "./readme";
import { goModuleOf, publishedSource, readSource, sourceIn, sourceModule, sourceOf, withAddresses } from "./source";
import { namingVersion, withVersion } from "./version";

const read = (name: string) => readFileSync(join(root, name), "utf8");
const other = sourceOf("git+https://github.com/else/where.git");

test("package.json and the generated sources have the addresses that follow from its repository, and none without one", () => {
  const source = readSource();
  expect(withAddresses(read("package.json"))).toBe(read("package.json"));
  expect(pluginDownloadUrl).toBe(source?.pluginDownloadUrl);
  expect(goModule).toBe(goModuleOf(source));
});

/** Likely addresses of this project that are still free for others to register. */
const foreign =
  /(github:\/\/|(api\.|raw\.)?github(usercontent)?\.com\/)[\w./-]*agentpool-acl|"pulumi-agentpool-acl": "[\^~\d]|pluginDownloadURL: \w+:\/\//;

/** The files that users get: npm's package, and the examples. */
function shipped(): string[] {
  const npm = process.env.npm_execpath;
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout, stderr } = spawnSync(npm ? process.execPath : "npm", npm ? [npm, ...args] : args, { cwd: root, encoding: "utf8" });
  const [packed]: { files: { path: string }[] }[] = JSON.parse(stdout || "[]");
  if (!packed) throw new Error(stderr);
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" }).map((path) => join("examples", path));
  const all = [...packed.files.map(({ path }) => path), ...examples.filter((path) => !path.includes("node_modules"))];
  return all.filter((path) => statSync(join(root, path)).isFile() && !path.endsWith(".png"));
}

test("before publication, no file of the package or the examples has an unregistered address or dependency", () => {
  if (readSource()) return console.log("Left out, because package.json names a repository: the addresses are its own.");
  const files = shipped();
  for (const path of ["schema.json", "dist/provider/program/plugin.js", join("examples", "go", "main.go")]) expect(files).toContain(path);
  const found = files.flatMap((path) => {
    const [text] = foreign.exec(read(path)) ?? [];
    return text === undefined ? [] : [`${path}: ${text}`];
  });
  expect(found).toEqual([]);
  expect(JSON.parse(read("schema.json"))).not.toHaveProperty("pluginDownloadURL");
  for (const text of ["github://api.github.com/x/pulumi-agentpool-acl", '"pulumi-agentpool-acl": "^0.3.0"']) expect(text).toMatch(foreign);
});

test("a repository turns on all addresses in package.json, the schema, and programs", () => {
  const facts = packageFacts.parse(JSON.parse(read("package.json")));
  const text = withAddresses(JSON.stringify({ name: "x", repository: { url: "git+https://github.com/else/where.git" } }));
  expect(JSON.parse(text)).toMatchObject({
    homepage: "https://github.com/else/where",
    bugs: { url: "https://github.com/else/where/issues" },
  });
  expect(pulumiSchema(facts, other)).toMatchObject({
    homepage: "https://github.com/else/where",
    repository: "https://github.com/else/where",
    publisher: "else",
    pluginDownloadURL: "github://api.github.com/else/where",
    logoUrl: `https://raw.githubusercontent.com/else/where/v${facts.version}/docs/logo.png`,
  });
  expect(readFileSync(join(root, "docs/logo.png")).subarray(1, 4).toString()).toBe("PNG");
  expect(sourceModule(other)).toContain('"github.com/else/where/sdk/go/agentpoolacl"');
  expect(sourceModule(other)).toContain('= "github://api.github.com/else/where";');
});

test.each(namingVersion())("%s names the repository everywhere once there is one", (path) => {
  const after = withVersion(withTables(read(path), other), "1.2.3", other);
  expect(after).not.toMatch(/example\.com\/pulumi-agentpool-acl|file:\.\.\/\.\./);
  if (/^examples\/(go|python|yaml)\/Pulumi.yaml$/.test(path.replaceAll("\\", "/"))) {
    expect(after).toContain("    version: 1.2.3\n    pluginDownloadURL: github://api.github.com/else/where\n");
  }
  if (path === "SECURITY.md") expect(after).toContain("(https://github.com/else/where/security/advisories/new)");
  if (/^examples.*package.json$/.test(path)) expect(after).toContain('"pulumi-agentpool-acl": "^1.2.3"');
});

test.each(["https://example.com/x.git", "github:else/where", "git+https://github.com/where.git"])(
  "a repository that the CLI can't download from is refused: %s",
  (url) => {
    expect(() => sourceOf(url)).toThrow(`repository.url is "${url}". Write it as git+https://github.com/OWNER/NAME.git`);
  },
);

test("a private package with a repository, and a public one without, are refused", () => {
  const repository = { url: "git+https://github.com/else/where.git" };
  const half = "set repository.url and remove private, both together";
  expect(() => sourceIn(JSON.stringify({ private: true, repository }))).toThrow(half);
  expect(() => sourceIn(JSON.stringify({}))).toThrow(half);
  expect(sourceIn(JSON.stringify({ private: true }))).toBeUndefined();
  expect(sourceIn(JSON.stringify({ repository }))).toEqual(other);
});

test("addresses of a published package are refused without a repository", () => {
  expect(() => publishedSource(sourceIn('{ "private": true }'))).toThrow("package.json names no repository, so nothing can be released");
});
