import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pluginDownloadUrl } from "../../provider/generated/source";
import { root } from "../repository";
import { readSource, sourceModule, sourceOf, withAddresses } from "./source";
import { namingVersion, withVersion } from "./version";

const read = (name: string) => readFileSync(join(root, name), "utf8");

test("package.json, schema.json and the classes of the plugin have the addresses that follow from the repository in package.json", () => {
  const source = readSource();
  expect(withAddresses(read("package.json"))).toBe(read("package.json"));
  expect(JSON.parse(read("schema.json"))).toMatchObject({
    homepage: source.homepage,
    repository: source.homepage,
    pluginDownloadURL: source.pluginDownloadUrl,
    logoUrl: `${source.files}/v${JSON.parse(read("package.json")).version}/docs/logo.png`,
  });
  expect(pluginDownloadUrl).toBe(source.pluginDownloadUrl);
});

test("another repository changes every address", () => {
  const other = withAddresses(JSON.stringify({ name: "x", repository: { url: "git+https://github.com/else/where.git" } }));
  expect(JSON.parse(other)).toMatchObject({
    homepage: "https://github.com/else/where",
    bugs: { url: "https://github.com/else/where/issues" },
  });
  expect(sourceOf("git+https://github.com/else/where.git").pluginDownloadUrl).toBe("github://api.github.com/else/where");
});

test.each(namingVersion())("%s names another repository everywhere after `npm run generate`", (path) => {
  const other = withVersion(read(path), "1.2.3", sourceOf("git+https://github.com/else/where.git"));
  expect(other).not.toContain(readSource().homepage.replace("https://github.com/", ""));
});

test("the module that programs are registered and written with names another repository", () => {
  expect(sourceModule(sourceOf("git+https://github.com/else/where.git"))).toContain('"github.com/else/where/sdk/go/agentpoolacl"');
});

test.each(["https://example.com/x.git", "github:else/where", "git+https://github.com/where.git"])(
  "a repository that the CLI can't download from is refused: %s",
  (url) => {
    expect(() => sourceOf(url)).toThrow(`repository.url is "${url}". Write it as git+https://github.com/OWNER/NAME.git`);
  },
);
