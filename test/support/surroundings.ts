/** What a user's settings of Pulumi, of the services or of a proxy are kept in. Each test sets what it is about. */
const settings = /^(PULUMI|NOMAD|TFE|AGENTPOOL_ACL)_|^(https?|grpc|ftp|all|no|no_grpc)_proxy$/i;

/** npm and its kin have variables of their own: the tests that install packages need the proxy that nothing else may see. */
const ofPackageManagers = { npm_config_https_proxy: "HTTPS_PROXY", npm_config_proxy: "HTTP_PROXY", npm_config_noproxy: "NO_PROXY" };

/** Runs once, before jest starts the processes that run the tests, so that neither they nor what they start have the user's settings. */
export default function globalSetup(): void {
  const { env } = process;
  for (const [own, usual] of Object.entries(ofPackageManagers)) {
    const given = env[own] ?? env[usual.toLowerCase()] ?? env[usual];
    if (given !== undefined) env[own] = given;
  }
  for (const name of Object.keys(env).filter((name) => settings.test(name))) delete env[name];
}
