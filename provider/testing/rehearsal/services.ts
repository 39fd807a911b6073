/** Whether an environment variable configures the services, or holds a token of theirs. */
export function configuresServices(variable: string): boolean {
  return /^(NOMAD|TFE|AGENTPOOL_ACL)_/.test(variable);
}
