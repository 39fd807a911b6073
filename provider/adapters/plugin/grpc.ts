import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as Protobuf from "google-protobuf";
import type * as AnyMessages from "google-protobuf/google/protobuf/any_pb";
import type * as EmptyMessages from "google-protobuf/google/protobuf/empty_pb";
import type * as StructMessages from "google-protobuf/google/protobuf/struct_pb";

// gRPC and protobuf are the SDK's dependencies, and not this package's, so they are loaded from the SDK's folder: otherwise pnpm would not
// find them.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
export const grpc: typeof Grpc = fromSdk("@grpc/grpc-js");
export const { BinaryReader, BinaryWriter }: typeof Protobuf = fromSdk("google-protobuf");
export const { Any }: typeof AnyMessages = fromSdk("google-protobuf/google/protobuf/any_pb");
export const { Empty }: typeof EmptyMessages = fromSdk("google-protobuf/google/protobuf/empty_pb");
export const { Struct }: typeof StructMessages = fromSdk("google-protobuf/google/protobuf/struct_pb");

export const channelOptions = {
  // The SDK's own limit: states may be larger than gRPC's 4 MB.
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // The engine is on this machine, and gRPC would look for it behind the proxy of the environment.
  "grpc.enable_http_proxy": 0,
  // The system reuses ports: a failed connection to an earlier process must not affect a later one at the same port.
  "grpc.use_local_subchannel_pool": 1,
};
