/** What the program declares that names other objects by their names. */
export interface Referrer {
  /** What it is, for messages. */
  readonly label: string;
  /** All that it names; undefined if that is not known whole. */
  readonly names?: readonly string[] | undefined;
}

/** What the program has declared until now that names an object of another kind by its name, for checks that come later in the operation. */
export class Referrers {
  private readonly referrers = new Map<string, Map<string, Referrer>>();

  record(kind: string, name: string, referrer: Referrer): void {
    const key = `${kind} ${name}`;
    this.referrers.set(key, (this.referrers.get(key) ?? new Map()).set(JSON.stringify(referrer), referrer));
  }

  of(kind: string, name: string): readonly Referrer[] {
    return [...(this.referrers.get(`${kind} ${name}`)?.values() ?? [])];
  }
}
