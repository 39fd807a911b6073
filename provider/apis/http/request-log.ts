import type { Call } from "./errors";
import { oneLine } from "./redaction";
import { TransportFailure } from "./transport";

/** How one try ended: the response, or the failure. */
interface Ended {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly response?: { readonly status: number; readonly body: Buffer };
  readonly failure?: unknown;
}

/** The line of a try: request, status, duration, number of the try. Without headers and bodies, and without secrets in the address. */
export function lineOf(call: Call, { startedAt, endedAt, response, failure }: Ended, secrets: readonly string[]): string {
  const size = response && `, ${response.body.length} bytes`;
  const status = response?.status ?? (failure instanceof TransportFailure ? failure.status : undefined);
  const reason = failure === undefined ? "" : ` (${failure instanceof Error ? failure.message : String(failure)})`;
  const outcome = `${status ?? "no response"}${reason} in ${Math.round(endedAt - startedAt)} ms${size ?? ""}, try ${call.tries}`;
  return `${call.method} ${oneLine(call.url, secrets)}: ${oneLine(outcome, secrets)}`;
}
