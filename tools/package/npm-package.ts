import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Source } from "../generate/source";
import { root } from "../repository";
import { archiveOf } from "./archive";

/** The name of the npm package by which the CLI finds the plugin of a Node program. */
export const npmPackage = "pulumi-agentpool-acl-plugin";

const facts = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});

const readmeFor = ({ homepage, pluginDownloadUrl }: Source, version: string) => `# ${npmPackage}

The classes of \`pulumi-agentpool-acl/plugin\`, and for the Pulumi CLI the version of the plugin that they need and where to download it.
Pulumi.yaml does not name the plugin then:

\`\`\`sh
npm install @pulumi/pulumi ${npmPackage}
pulumi install
\`\`\`

\`\`\`typescript
import { AclRole } from "${npmPackage}";

const developers = new AclRole("developers", { name: "developers", policies: ["read-only"] });
export const roleId = developers.id;
\`\`\`

\`pulumi install\` downloads the plugin from \`${pluginDownloadUrl}\`, and fails without a network. There, install the archive of the release
for your system first: \`pulumi plugin install resource agentpool-acl ${version} --file ARCHIVE\`.

Configuration, resources and everything else: [the documents](${homepage}/blob/main/docs/README.md) of \`pulumi-agentpool-acl\`.
`;

/**
 * The npm package, as npm packs it. Not a folder of this repository, because the CLI treats each package.json with a `pulumi` section below
 * a program's node_modules as a plugin of the program, even in a linked checkout of this repository.
 */
export function packNpmPackage(source: Source): Promise<Buffer> {
  const { name, version, license, engines, peerDependencies } = facts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const manifest = {
    name: npmPackage,
    version,
    description: `The plugin of ${name} for Node programs`,
    keywords: ["pulumi"],
    homepage: source.homepage,
    bugs: { url: source.bugs },
    license,
    repository: { type: "git", url: `git+${source.homepage}.git` },
    engines,
    main: "./index.js",
    types: "./index.d.ts",
    files: ["index.js", "index.d.ts"],
    dependencies: { [name]: version },
    peerDependencies,
    pulumi: { resource: true, name: "agentpool-acl", version, server: source.pluginDownloadUrl },
  };
  const files = {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "index.js": `module.exports = require("${name}/plugin");\n`,
    "index.d.ts": `export * from "${name}/plugin";\n`,
    "README.md": readmeFor(source, version),
    LICENSE: readFileSync(join(root, "LICENSE"), "utf8"),
  };
  return archiveOf(Object.entries(files).map(([path, text]) => ({ path: `package/${path}`, content: Buffer.from(text) })));
}
