import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { channelOptions, grpc } from "./grpc";

/** The engine's log: what the user should know of a resource, shown beside it. */
export class EngineLog {
  private client: EngineClient | undefined;

  /** @param address the engine's, where it gave one */
  constructor(address: string | undefined) {
    if (address) this.attach(address);
  }

  attach(address: string): void {
    this.client?.close();
    this.client = new EngineClient(address, grpc.credentials.createInsecure(), channelOptions);
  }

  warn(urn: string, message: string): void {
    this.send(LogSeverity.WARNING, urn, message);
  }

  info(urn: string, message: string): void {
    this.send(LogSeverity.INFO, urn, message);
  }

  private send(severity: LogSeverity, urn: string, message: string): void {
    if (!this.client) return void console.error(message);
    const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(message);
    this.client.log(request, (error) => {
      // An engine that is gone reads nothing any more; standard error is what is left.
      if (error) console.error(message);
    });
  }
}
