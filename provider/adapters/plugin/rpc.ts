import type { handleServerStreamingCall, handleUnaryCall, ServiceError } from "@grpc/grpc-js";
import type { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { UserError } from "../../../common/user-error";
import { isApiError } from "../../apis/http/errors";
import { Any, grpc } from "./grpc";

/** The error for an object that exists, but is not complete. The detail has the values that the engine keeps in the state. */
export class InitFailed extends Error {
  constructor(readonly detail: ErrorResourceInitFailed) {
    super(detail.getReasonsList().join("; "));
  }
}

/** Makes a gRPC method from a function. An error of the function becomes the status of the response. */
export function unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve(call.request)
      .then(handle)
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(statusOf(error)),
      );
  };
}

/** Makes a gRPC method with several messages in its response. */
export function stream<Request, Response>(handle: (request: Request) => Promise<Response[]>): handleServerStreamingCall<Request, Response> {
  return (call) => {
    handle(call.request).then(
      (responses) => {
        for (const response of responses) call.write(response);
        call.end();
      },
      (error: unknown) => call.emit("error", statusOf(error)),
    );
  };
}

/** An error for the engine: the message only for a UserError, with the stack for a defect of this package. */
function statusOf(error: unknown): Partial<ServiceError> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof InitFailed) {
    const packed = new Any();
    packed.pack(error.detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status().setCode(grpc.status.UNKNOWN).setMessage(message).setDetailsList([packed]);
    const metadata = new grpc.Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
    return { code: grpc.status.UNKNOWN, details: message, metadata };
  }
  const isForUser = error instanceof UserError || isApiError(error);
  return { code: grpc.status.UNKNOWN, details: isForUser || !(error instanceof Error) ? message : (error.stack ?? message) };
}
