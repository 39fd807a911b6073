/** Whether an environment variable configures the services, or holds a token of theirs. */
export function configuresServices(variable: string): boolean {
  return /^(NOMAD|TFE|AGENTPOOL_ACL)_/.test(variable);
}

/** The environment of this process without the variables that configure services, and with those that are given. */
export function withoutServices(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !configuresServices(name));
  return { ...Object.fromEntries(inherited), ...given };
}
