import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { startTimer } from "./clock";

type FailureReason =
  /** No complete response within the time. */
  | "time-out"
  /** The caller's signal aborted. */
  | "cancelled"
  /** The response exceeds the size limit. */
  | "too-large"
  /** The connection could not be made, or broke. */
  | "connection";

/** The failure of a request without a complete response, for a reason below HTTP. */
export class TransportFailure extends Error {
  /** The code of the cause, such as ECONNREFUSED. */
  readonly code: string | undefined;

  constructor(
    readonly reason: FailureReason,
    message: string,
    /** Whether the request, or a part of it, was sent, so it may have had an effect. */
    readonly sent: boolean,
    /** The status of a response that has begun. */
    readonly status: number | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.code = codeOf(cause);
  }
}

interface Limits {
  /** The time-out of the whole exchange: connecting, sending, and receiving the whole response. */
  readonly timeoutMs: number;
  /** The limit of the response's body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The headers of a response, by their names in lower case. */
export type ResponseHeaders = ReadonlyMap<string, string>;

export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/**
 * One request and its whole response. Built on `dispatch`, because only that shows whether a failed request had been sent.
 *
 * @throws TransportFailure for every failure
 */
export function exchange(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, limits: Limits): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let sent = false;
    let begun: { readonly status: number; readonly headers: ResponseHeaders } | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let over = false;

    const finish = () => {
      over = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", cancel);
    };
    const fail = (reason: FailureReason, message: string, cause?: unknown) => {
      if (over) return;
      finish();
      const failure = new TransportFailure(reason, message, sent, begun?.status, cause);
      reject(failure);
      connection?.abort(failure);
    };
    const cancel = () => fail("cancelled", "cancelled");
    const timer = startTimer(limits.timeoutMs, () => {
      fail("time-out", `no ${sent ? "complete response" : "connection"} within ${limits.timeoutMs / 1000} s`);
    });
    limits.signal?.addEventListener("abort", cancel, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        connection = controller;
        // A request that was aborted while it waited for a connection must no longer be sent.
        if (over) controller.abort(new Error("aborted before it was sent"));
        else sent = true;
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) begun = { status, headers: toMap(headers) };
      },
      onResponseData: (_, chunk) => {
        received += chunk.length;
        if (received > limits.maxBytes) fail("too-large", `the response is larger than ${limits.maxBytes} bytes`);
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (over || !begun) return fail("connection", "the connection ended without a response");
        finish();
        resolve({ ...begun, body: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => fail("connection", textOf(error), error),
    });
  });
}

function toMap(headers: IncomingHttpHeaders): ResponseHeaders {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** The code of an error or, if it has none, its name, such as that of undici's error for a response that is not HTTP. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "name" in error && typeof error.name === "string" ? error.name : undefined;
}

/** The text of an error. If a host has several addresses, the error itself has no text, but holds one error for each address. */
function textOf(error: Error): string {
  if (!("errors" in error) || !Array.isArray(error.errors)) return error.message;
  return error.errors.map((one: unknown) => String(one).replace(/^Error: /, "")).join("; ");
}
