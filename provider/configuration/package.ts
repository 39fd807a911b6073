import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as Sdk from "@pulumi/pulumi/version";
import * as z from "zod";

/** The folder that holds package.json and schema.json. The compiled files in `dist` are one folder deeper than their sources. */
export const packageRoot = rootAbove(__dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, "schema.json"))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`the package is not whole: no folder above ${__dirname} holds its schema.json`);
  return rootAbove(above);
}

/** The version in package.json. */
export const packageVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"))).version;

/** The User-Agent of requests: the versions of this package, of the SDK that runs it, and of Node. */
export function userAgent(): string {
  const { version }: typeof Sdk = require("@pulumi/pulumi/version");
  return `pulumi-agentpool-acl/${packageVersion} pulumi-nodejs/${version} node/${process.versions.node}`;
}
