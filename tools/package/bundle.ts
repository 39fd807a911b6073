import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import * as z from "zod";
import { root } from "../repository";

/** A package with code in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The provider with its dependencies as one file. */
export interface Bundle {
  readonly code: Buffer;
  /** The packages with code in the bundle. */
  readonly packages: readonly BundledPackage[];
  /** The licences of these packages. */
  readonly licences: Buffer;
}

const packageFacts: z.ZodType<BundledPackage> = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** @throws for every warning of the bundler */
export async function bundleProvider(): Promise<Bundle> {
  const { outputFiles, metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: ["tools/package/provider.ts"],
    bundle: true,
    platform: "node",
    target: "node22",
    // Keeps names, because defects are reported with their stacks.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    plugins: [sdkWithoutLookup],
    metafile: true,
    write: false,
    outfile: "provider.js",
    logLevel: "error",
  });
  const [warning] = warnings;
  if (warning) throw new Error(`the bundle may be incomplete: ${warning.text} (${warning.location?.file ?? "no file"})`);
  const [output] = outputFiles;
  if (!output) throw new Error("the bundler has made no file");
  const packages = packagesOf(Object.keys(metafile.inputs));
  return { code: Buffer.from(output.contents), packages: packages.map(({ facts }) => facts), licences: licencesOf(packages) };
}

/** Bundles gRPC and protobuf, which the package otherwise looks up in the SDK's folder at run time. */
const sdkWithoutLookup: Plugin = {
  name: "sdk",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]adapters[\\/]plugin[\\/]grpc\.ts$/ }, ({ path }) => ({
      contents: replaced(replaced(readFileSync(path, "utf8"), /^const fromSdk = .*$/m, ""), /\bfromSdk\b(?=\(")/g, "require"),
      loader: "ts",
      resolveDir: dirname(require.resolve("@pulumi/pulumi/package.json")),
    })),
};

function replaced(text: string, pattern: RegExp, by: string): string {
  if (text.search(pattern) < 0) throw new Error(`the bundle's source has changed: ${pattern} is not in it`);
  return text.replace(pattern, by);
}

interface Folder {
  readonly path: string;
  readonly facts: BundledPackage;
}

/** The packages of these files. */
function packagesOf(files: readonly string[]): Folder[] {
  const folders = new Set(files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  return [...folders].sort().map((folder) => {
    const path = join(root, folder);
    return { path, facts: packageFacts.parse(JSON.parse(readFileSync(join(path, "package.json"), "utf8"))) };
  });
}

/** The names, versions and licences of packages, as one text. */
function licencesOf(packages: readonly Folder[]): Buffer {
  const texts = packages.map(({ path, facts }) => `${facts.name} ${facts.version} (${facts.license})\n\n${licenceIn(path)}`);
  return Buffer.from(texts.join(`\n${"-".repeat(80)}\n\n`));
}

function licenceIn(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^licen[cs]e/i.test(name));
  if (files.length === 0) throw new Error(`${folder} has no licence that the archives could include`);
  return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}
