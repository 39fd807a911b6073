/** The components of a release in CycloneDX's form, without parts that differ between runs. */
import * as z from "zod";
import type { BundledPackage } from "../package/bundle";
import { runtimes } from "../package/runtimes";
import { root } from "../repository";
import { run } from "./run";

/** The dependencies of the npm package. */
export async function packageSbom(): Promise<string> {
  const text = await run("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"], { cwd: root });
  const { serialNumber: _, ...whole } = z.record(z.string(), z.json()).parse(JSON.parse(text));
  const metadata = z.looseObject({ timestamp: z.string(), component: z.looseObject({ name: z.string() }) }).parse(whole.metadata);
  const { timestamp: __, component, ...rest } = metadata;
  // npm would use the name of the checkout's folder.
  return `${JSON.stringify({ ...whole, metadata: { ...rest, component: { ...component, name: "pulumi-agentpool-acl" } } }, null, 2)}\n`;
}

/** The components of the plugin's archives: the packages of the bundle, and Node with its npm package for each system. */
export function archiveSbom(version: string, packages: readonly BundledPackage[]): string {
  const name = "pulumi-resource-agentpool-acl";
  const purl = `pkg:generic/${name}@${version}`;
  const parts = [...packages.map(libraryOf), node()];
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { "bom-ref": purl, type: "application", name, version, purl } },
    components: parts,
    dependencies: [{ ref: purl, dependsOn: parts.map((part) => part["bom-ref"]) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** A component. The bundle may have two versions of a package, but each only once. */
function libraryOf({ name, version, license }: BundledPackage) {
  const purl = purlOf(name, version);
  return { "bom-ref": purl, type: "library", name, version, purl, licenses: [{ expression: license }] };
}

function node() {
  const { version, packages } = runtimes;
  const carriers = Object.values(packages).map(({ name, integrity }) => {
    const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    const purl = purlOf(name, version);
    return { "bom-ref": purl, type: "library", name, version, purl, hashes: [{ alg: "SHA-512", content }] };
  });
  return {
    "bom-ref": `pkg:generic/node@${version}`,
    type: "platform",
    name: "node",
    version,
    purl: `pkg:generic/node@${version}`,
    // Scanners find Node's vulnerabilities by this name.
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: [{ expression: "MIT" }],
    components: carriers,
  };
}

/** The purl of an npm package, with the @ of a scope as %40. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
