/** Whether an environment variable configures a service, or has its token. */
export function configuresServices(variable: string): boolean {
  return /^(NOMAD|TFE|AGENTPOOL_ACL)_/.test(variable);
}

/** The environment of this process without variables for services, and with the given ones. */
export function withoutServices(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !configuresServices(name));
  return { ...Object.fromEntries(inherited), ...given };
}
