/** An entry of docs/troubleshooting.md. */
export interface ErrorWords {
  /** Words of the message, with `...` or capitals for what differs. A test looks for them in the sources. */
  readonly says: string;
  /** What to do, and what has happened if the message leaves that open. Those of an area that have the same are one entry of the document. */
  readonly remedy: string;
}
