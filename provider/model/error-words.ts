/** An entry of docs/troubleshooting.md. */
export interface ErrorWords {
  /** Words of the message, with `...` or capitals for what differs. A test looks for them in the sources. */
  readonly says: string;
  /** What has happened. */
  readonly cause: string;
  /** What to do next. */
  readonly remedy: string;
}
