import { isLoopback } from "./rules";

/** The usual variables, in small letters or capitals: `HTTPS_PROXY`, `HTTP_PROXY`, and `NO_PROXY` for the addresses that need none. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that can't be used. The message names the variable, and not its value, which may hold a password. */
export class UnusableProxy extends Error {}

/**
 * The proxy for an address. This machine's own addresses have none: a token may go there over plain http, and must not reach another machine so.
 *
 * @throws UnusableProxy when what the variable holds is no address of a proxy
 */
export function proxyFor(address: string, env: Environment): URL | undefined {
  const url = new URL(address);
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const given = variable(name, env);
  if (!given || isLoopback(url.hostname) || isExcepted(url, variable("NO_PROXY", env) ?? "")) return undefined;
  const text = given.includes("://") ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || !/^https?:$/.test(proxy.protocol)) {
    throw new UnusableProxy(
      `The environment variable ${name} must be the address of a proxy, like http://proxy.example.com:3128, with http or https.`,
    );
  }
  return proxy;
}

/** Small letters win, as in most programs. */
function variable(name: string, env: Environment): string | undefined {
  return env[name.toLowerCase()] ?? env[name];
}

/** Entries are hosts, which stand for what is below them too, with or without a port; `*` is everything. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const [, name = entry, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const host = name.replace(/^\*?\./, "");
      return (!onlyPort || onlyPort === ownPort) && (host === "*" || hostname === host || hostname.endsWith(`.${host}`));
    });
}
