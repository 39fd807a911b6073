import { ApiError } from "./api-error";
import { type Call, isWrite } from "./call";

/** The error of a success whose body is not as documented. @param unreadable the body is no JSON: it may be cut off */
export function errorOfBody(call: Call, status: number, detail: string, unreadable: boolean): ApiError {
  return new ApiError(call, {
    kind: "malformed",
    status,
    detail,
    ambiguous: isWrite(call),
    transient: unreadable && call.operation === "read",
  });
}
