/** What the calls of one operation know of its checks, which tell the diff of an update from that of a refresh. */
export class Checks {
  private readonly checks = new Counts();
  private readonly reads = new Counts();
  private readonly declared = new Set<string>();
  private readonly named = new Map<string, Readonly<Record<string, unknown>>>();

  /**
   * Remembers what a check answered, for the diff or the create that comes of it.
   */
  checked(kind: string, content: string, inputs: Readonly<Record<string, unknown>> = {}): void {
    this.checks.add(`${kind} ${content}`);
    this.declared.add(`${kind} ${content}`);
    if (typeof inputs.name === "string") this.named.set(`${kind} ${inputs.name}`, inputs);
  }

  /** The inputs of the resource of this name that the program declares, as far as the operation has come. */
  declaredAs(kind: string, name: string): Readonly<Record<string, unknown>> | undefined {
    return this.named.get(`${kind} ${name}`);
  }

  /** Whether a check answered these inputs, once for each check. */
  consumeCheck(kind: string, content: string): boolean {
    return this.checks.take(`${kind} ${content}`);
  }

  /** Whether the program declares a resource of these inputs, as far as the operation has come. */
  isDeclared(kind: string, content: string): boolean {
    return this.declared.has(`${kind} ${content}`);
  }

  /** Remembers that an object of the state was read: a diff of it that follows may be the one that ends a refresh. */
  refreshed(kind: string, id: string): void {
    this.reads.add(`${kind} ${id}`);
  }

  /**
   * Whether a diff is that of an update, and so tells what the program wants. The diff that ends a refresh does not, and the same operation may go on to
   * delete the object; nor does one with unknown values outside of a preview, which asks what becomes of a resource when one that it depends on is deleted.
   *
   * The diff of an update follows a check. It mostly has the inputs that the check answered; but a policy pack may have changed them in between. Then it is
   * told by what it is not.
   */
  isOfUpdate(kind: string, id: string, content: string, isPartlyUnknown: boolean): boolean {
    const isChecked = this.consumeCheck(kind, content);
    const isRefresh = !isPartlyUnknown && this.reads.take(`${kind} ${id}`);
    return isChecked || !(isPartlyUnknown || isRefresh);
  }
}

/** How often each of some texts is still to come. */
class Counts {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** Whether the text was to come once more at least. */
  take(text: string): boolean {
    const count = this.counts.get(text) ?? 0;
    if (count > 1) this.counts.set(text, count - 1);
    else this.counts.delete(text);
    return count > 0;
  }
}
