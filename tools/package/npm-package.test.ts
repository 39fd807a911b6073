import { gunzipSync } from "node:zlib";
import { packNpmPackage } from "./npm-package";

test("the npm package for Node programs re-exports the plugin's classes, and names the plugin of its own version to the CLI", async () => {
  const { version } = jest.requireActual<{ version: string }>("../../package.json");
  const text = gunzipSync(await packNpmPackage()).toString();
  expect(text).toContain('module.exports = require("pulumi-agentpool-acl/plugin");');
  const manifest: unknown = JSON.parse(/\{\n.*?\n\}/s.exec(text)?.[0] ?? "");
  expect(manifest).toMatchObject({
    name: "pulumi-agentpool-acl-plugin",
    version,
    dependencies: { "pulumi-agentpool-acl": version },
    homepage: expect.stringMatching(/^https:/),
    bugs: { url: expect.stringMatching(/^https:/) },
    peerDependencies: { "@pulumi/pulumi": expect.any(String) },
    pulumi: { resource: true, name: "agentpool-acl", version, server: expect.stringMatching(/^github:\/\/api\.github\.com\//) },
  });
  expect(text).toContain(`pulumi plugin install resource agentpool-acl ${version} --file ARCHIVE`);
});
