import { bundleProvider } from "../package/bundle";
import { runtimes } from "../package/runtimes";
import { archiveSbom } from "./sbom";

test("the SBOM of the archives has every package whose licence they hold, and Node", async () => {
  const { packages, licences } = await bundleProvider();
  const named = [...licences.toString().matchAll(/^(\S+) (\d+\.\d+\.\S+) \(.+\)$/gm)].map(([, name, version]) => `${name} ${version}`);
  const { components, dependencies } = JSON.parse(archiveSbom("1.2.3", packages));
  const inside = components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`);
  expect(inside).toEqual([...named, `node ${runtimes.version}`]);
  expect(inside.length).toBeGreaterThan(15);
  expect(components).toContainEqual(
    expect.objectContaining({
      name: "@grpc/grpc-js",
      purl: expect.stringMatching(/^pkg:npm\/%40grpc\/grpc-js@1\./),
      licenses: [{ expression: "Apache-2.0" }],
    }),
  );
  const references = components.map((one: { "bom-ref": string }) => one["bom-ref"]);
  expect(new Set(references).size).toBe(references.length);
  expect(dependencies).toEqual([{ ref: "pkg:generic/pulumi-resource-agentpool-acl@1.2.3", dependsOn: references }]);
});

test("Node in the SBOM is that of runtimes.json, with the checksum of the npm package for each system", () => {
  const [node] = JSON.parse(archiveSbom("1.2.3", [])).components;
  expect(node).toMatchObject({ type: "platform", cpe: `cpe:2.3:a:nodejs:node.js:${runtimes.version}:*:*:*:*:*:*:*` });
  const pinned = Object.values(runtimes.packages).map(({ name, integrity }) => [name, integrity]);
  const found = node.components.map(
    ({ name, hashes: [{ alg, content }] }: { name: string; hashes: [{ alg: string; content: string }] }) => {
      expect(alg).toBe("SHA-512");
      return [name, `sha512-${Buffer.from(content, "hex").toString("base64")}`];
    },
  );
  expect(found).toEqual(pinned);
});
