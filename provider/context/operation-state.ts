import type { Clock } from "../apis/http/clock";
import { Checks } from "./checks";
import { DefaultMethods } from "./default-methods";
import type { Siblings } from "./object-set";
import { OperationObjects } from "./operation-objects";

/**
 * What one operation (one preview, up, refresh or destroy) has seen so far. The engine's calls for different resources know nothing of each
 * other; where they must, they meet here.
 */
export class OperationState {
  readonly checks = new Checks();
  readonly objects: OperationObjects;
  readonly defaults: DefaultMethods;
  /** Whether a resource may come from another provider of the program: its object stays behind when that one's server is another. */
  expectsMoves = false;
  /** The index of the cluster's store before the first write of the operation. */
  readonly indexAtStart = new Lazy<number>();
  /** The names of the auth methods that binding rules referred to before the operation made its first method. */
  readonly methodsWithRulesAtStart = new Lazy<ReadonlySet<string>>();
  private readonly warnings = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();

  /** @param siblings the other processes of the operation; none unless given */
  constructor(clock: Clock, siblings?: Siblings) {
    this.objects = new OperationObjects(siblings);
    this.defaults = new DefaultMethods(clock);
  }

  /** True the first time it is asked about a text: the engine checks a resource more than once, and a warning is told once. */
  firstTime(text: string): boolean {
    if (this.warnings.has(text)) return false;
    this.warnings.add(text);
    return true;
  }

  /** Runs work that must not overlap under one key: two resources of one program that ask for the same name, one after the other. */
  async withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.queues.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.queues.get(key) === mine) this.queues.delete(key);
    }
  }
}

/** A value that is read once. One that could not be read is read again for the next who asks. */
class Lazy<T> {
  private value: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> {
    this.value ??= read().catch((error: unknown) => {
      this.value = undefined;
      throw error;
    });
    return this.value;
  }
}
