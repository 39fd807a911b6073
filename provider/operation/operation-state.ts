import { type Declared, declare, Program } from "../../checks";
import { DeclaredIdentities } from "../model/identities";
import { Checks } from "./checks";
import { OperationObjects } from "./objects";
import { ToldErrors } from "./told-errors";

/**
 * What the calls of one operation (one preview, up, refresh or destroy) share. The engine makes a call for each step of each resource, and
 * passes no data from one to the other.
 */
export class OperationState {
  readonly checks = new Checks();
  readonly identities = new DeclaredIdentities();
  readonly objects = new OperationObjects();
  readonly errors = new ToldErrors();
  /** Whether resources may come from another provider of the program. If that one has another server, the object stays there. */
  expectsMoves = false;
  private readonly program = new Program();
  private readonly warnings = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();

  /** Records a resource of the program. @returns warnings about the program as far as it is declared; nothing else depends on this */
  declare(resource: Declared): string[] {
    return declare(this.program, resource);
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
