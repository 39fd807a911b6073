import type { Clock } from "../apis/http/clock";
import { DeclaredIdentities } from "../model/identities";
import { Checks } from "./checks";
import { DeclaredRules } from "./declared-rules";
import { DefaultMethods } from "./default-methods";
import { MovedServer } from "./moved-server";
import type { Siblings } from "./object-set";
import { OperationObjects } from "./operation-objects";
import { Referrers } from "./referrers";
import { Renames } from "./renames";
import { ToldErrors } from "./told-errors";

/**
 * What the calls of one operation (one preview, up, refresh or destroy) share. The engine makes a call for each step of each resource, and
 * passes no data from one to the other.
 */
export class OperationState {
  readonly checks = new Checks();
  readonly identities = new DeclaredIdentities();
  readonly rules = new DeclaredRules();
  readonly referrers = new Referrers();
  readonly renames = new Renames();
  readonly movedServer = new MovedServer();
  readonly objects: OperationObjects;
  readonly defaults: DefaultMethods;
  readonly errors = new ToldErrors();
  /** Whether resources may come from another provider of the program. If that one has another server, the object stays there. */
  expectsMoves = false;
  /** The index of the cluster's store before the first write of the operation. */
  readonly indexAtStart = new Lazy<number>();
  /** The names of the auth methods that binding rules referred to before the operation made its first method. */
  readonly methodsWithRulesAtStart = new Lazy<ReadonlySet<string>>();
  /** The names of the roles of the cluster, before the operation wrote the first rule for one that the program does not declare. */
  readonly rolesAtStart = new Lazy<ReadonlySet<string> | undefined>();
  private readonly warnings = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();

  /** @param siblings the other processes of the operation; default: none */
  constructor(clock: Clock, siblings?: Siblings) {
    this.objects = new OperationObjects(siblings);
    this.defaults = new DefaultMethods(clock);
  }

  /** Whether a warning is a new one: the engine checks a resource more than once, and each warning is reported once. */
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

/** A value that is read once. A read that failed is repeated by the next call. */
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
