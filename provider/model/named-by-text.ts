export const remedy = "Give the policy's `name`, as in readers.name.";

/** The warning for what does not wait for a policy of its program. */
export function notWaitingMessage(label: string, name: string): string {
  return `${label} names the policy ${JSON.stringify(name)} by a text, so it does not wait for this program to make it. ${remedy}`;
}
