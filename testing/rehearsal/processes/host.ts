import { join } from "node:path";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ProviderHost } from "../engine/provider";
import { type PropertyMap, reveal } from "../engine/values";
import { Child } from "./child";
import { findExecutable, foldersOf } from "./executable";
import { CHANNEL_OPTIONS, grpc } from "./grpc";
import type { Project } from "./project";
import { ofPackage, RemotePlugin, RemoteProvider } from "./remote";

export interface HostOptions {
  project: Project;
  /** The engine's address, to which a provider may log. */
  engine: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/** The SDK's dynamic host in its process. It starts at once; the first call waits for it. */
export function startDynamicHost(options: HostOptions): ProviderHost {
  const { project, engine, env } = options;
  const args = [join(project.sdk, "cmd", "dynamic-provider", "index.js"), engine];
  const host = startProcess("the dynamic provider", process.execPath, args, {
    ...options,
    env: { ...env, PULUMI_NODEJS_PROJECT: project.name, PULUMI_PROJECT: project.name, PULUMI_CONFIG: "{}" },
  });
  return new RemoteProvider(host.connected, host.stop);
}

/**
 * A package's plugin in its own process, for the provider of this name.
 *
 * @param config the stack's configuration, with full keys: the process of a plugin gets the part of its package, even if an explicit
 * provider has other settings
 * @throws if its executable is neither in the program's packages nor on PATH
 */
export function startPlugin(packageName: string, name: string, options: HostOptions, config: PropertyMap): RemotePlugin {
  const command = findPlugin(packageName, options);
  const env = { ...options.env, PULUMI_CONFIG: JSON.stringify(reveal(ofPackage(packageName, config))) };
  const { connected, stop } = startProcess(`the plugin ${packageName}`, command, [options.engine], { ...options, env });
  return new RemotePlugin(packageName, name, connected, stop);
}

function findPlugin(packageName: string, { env }: HostOptions): string {
  const executable = `pulumi-resource-${packageName}`;
  const found = findExecutable(executable, foldersOf(env.PATH));
  if (found !== undefined) return found;
  throw new Error(
    `there is no ${executable} among the program's packages or on PATH: install the package ${packageName}, or use the Pulumi CLI`,
  );
}

function startProcess(what: string, command: string, args: string[], { project, env, onLine }: HostOptions) {
  let announcePort: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => {
    announcePort = resolve;
  });
  let started = false;
  const child = new Child({
    command,
    args,
    cwd: project.directory,
    env,
    // The first line is the port; the following lines are printed by the providers.
    onLine: (line, stream) => {
      if (started || stream === "stderr") return onLine(line);
      started = true;
      announcePort(line.trim());
    },
  });
  const died = child.exited.then((code): never => {
    throw new Error(`${what}'s process ended too early, with the code ${code}: the diagnostics have its output`);
  });
  died.catch(() => {});
  const connected = Promise.race([port, died]).then(
    (number) => new ResourceProviderClient(`127.0.0.1:${number}`, grpc.credentials.createInsecure(), CHANNEL_OPTIONS),
  );
  connected.catch(() => {});
  const stop = async (): Promise<void> => {
    await child.stop();
    await connected.then((client) => client.close()).catch(() => {});
  };
  return { connected, stop };
}
