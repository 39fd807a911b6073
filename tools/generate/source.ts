import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../repository";

/** The addresses that follow from `repository.url` of package.json, the only place where the repository is set. */
export interface Source {
  /** The repository's owner, who publishes the package. */
  readonly owner: string;
  /** The project's page: "https://github.com/OWNER/NAME". */
  readonly homepage: string;
  /** Where the repository's files are, below the name of a tag. */
  readonly files: string;
  /** Where bugs are reported. */
  readonly bugs: string;
  /** Where the Pulumi CLI downloads the plugin's archive: the assets of the repository's releases. */
  readonly pluginDownloadUrl: string;
  /** The path that Go programs import. */
  readonly goModule: string;
}

/** @throws when the repository is not one of github.com: the CLI finds releases there only without further settings */
export function sourceOf(url: string): Source {
  const [, repository, owner] = /^git\+https:\/\/github\.com\/(([\w.-]+)\/[\w.-]+)\.git$/.exec(url) ?? [];
  if (!repository || !owner) throw new Error(`package.json: repository.url is "${url}". Write it as git+https://github.com/OWNER/NAME.git`);
  const homepage = `https://github.com/${repository}`;
  const files = `https://raw.githubusercontent.com/${repository}`;
  const goModule = `github.com/${repository}/sdk/go/agentpoolacl`;
  return { owner, homepage, files, bugs: `${homepage}/issues`, pluginDownloadUrl: `github://api.github.com/${repository}`, goModule };
}

const manifest = z.object({ repository: z.object({ url: z.string() }) });

/** The addresses of this package. */
export function readSource(): Source {
  return sourceOf(manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).repository.url);
}

/** package.json with the addresses that follow from its repository. */
export function withAddresses(text: string): string {
  const given = z.record(z.string(), z.json()).parse(JSON.parse(text));
  const { homepage, bugs } = sourceOf(manifest.parse(given).repository.url);
  return `${JSON.stringify({ ...given, homepage, bugs: { url: bugs } }, null, 2)}\n`;
}

/** What programs register the plugin's resources with, and what an import writes into them. */
export function sourceModule({ pluginDownloadUrl, goModule } = readSource()): string {
  return `// Generated from the repository in package.json by \`npm run generate\`. Edit that.

/** Where the Pulumi CLI downloads the plugin from, when it is not installed. */
export const pluginDownloadUrl = "${pluginDownloadUrl}";

/** The path that Go programs import. */
export const goModule = "${goModule}";
`;
}
