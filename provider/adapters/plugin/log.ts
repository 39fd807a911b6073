import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { channelOptions, grpc } from "./grpc";

/** The plugin's messages to the user about a resource. */
export interface Log {
  warn(urn: string, message: string): void;
  info(urn: string, message: string): void;
  /** Resolves when all messages have arrived, or are known to be lost. Never rejects. */
  delivered(): Promise<void>;
}

/** The engine's log, which shows a message with its resource. */
export class EngineLog implements Log {
  private readonly client: EngineClient;
  private readonly underWay = new Set<Promise<void>>();

  constructor(engineAddress: string) {
    this.client = new EngineClient(engineAddress, grpc.credentials.createInsecure(), channelOptions);
  }

  warn(urn: string, message: string): void {
    this.send(LogSeverity.WARNING, urn, message);
  }

  info(urn: string, message: string): void {
    this.send(LogSeverity.INFO, urn, message);
  }

  async delivered(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private send(severity: LogSeverity, urn: string, message: string): void {
    const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(message);
    const sent = new Promise<void>((resolve) => {
      this.client.log(request, (error) => {
        // The engine has ended; only standard error is left.
        if (error) console.error(message);
        this.underWay.delete(sent);
        resolve();
      });
    });
    this.underWay.add(sent);
  }
}
