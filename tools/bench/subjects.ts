import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { providerText } from "../../provider/adapters/dynamic";
import type { Simulator } from "../../testing/simulator";
import { type AdapterName, adapterNames } from "../engines/engine";
import { packages } from "../engines/engines";
import { type Kind, kinds } from "./workload";

/** The measured provider, and those that it is compared with. */
export const providerNames = ["own", "no-op", "naive"] as const;
export type ComparedName = (typeof providerNames)[number];

/** Also one that does nothing but return outputs as large as this provider's: its time above the no-op is the engine's work for them. */
export const carryingName = "carrying";
export type ProviderName = ComparedName | typeof carryingName;

/** A provider through one of the two adapters. */
export interface Subject {
  readonly provider: ProviderName;
  readonly adapter: AdapterName;
}

/** Providers that are compared run one after the other. */
export const subjects: readonly Subject[] = adapterNames.flatMap((adapter) => providerNames.map((provider) => ({ provider, adapter })));

export const carrying: Subject = { provider: carryingName, adapter: "plugin" };

export function titleOf({ provider, adapter }: Subject): string {
  return `${provider} ${adapter}`;
}

/** The package of a plugin. */
export function packageOf({ provider }: Subject): string {
  return provider === "own" ? "agentpool-acl" : provider.replace("-", "");
}

export function typeOf(subject: Subject, kind: Kind): string {
  return subject.adapter === "plugin" ? `${packageOf(subject)}:index:${kind}` : `pulumi-nodejs:dynamic/${packageOf(subject)}:${kind}`;
}

/**
 * The text by which the SDK's host loads a dynamic resource's provider. As short as possible for the peers, so that their state is the
 * smallest possible.
 */
export function providerTextOf({ provider }: Subject, kind: Kind): string {
  return provider === "own" ? providerText(kind) : `exports.handler=()=>require("./peer").${kind}`;
}

/** The folder of the plugin's executable. */
export function executableFolder(subject: Subject, program: string): string {
  return join(subject.provider === "own" ? join(packages, "pulumi-agentpool-acl") : program, "bin");
}

/** The environment variables of the subject's processes. */
export function environmentOf(subject: Subject, program: string, simulator: Simulator): Record<string, string> {
  return {
    PATH: [executableFolder(subject, program), process.env.PATH ?? ""].join(delimiter),
    // The naive provider has no configuration.
    NAIVE_ADDRESS: simulator.clusterAddress,
    NAIVE_TOKEN: simulator.clusterToken,
  };
}

/** Writes the subject's program into a temporary folder, and removes it after `use`. */
export async function withProgram<T>(subject: Subject, size: number, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-bench-"));
  try {
    writeProgram(folder, subject, size);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the program of the first update, or that of the update of 10 %. */
export function writeRevision(folder: string, size: number, isRevised: boolean): void {
  const program = `const pulumi = require("@pulumi/pulumi");
const { declareStack } = require(${JSON.stringify(join(__dirname, "workload.js"))});
const classes = require("./resources");

declareStack({
  size: ${size},
  isRevised: ${isRevised},
  clientSecret: new pulumi.Config().requireSecret("clientSecret"),
  declare: (kind, name, inputs) => new classes[kind](name, inputs),
  nameOf: (resource) => resource.name,
});
`;
  writeFileSync(join(folder, "index.js"), program);
}

function writeProgram(folder: string, subject: Subject, size: number): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    "Pulumi.yaml",
    `name: bench\nruntime: nodejs\nplugins:\n  providers:\n    - name: ${packageOf(subject)}\n      path: ${JSON.stringify(executableFolder(subject, folder))}\n`,
  );
  write("package.json", JSON.stringify({ name: "bench", private: true, main: "index.js" }));
  write("resources.js", classes(subject));
  writeRevision(folder, size, false);
  if (subject.provider === "own") return;
  const peer = `require(${JSON.stringify(join(__dirname, "peers", `${packageOf(subject)}.js`))}).peer`;
  const adapterModule = (adapter: AdapterName) => `require(${JSON.stringify(join(__dirname, "peers", `${adapter}.js`))})`;
  write("peer.js", `module.exports = ${adapterModule("dynamic")}.dynamicPeer(${peer});\n`);
  const executable = `bin/pulumi-resource-${packageOf(subject)}`;
  write(executable, `#!/usr/bin/env node\n${adapterModule("plugin")}.serve(${peer});\n`);
  chmodSync(join(folder, executable), 0o755);
}

/** The module from which a program imports its resources. */
function classes(subject: Subject): string {
  const { provider, adapter } = subject;
  if (provider === "own") return `module.exports = require("pulumi-agentpool-acl${adapter === "plugin" ? "/plugin" : ""}");\n`;
  const kindClass = (kind: Kind) => {
    const text = adapter === "dynamic" ? `, __provider: ${JSON.stringify(providerTextOf(subject, kind))}` : "";
    return `exports.${kind} = class extends pulumi.CustomResource {
  constructor(name, args) { super(${JSON.stringify(typeOf(subject, kind))}, name, { ...args${text} }); }
};
`;
  };
  return `const pulumi = require("@pulumi/pulumi");\n${kinds.map(kindClass).join("")}`;
}
