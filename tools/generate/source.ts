import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { CommandError } from "../../cli/command-line";
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

/** The path that Go programs import before a release. Nobody can register a name below example.com. */
const localGoModule = "example.com/pulumi-agentpool-acl/sdk/go/agentpoolacl";

/** @throws when the repository is not one of github.com: the CLI finds releases there only without further settings */
export function sourceOf(url: string): Source {
  const [, repository, owner] = /^git\+https:\/\/github\.com\/(([\w.-]+)\/[\w.-]+)\.git$/.exec(url) ?? [];
  if (!repository || !owner) throw new Error(`package.json: repository.url is "${url}". Write it as git+https://github.com/OWNER/NAME.git`);
  const homepage = `https://github.com/${repository}`;
  const files = `https://raw.githubusercontent.com/${repository}`;
  const goModule = `github.com/${repository}/sdk/go/agentpoolacl`;
  return { owner, homepage, files, bugs: `${homepage}/issues`, pluginDownloadUrl: `github://api.github.com/${repository}`, goModule };
}

/** Whoever publishes the package sets its repository and removes `private`. Neither has a meaning without the other. */
const manifest = z
  .object({ repository: z.object({ url: z.string() }).optional(), private: z.literal(true).optional() })
  .refine((one) => (one.repository === undefined) === (one.private === true), {
    message: "package.json: set repository.url and remove private, both together, to publish the package",
  });

/** The addresses of a package.json. Undefined until the package is published: an address that nobody holds yet is anyone's to take. */
export function sourceIn(text: string): Source | undefined {
  const { repository } = manifest.parse(JSON.parse(text));
  return repository && sourceOf(repository.url);
}

/** The addresses of this package. */
export function readSource(): Source | undefined {
  return sourceIn(readFileSync(join(root, "package.json"), "utf8"));
}

/** The same for what only a published package has. @throws before that */
export function publishedSource(source = readSource()): Source {
  if (source) return source;
  throw new CommandError(
    "package.json names no repository, so nothing can be released: the files would lead users to an address that anyone can take. Set repository.url to git+https://github.com/OWNER/NAME.git, remove private, and run npm run generate.",
  );
}

/** The path that Go programs import. */
export function goModuleOf(source: Source | undefined): string {
  return source?.goModule ?? localGoModule;
}

/** package.json with the addresses that follow from its repository. */
export function withAddresses(text: string): string {
  const { homepage: _, bugs: __, ...given } = z.record(z.string(), z.json()).parse(JSON.parse(text));
  const source = sourceIn(text);
  return `${JSON.stringify({ ...given, ...(source && { homepage: source.homepage, bugs: { url: source.bugs } }) }, null, 2)}\n`;
}

/** What programs register the plugin's resources with, and what an import writes into them. */
export function sourceModule(source = readSource()): string {
  return `// Generated from the repository in package.json by \`npm run generate\`. Edit that.

/** Where the Pulumi CLI downloads a plugin that is not installed; undefined until the package is published. */
export const pluginDownloadUrl: string | undefined = ${source ? `"${source.pluginDownloadUrl}"` : "undefined"};

/** The path that Go programs import. */
export const goModule = "${goModuleOf(source)}";
`;
}
