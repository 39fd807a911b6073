/** The checks of one operation: which inputs the program declares, and which diffs are those of an update. */
export class Checks {
  private readonly checks = new Counts();
  private readonly reads = new Counts();
  private readonly declared = new Set<string>();
  private readonly named = new Map<string, Readonly<Record<string, unknown>>>();
  private readonly renamed = new Set<string>();

  /** Records the inputs that a check returned, for the diff or the create that follows. */
  recordCheck(kind: string, content: string, inputs: Readonly<Record<string, unknown>> = {}): void {
    this.checks.add(`${kind} ${content}`);
    this.declared.add(`${kind} ${content}`);
    if (typeof inputs.name === "string") this.named.set(`${kind} ${inputs.name}`, inputs);
  }

  /** Records that the program gives the object of this name another one: what it declares under this name is another object. */
  recordRenaming(kind: string, name: string): void {
    this.renamed.add(`${kind} ${name}`);
  }

  /** The inputs that the program has declared until now for the object of this name; undefined if it is to get another name. */
  declaredInputs(kind: string, name: string): Readonly<Record<string, unknown>> | undefined {
    const key = `${kind} ${name}`;
    return this.renamed.has(key) ? undefined : this.named.get(key);
  }

  /** Whether a check returned these inputs; true once for each check. */
  consumeCheck(kind: string, content: string): boolean {
    return this.checks.take(`${kind} ${content}`);
  }

  /** Whether the program has declared a resource of these inputs until now. */
  isDeclared(kind: string, content: string): boolean {
    return this.declared.has(`${kind} ${content}`);
  }

  /** Records that an object of the state was read: the next diff of it may be that of a refresh. */
  recordRead(kind: string, id: string): void {
    this.reads.add(`${kind} ${id}`);
  }

  /**
   * Whether a diff is that of an update, so its new inputs are the program's. There are two other diffs. One ends a refresh; the same
   * operation may delete the object later. One has unknown values outside of a preview: by it the engine asks whether a resource has to be
   * replaced because one that it depends on is.
   *
   * The diff of an update follows a check. It has the inputs that the check returned, unless a policy pack has changed them. Then it is an
   * update's when it is none of the other two.
   */
  isOfUpdate(kind: string, id: string, content: string, isPartlyUnknown: boolean): boolean {
    const isChecked = this.consumeCheck(kind, content);
    const isRefresh = !isPartlyUnknown && this.reads.take(`${kind} ${id}`);
    return isChecked || !(isPartlyUnknown || isRefresh);
  }
}

/** Counts texts. */
class Counts {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** Whether the text was counted; counts it one down. */
  take(text: string): boolean {
    const count = this.counts.get(text) ?? 0;
    if (count > 1) this.counts.set(text, count - 1);
    else this.counts.delete(text);
    return count > 0;
  }
}
