import { oneLine, shortestSecret } from "../redaction";
import type { TransportFailure } from "../transport";
import { ApiError } from "./api-error";
import { type Call, isWrite } from "./call";
import { isSuccess } from "./response";

/** The error of a request without a whole response. */
export function errorOfTransport(call: Call, failure: TransportFailure, secrets: readonly string[]): ApiError {
  const base = {
    ...(failure.status !== undefined && { status: failure.status }),
    // The text is the runtime's own: a very short secret is in it by chance only.
    detail: oneLine(
      failure.message,
      secrets.filter(({ length }) => length >= shortestSecret),
    ),
    ambiguous: isWrite(call) && failure.sent,
    cause: failure,
  };
  if (failure.reason === "cancelled") return new ApiError(call, { ...base, kind: "cancelled" });
  if (failure.reason === "time-out") return new ApiError(call, { ...base, kind: "unavailable", transient: true });
  if (failure.reason !== "connection") return new ApiError(call, { ...base, kind: "malformed" });
  const code = failure.code ?? "";
  if (/^(HPE_|HTTPParserError$)/.test(code) && failure.status === undefined) {
    const mayUseHttps = call.url.startsWith("http:") && ({ case: "server-may-use-https" } as const);
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "a response that is not HTTP", ...mayUseHttps });
  }
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)) {
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "a response that is not https", case: "server-uses-http" });
  }
  if (/CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return new ApiError(call, { ...base, kind: "unavailable", case: "untrusted" });
  if (failure.status !== undefined && isSuccess(failure.status)) {
    return new ApiError(call, { ...base, kind: "malformed", detail: `the response is cut off (${base.detail})`, transient: true });
  }
  return new ApiError(call, { ...base, kind: "unavailable", transient: true });
}
