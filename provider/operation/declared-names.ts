/** What the program declares that names other objects by their names. */
export interface Naming {
  /** What it is, for messages. */
  readonly label: string;
  /** All that it names; undefined if that is not known whole. */
  readonly names?: readonly string[] | undefined;
}

/** What the program has declared until now that names an object of another kind by its name, for checks that come later in the operation. */
export class DeclaredNames {
  private readonly namings = new Map<string, Map<string, Naming>>();

  record(kind: string, name: string, naming: Naming): void {
    const key = `${kind} ${name}`;
    this.namings.set(key, (this.namings.get(key) ?? new Map()).set(JSON.stringify(naming), naming));
  }

  of(kind: string, name: string): readonly Naming[] {
    return [...(this.namings.get(`${kind} ${name}`)?.values() ?? [])];
  }
}
