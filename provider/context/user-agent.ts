import type * as Sdk from "@pulumi/pulumi/version";
import type * as Package from "./package";

let text: string | undefined;

/** What requests name as their sender: the versions of this package, of the SDK that runs it, and of Node. Loaded by the first request. */
export function userAgent(): string {
  text ??= read();
  return text;
}

function read(): string {
  const { packageVersion }: typeof Package = require("./package");
  const { version }: typeof Sdk = require("@pulumi/pulumi/version");
  return `pulumi-agentpool-acl/${packageVersion} pulumi-nodejs/${version} node/${process.versions.node}`;
}
