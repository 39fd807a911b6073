import type { JournalEntry, RequestFilter } from "./journal";
import { matches } from "./journal";

/** The fault of a request. */
export type Fault =
  /** The connection is reset before the request is processed. */
  | { kind: "refuse" }
  /** The request takes effect, then the connection is closed without a response. */
  | { kind: "drop-after" }
  /** The request takes effect, and its response is delayed. */
  | { kind: "delay"; ms: number }
  /** The request has no effect, and gets this response. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string; contentType?: string }
  /** The request takes effect; half of the announced body is sent, then the connection is closed. */
  | { kind: "cut-off" }
  /** The request takes effect; every property of this name in the response is null, if that is JSON. */
  | { kind: "null"; property: string }
  /** The request takes effect; the response is 200 with a body that is not the API's (default: an HTML page). */
  | { kind: "malformed"; body?: string };

/** Which requests a fault applies to, and how often. */
export interface FaultRule extends RequestFilter {
  /** The number of requests that it applies to. Default 1; Infinity is allowed. */
  times?: number;
  /** The number of matching requests that pass before the rule applies. Default 0. */
  skip?: number;
  fault: Fault;
}

/** The faults that tests have added. A request takes the first rule that applies to it. */
export class Faults {
  private rules: (FaultRule & { times: number; skip: number })[] = [];

  add(rule: FaultRule): void {
    this.rules.push({ times: 1, skip: 0, ...rule });
  }

  clear(): void {
    this.rules = [];
  }

  /** The number of faults that have not occurred yet. */
  pending(): number {
    return this.rules.reduce((sum, rule) => sum + rule.times, 0);
  }

  /** The fault for a request that has arrived; undefined if there is none. */
  take(request: Pick<JournalEntry, "api" | "method" | "path">): Fault | undefined {
    for (const rule of this.rules) {
      if (rule.times <= 0 || !matches(rule, request)) continue;
      if (rule.skip > 0) {
        rule.skip--;
        continue;
      }
      rule.times--;
      return rule.fault;
    }
    return undefined;
  }
}
