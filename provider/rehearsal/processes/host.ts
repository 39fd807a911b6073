import { join } from "node:path";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ProviderHost } from "../engine/provider";
import { Child } from "./child";
import { CHANNEL_OPTIONS, grpc } from "./grpc";
import type { Project } from "./project";
import { RemoteProvider } from "./remote";

export interface HostOptions {
  project: Project;
  /** The engine's address, which a provider may log to. */
  engine: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/** The SDK's own dynamic host in its process. It begins to start at once; the first call waits for it. */
export function startDynamicHost({ project, engine, env, onLine }: HostOptions): ProviderHost {
  let announcePort: (port: string) => void = () => {};
  const port = new Promise<string>((resolve) => {
    announcePort = resolve;
  });
  let started = false;
  const child = new Child({
    args: [join(project.sdk, "cmd", "dynamic-provider", "index.js"), engine],
    cwd: project.directory,
    env: { ...env, PULUMI_NODEJS_PROJECT: project.name, PULUMI_PROJECT: project.name, PULUMI_CONFIG: "{}" },
    // The first line is the port; what follows is what the providers print.
    onLine: (line, stream) => {
      if (started || stream === "stderr") return onLine(line);
      started = true;
      announcePort(line.trim());
    },
  });
  const died = child.exited.then((code): never => {
    throw new Error(`the dynamic provider's process ended too early, with the code ${code}: what it printed is among the diagnostics`);
  });
  died.catch(() => {});
  const connected = Promise.race([port, died]).then(
    (number) => new ResourceProviderClient(`127.0.0.1:${number}`, grpc.credentials.createInsecure(), CHANNEL_OPTIONS),
  );
  connected.catch(() => {});
  return new RemoteProvider(connected, async () => {
    await child.stop();
    await connected.then((client) => client.close()).catch(() => {});
  });
}
