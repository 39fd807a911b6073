/** What the program has declared until now that names an object of another kind by its name, for checks that come later in the operation. */
export class DeclaredNames {
  private readonly labels = new Map<string, Set<string>>();

  /** @param label what names it, for messages */
  record(kind: string, name: string, label: string): void {
    const key = `${kind} ${name}`;
    this.labels.set(key, (this.labels.get(key) ?? new Set()).add(label));
  }

  of(kind: string, name: string): readonly string[] {
    return [...(this.labels.get(`${kind} ${name}`) ?? [])];
  }
}
