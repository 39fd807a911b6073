import { BlockList, isIP } from "node:net";
import type { Environment } from "../../../common/environment";
import { isLoopback } from "../../../common/loopback";

/** A proxy that can't be used. The message names the variable, and not its value, which may hold a password. */
export class UnusableProxy extends Error {}

/**
 * The proxy for an address, by `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` excepts it. This machine's addresses have none: a token may
 * be sent there over plain http, and must not reach another machine that way.
 *
 * @throws UnusableProxy when the variable's value is not the address of a proxy
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

/** Small letters take precedence, as in most programs. */
function variable(name: string, env: Environment): string | undefined {
  return env[name.toLowerCase()] ?? env[name];
}

/**
 * Whether one of the entries names the address: by its host or one above it, its IP address, or a range of those; all with or without a
 * port. `*` names every one.
 */
function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  const host = withoutDot(hostname.replace(/^\[|\]$/g, ""));
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .map(nameAndPort)
    .some(([name, onlyPort]) => (onlyPort === undefined || onlyPort === ownPort) && (name === "*" || names(name, host)));
}

/** The parts of `host:443`, `10.0.0.0/8`, `fd00::1`, `[fd00::1]:443` or `[fd00::]/8`, the port if there is one. */
function nameAndPort(entry: string): [name: string, port?: string | undefined] {
  const [, inBrackets, length = "", bracketPort] = /^\[([^\]]*)\](\/\d+)?(?::(\d+))?$/.exec(entry) ?? [];
  if (inBrackets !== undefined) return [inBrackets + length, bracketPort];
  const [, name = entry, port] = /^([^:]*):(\d+)$/.exec(entry) ?? [];
  return [name, port];
}

function names(name: string, host: string): boolean {
  // A name is not resolved, because its addresses may change.
  if (isIP(host)) return isInRange(name, host);
  const domain = withoutDot(name.replace(/^\*?\./, ""));
  return host === domain || host.endsWith(`.${domain}`);
}

function isInRange(range: string, host: string): boolean {
  const [address = "", length] = range.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  if (!isIP(address) || address.includes("%") || !/^\d*$/.test(length ?? "") || Number(length) > bits) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(length || bits), familyOf(address));
  return list.check(host, familyOf(host));
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
const withoutDot = (name: string) => name.replace(/\.$/, "");
