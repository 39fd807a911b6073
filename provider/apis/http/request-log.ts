import type { Call } from "./errors";
import { oneLine } from "./redaction";
import { type RawResponse, TransportFailure } from "./transport";

/** The line of a try: request, status, duration, number of the try. Without headers and bodies, and without secrets in the address. */
export function lineOf(call: Call, outcome: RawResponse | TransportFailure, ms: number, secrets: readonly string[]): string {
  const isFailure = outcome instanceof TransportFailure;
  const result = `${outcome.status ?? "no response"}${isFailure ? ` (${outcome.message})` : ""}`;
  const size = isFailure ? "" : `, ${outcome.body.length} bytes`;
  const end = oneLine(`${result} in ${Math.round(ms)} ms${size}, try ${call.tries}`, secrets);
  return `${call.method} ${oneLine(call.url, secrets)}: ${end}`;
}
