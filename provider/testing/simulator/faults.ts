import type { JournalEntry, RequestFilter } from "./journal";
import { matches } from "./journal";

/** What goes wrong with a request. */
export type Fault =
  /** The connection is reset before the request is processed. */
  | { kind: "refuse" }
  /** The request takes effect, then the connection is closed without an answer. */
  | { kind: "drop-after" }
  /** The request takes effect, and its answer is held back. */
  | { kind: "delay"; ms: number }
  /** Nothing takes effect; this is answered instead. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string; contentType?: string }
  /** The request takes effect; half of the announced body is sent, then the connection is closed. */
  | { kind: "cut-off" }
  /** The request takes effect; 200 with a body that is not what the API answers (a page in HTML unless given). */
  | { kind: "malformed"; body?: string };

/** Which requests a fault meets, and how often. */
export interface FaultRule extends RequestFilter {
  /** How many requests it meets: 1 unless given; Infinity is allowed. */
  times?: number;
  /** How many matching requests pass unharmed before the first is met: 0 unless given. */
  skip?: number;
  fault: Fault;
}

/** Faults on demand. The first rule that matches a request is used up by it. */
export class Faults {
  private rules: (FaultRule & { times: number; skip: number })[] = [];

  add(rule: FaultRule): void {
    this.rules.push({ times: 1, skip: 0, ...rule });
  }

  clear(): void {
    this.rules = [];
  }

  /** How many requests the faults added so far will still meet: 0 once all have happened. */
  pending(): number {
    return this.rules.reduce((sum, rule) => sum + rule.times, 0);
  }

  /** The fault for a request that has arrived, if there is one. */
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
