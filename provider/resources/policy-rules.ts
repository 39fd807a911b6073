import { checkPolicy, type PolicyProblem, policyWarnings } from "../../access/policy/check";

/** How many errors one message has. */
const mostShown = 3;

/** Certain errors in the rules of a policy, on every version of the server. */
export function rulesProblem(rules: string): string | undefined {
  const errors = checkPolicy(rules).filter(({ kind }) => kind === "malformed");
  if (errors.length === 0) return undefined;
  const more = errors.length > mostShown ? [`and ${errors.length - mostShown} more`] : [];
  return `can't be read: ${[...errors.slice(0, mostShown).map(placed), ...more].join("; ")}`;
}

/** Parts of readable rules that known servers refuse or ignore. */
export function rulesWarnings(label: string, rules: unknown): string[] {
  if (typeof rules !== "string") return [];
  return policyWarnings(rules).map((problem) => {
    const consequence = problem.kind === "unknown" ? " A server that does not know it refuses the policy." : "";
    return `${label}: rules, ${placed(problem)}${problem.message.endsWith("?") ? "" : "."}${consequence}`;
  });
}

function placed({ line, column, message }: PolicyProblem): string {
  return `line ${line}, column ${column}: ${message}`;
}
