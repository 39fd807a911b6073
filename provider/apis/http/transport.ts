import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { startTimer } from "./clock";

export type FailureReason =
  /** No whole answer within the time. */
  | "time-out"
  /** The caller's signal aborted. */
  | "cancelled"
  /** The answer is longer than anybody could want, or grows to that when decompressed. */
  | "too-large"
  /** The answer's compression is not gzip, or is broken. */
  | "undecodable"
  /** The connection could not be made, or broke. */
  | "connection";

/** There is no whole answer, for a reason below HTTP. */
export class TransportFailure extends Error {
  /** The request, or a part of it, has gone out: the server may have acted on it. */
  readonly sent: boolean;
  /** The status of a response that has begun. */
  readonly status: number | undefined;
  /** Of the cause, such as ECONNREFUSED. */
  readonly code: string | undefined;

  constructor(
    readonly reason: FailureReason,
    message: string,
    { sent, status, cause }: { readonly sent: boolean; readonly status: number | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.sent = sent;
    this.status = status;
    this.code = codeOf(cause);
  }
}

export interface Limits {
  /** For the whole exchange: connecting, sending, and receiving the whole answer. */
  readonly timeoutMs: number;
  /** Of the answer's body, as received and as decompressed. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * One request and its whole answer. Built on `dispatch`, because that alone tells whether a request had gone out when it failed.
 *
 * @throws TransportFailure, whatever happens on the way
 */
export async function exchange(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, limits: Limits): Promise<RawResponse> {
  const answer = await receive(dispatcher, request, limits);
  return { ...answer, body: await decompress(answer, limits.maxBytes) };
}

function receive(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, limits: Limits): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let sent = false;
    let begun: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
    let connection: Dispatcher.DispatchController | undefined;
    let over = false;

    const finish = () => {
      over = true;
      stopTimer();
      limits.signal?.removeEventListener("abort", cancel);
    };
    const fail = (reason: FailureReason, message: string, cause?: unknown) => {
      if (over) return;
      finish();
      const failure = new TransportFailure(reason, message, { sent, status: begun?.status, cause });
      reject(failure);
      connection?.abort(failure);
    };
    const cancel = () => fail("cancelled", "cancelled");
    const stopTimer = startTimer(limits.timeoutMs, () => {
      fail("time-out", `no ${sent ? "complete answer" : "connection"} within ${limits.timeoutMs / 1000} s`);
    });
    limits.signal?.addEventListener("abort", cancel, { once: true });

    dispatcher.dispatch(request, {
      onRequestStart: (controller) => {
        connection = controller;
        // A request that was given up while it waited for a connection must not go out any more.
        if (over) controller.abort(new Error("given up before it was sent"));
        else sent = true;
      },
      onResponseStart: (_, status, headers) => {
        if (status >= 200) begun = { status, headers };
      },
      onResponseData: (_, chunk) => {
        received += chunk.length;
        if (received > limits.maxBytes) fail("too-large", tooLarge(limits.maxBytes));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (over || !begun) return fail("connection", "the connection ended without an answer");
        finish();
        resolve({ ...begun, body: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => fail("connection", textOf(error), error),
    });
  });
}

const gunzipped = promisify(gunzip);

async function decompress(answer: RawResponse, maxBytes: number): Promise<Buffer> {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (/^identity$/i.test(encoding) || answer.body.length === 0) return answer.body;
  if (!/^(x-)?gzip$/i.test(encoding)) {
    throw new TransportFailure("undecodable", "the answer is compressed in a way that was not asked for", {
      sent: true,
      status: answer.status,
    });
  }
  try {
    return await gunzipped(answer.body, { maxOutputLength: maxBytes });
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ERR_BUFFER_TOO_LARGE")
      throw new TransportFailure("too-large", tooLarge(maxBytes), { sent: true, status: answer.status, cause });
    throw new TransportFailure("undecodable", "the answer's gzip compression is broken or cut off", {
      sent: true,
      status: answer.status,
      cause,
    });
  }
}

const tooLarge = (maxBytes: number) => `the answer is larger than ${maxBytes} bytes`;

/** A system's or library's code; the name of an error that has none, as undici's for an answer that is not HTTP. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "name" in error && typeof error.name === "string" ? error.name : undefined;
}

/** Where a name has several addresses, the error has no text of its own but one error for each address. */
function textOf(error: Error): string {
  if (!("errors" in error) || !Array.isArray(error.errors)) return error.message;
  return error.errors.map((one: unknown) => String(one).replace(/^Error: /, "")).join("; ");
}
