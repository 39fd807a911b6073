/** A request that the cluster refuses: the status and the text of the response. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The errors of one object, in the form of the server's texts. */
export function errorList(errors: readonly string[]): string {
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  return `${count} occurred:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}

/** @throws Refusal 400 when there is at least one error. */
export function refuseInvalid(kind: string, errors: readonly string[]): void {
  // The server handles a batch with one object here, and names its position: 0.
  if (errors.length > 0) throw new Refusal(400, `${kind} 0 invalid: ${errorList(errors)}`);
}
