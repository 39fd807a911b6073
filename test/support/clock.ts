import type { Clock } from "../../provider/apis/http/clock";

/** How often pending callbacks run in a sleep of five seconds or more: messages between two processes arrive then. */
const turnsInLongSleeps = 200;

/** A clock whose time advances only in `sleep`, which returns at once. */
export class InstantClock implements Clock {
  /** The milliseconds of every sleep. */
  readonly waits: number[] = [];
  /** Called in every sleep, with its milliseconds: changes by others in the meantime. */
  duringSleep: (ms: number) => void = () => {};
  private time = Date.parse("2030-01-01T00:00:00Z");

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.time += ms;
    this.duringSleep(ms);
    // Pending callbacks run, as in a real sleep.
    const turns = ms < 5_000 ? 1 : turnsInLongSleeps;
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }

  random(): number {
    return 0;
  }
}
