import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { hasCli } from "../engines/engines";
import { archiveOf, type Entry } from "../package/archive";
import { root } from "../repository";
import { run } from "./run";

/** The languages of a release's SDKs. Node programs import the package itself, and YAML needs no SDK. */
export const sdkLanguages = ["python", "go", "dotnet"];

/**
 * Makes an archive for each language in a folder, with the SDK of that language.
 *
 * @returns the languages left out, with the reasons
 */
export async function makeSdks(version: string, out: string): Promise<string[]> {
  if (!hasCli()) return [`SDKs for ${sdkLanguages.join(", ")}: there is no pulumi on PATH`];
  const leftOut: string[] = [];
  const logo = await serveLogo();
  for (const language of sdkLanguages) {
    const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-sdk-"));
    try {
      const schema = join(scratch, "schema.json");
      writeFileSync(schema, withLogo(logo.url));
      await run("pulumi", ["package", "gen-sdk", schema, "--language", language, "--out", scratch]);
      const archive = join(out, `pulumi-agentpool-acl-sdk-${language}-${version}.tar.gz`);
      writeFileSync(archive, await archiveOf(entriesIn(join(scratch, language), language)));
    } catch (error) {
      leftOut.push(`the SDK for ${language}: ${error instanceof Error ? error.message.trim() : error}`);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  logo.stop();
  return leftOut;
}

/** Serves the logo of this checkout, which the CLI downloads into the SDK for .NET, so no network is needed. */
async function serveLogo(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((_, response) => response.end(readFileSync(join(root, "docs/logo.png"))));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/logo.png`, stop: () => server.close() };
}

function withLogo(logoUrl: string): string {
  const schema = z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(join(root, "schema.json"), "utf8")));
  return JSON.stringify({ ...schema, logoUrl });
}

/** The files below a folder, by their paths in the archive. */
function entriesIn(folder: string, within: string): Entry[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => statSync(join(folder, path)).isFile());
  return paths.sort().map((path) => ({ path: `${within}/${path.replaceAll("\\", "/")}`, content: readFileSync(join(folder, path)) }));
}
