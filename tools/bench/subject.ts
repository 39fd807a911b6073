import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Simulator } from "../../testing/simulator";
import type { AdapterName } from "../engines/engine";
import { packages } from "../engines/engines";
import type { Sample } from "./figures";
import { type Kind, kinds } from "./workload";

/** A provider through one of the two adapters. */
export interface Subject {
  readonly provider: Sample["provider"];
  readonly adapter: AdapterName;
  /** The folder of its program's dependencies. Default: this repository's. */
  readonly packages?: string;
}

/** Whether the measured provider is this one or a variant of it. */
const isOwn = ({ provider }: Subject) => provider === "own" || provider === "other";

/** The package of a plugin. */
function packageOf(subject: Subject): string {
  return isOwn(subject) ? "agentpool-acl" : subject.provider.replace("-", "");
}

/** The folder of the plugin's executable. */
function executableFolder(subject: Subject, program: string): string {
  return join(isOwn(subject) ? join(subject.packages ?? packages, "pulumi-agentpool-acl") : program, "bin");
}

/** The environment variables of the subject's processes. */
export function environmentOf(subject: Subject, program: string, simulator: Simulator): Record<string, string> {
  return {
    PATH: [executableFolder(subject, program), process.env.PATH ?? ""].join(delimiter),
    // The naive provider has no configuration: it reads these variables.
    NAIVE_ADDRESS: simulator.clusterAddress,
    NAIVE_TOKEN: simulator.clusterToken,
  };
}

/** Writes the program of the first update, or of the update of 10 %. */
export function writeRevision(folder: string, size: number, isRevised: boolean): void {
  const program = `const pulumi = require("@pulumi/pulumi");
const { declareStack } = require(${JSON.stringify(join(__dirname, "workload.js"))});
declareStack({
  size: ${size},
  isRevised: ${isRevised},
  clientSecret: new pulumi.Config().requireSecret("clientSecret"),
  classes: require("./resources"),
});
`;
  writeFileSync(join(folder, "index.js"), program);
}

/** Writes the subject's program into an empty folder. */
export function writeProgram(folder: string, subject: Subject, size: number): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const [name, path] = [packageOf(subject), JSON.stringify(executableFolder(subject, folder))];
  write("Pulumi.yaml", `name: bench\nruntime: nodejs\nplugins:\n  providers:\n    - name: ${name}\n      path: ${path}\n`);
  write("package.json", JSON.stringify({ name: "bench", private: true, main: "index.js" }));
  write("resources.js", classes(subject));
  writeRevision(folder, size, false);
  if (isOwn(subject)) return;
  const ofPeers = (file: string) => `require(${JSON.stringify(join(__dirname, "peers", `${file}.js`))})`;
  write("peer.js", `module.exports = ${ofPeers("dynamic")}.dynamicPeer(${ofPeers(name)}.peer);\n`);
  const executable = `bin/pulumi-resource-${name}`;
  write(executable, `#!/usr/bin/env node\n${ofPeers("plugin")}.serve(${ofPeers(name)}.peer);\n`);
  chmodSync(join(folder, executable), 0o755);
}

/** The module from which a program imports its resources. */
function classes(subject: Subject): string {
  const { adapter } = subject;
  if (isOwn(subject)) return `module.exports = require("pulumi-agentpool-acl${adapter === "plugin" ? "/plugin" : ""}");\n`;
  const kindClass = (kind: Kind) => {
    const type = adapter === "plugin" ? `${packageOf(subject)}:index:${kind}` : `pulumi-nodejs:dynamic/${packageOf(subject)}:${kind}`;
    // As short as possible, so the peer's state is the smallest possible.
    const loader = JSON.stringify(`exports.handler=()=>require("./peer").${kind}`);
    return `exports.${kind} = class extends pulumi.CustomResource {
  constructor(name, args) { super("${type}", name, { ...args${adapter === "dynamic" ? `, __provider: ${loader}` : ""} }); }
};
`;
  };
  return `const pulumi = require("@pulumi/pulumi");\n${kinds.map(kindClass).join("")}`;
}
