/** A request that the cluster refuses: the status, and the text that it answers. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Several things that are wrong with one object, in the form of the server's texts. */
export function errorList(errors: readonly string[]): string {
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  return `${count} occurred:\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}

/** @throws Refusal 400 when there is at least one error. */
export function refuseInvalid(kind: string, errors: readonly string[]): void {
  // 0: the server's own batches hold one object here, and it names the position.
  if (errors.length > 0) throw new Refusal(400, `${kind} 0 invalid: ${errorList(errors)}`);
}
