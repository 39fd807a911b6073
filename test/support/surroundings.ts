import { configuresServices } from "../../testing/rehearsal/services";

/** The variables of a user's settings of Pulumi or a proxy. Each test sets the variables that it needs, including the services'. */
const settings = /^PULUMI_|^(https?|grpc|ftp|all|no|no_grpc)_proxy$/i;

/** npm and similar tools have separate variables: tests that install packages need the proxy, which nothing else may use. */
const ofPackageManagers = { npm_config_https_proxy: "HTTPS_PROXY", npm_config_proxy: "HTTP_PROXY", npm_config_noproxy: "NO_PROXY" };

/** Runs once, before jest starts the processes of the tests, so neither they nor the processes they start have the user's settings. */
export default function globalSetup(): void {
  const { env } = process;
  for (const [own, usual] of Object.entries(ofPackageManagers)) {
    const given = env[own] ?? env[usual.toLowerCase()] ?? env[usual];
    if (given !== undefined) env[own] = given;
  }
  for (const name of Object.keys(env).filter((name) => settings.test(name) || configuresServices(name))) delete env[name];
}
