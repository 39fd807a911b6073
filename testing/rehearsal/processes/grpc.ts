import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";
import { messageOf } from "../engine/operation";
import { type PropertyMap, toPropertyMap } from "../engine/values";

// gRPC and protobuf come with the SDK. This package does not depend on them itself, so pnpm would not find them, although npm would.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
export const grpc: typeof Grpc = fromSdk("@grpc/grpc-js");
export const { Empty }: typeof EmptyMessages = fromSdk("google-protobuf/google/protobuf/empty_pb");
export const { Any }: typeof AnyMessages = fromSdk("google-protobuf/google/protobuf/any_pb");
const { Struct }: typeof StructMessages = fromSdk("google-protobuf/google/protobuf/struct_pb");

/** The SDK's own limit: states and closures may be larger than gRPC's 4 MB. */
export const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  "grpc.enable_http_proxy": 0,
  // Ports are reused: a failed connection to an earlier process must not count for the next one.
  "grpc.use_local_subchannel_pool": 1,
};

export function toStruct(map: PropertyMap): StructMessages.Struct {
  return Struct.fromJavaScript(map);
}

export function fromStruct(struct: StructMessages.Struct | undefined): PropertyMap {
  return struct === undefined ? {} : toPropertyMap(struct.toJavaScript());
}

/** An error with a gRPC status. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  constructor(
    readonly code: Grpc.status,
    message: string,
  ) {
    super(message);
  }
}

/** A gRPC method from a function. An error of the function becomes the status of the response. */
export function unary<Request, Response>(
  handle: (request: Request) => Promise<Response> | Response,
): Grpc.handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve()
      .then(() => handle(call.request))
      .then(
        (response) => callback(null, response),
        (error: unknown) => {
          const code = error instanceof StatusError ? error.code : grpc.status.UNKNOWN;
          callback({ code, details: messageOf(error) });
        },
      );
  };
}
