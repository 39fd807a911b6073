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
  /** The base address of the repository's files, before the name of a tag. */
  readonly files: string;
  /** The address for bug reports. */
  readonly bugs: string;
  /** The address of the plugin's archives for the Pulumi CLI: the assets of the repository's releases. */
  readonly pluginDownloadUrl: string;
  /** The path that Go programs import. */
  readonly goModule: string;
}

/** The path that Go programs import before a release. Nobody can register a name below example.com. */
const localGoModule = "example.com/pulumi-agentpool-acl/sdk/go/agentpoolacl";

/** @throws unless the repository is on github.com, because the CLI finds releases without further settings only there */
export function sourceOf(url: string): Source {
  const [, repository, owner] = /^git\+https:\/\/github\.com\/(([\w.-]+)\/[\w.-]+)\.git$/.exec(url) ?? [];
  if (!repository || !owner) throw new Error(`package.json: repository.url is "${url}". Write it as git+https://github.com/OWNER/NAME.git`);
  const homepage = `https://github.com/${repository}`;
  const files = `https://raw.githubusercontent.com/${repository}`;
  const goModule = `github.com/${repository}/sdk/go/agentpoolacl`;
  return { owner, homepage, files, bugs: `${homepage}/issues`, pluginDownloadUrl: `github://api.github.com/${repository}`, goModule };
}

/** The publisher of the package sets its repository and removes `private`, both together. */
const manifest = z
  .object({ repository: z.object({ url: z.string() }).optional(), private: z.literal(true).optional() })
  .refine((one) => (one.repository === undefined) === (one.private === true), {
    message: "package.json: set repository.url and remove private, both together, to publish the package",
  });

/** The addresses of a package.json. Undefined until the package is published, because anyone could register a free address. */
export function sourceIn(text: string): Source | undefined {
  const { repository } = manifest.parse(JSON.parse(text));
  return repository && sourceOf(repository.url);
}

/** The addresses of this package. */
export function readSource(): Source | undefined {
  return sourceIn(readFileSync(join(root, "package.json"), "utf8"));
}

/** The addresses of a published package. @throws before publication */
export function publishedSource(source = readSource()): Source {
  if (source) return source;
  throw new CommandError(
    "package.json names no repository, so nothing can be released: the files would lead users to an address that anyone can register. Set repository.url to git+https://github.com/OWNER/NAME.git, remove private, and run npm run generate.",
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

/** The addresses for plugin resources in programs, and for the programs that an import writes. */
export function sourceModule(source = readSource()): string {
  return `// Generated from the repository in package.json by \`npm run generate\`. Edit that.

/** The address from which the Pulumi CLI downloads a missing plugin; undefined until the package is published. */
export const pluginDownloadUrl: string | undefined = ${source ? `"${source.pluginDownloadUrl}"` : "undefined"};

/** The path that Go programs import. */
export const goModule = "${goModuleOf(source)}";
`;
}
