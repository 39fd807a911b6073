import type { ResponseHeaders } from "./transport";

/** The index of the store in a response, if it has one. Real servers call the header X-Nomad-Index. */
export function storeIndex(headers: ResponseHeaders): number | undefined {
  for (const [name, value] of headers) {
    if (/^x-[a-z]+-index$/.test(name) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}
