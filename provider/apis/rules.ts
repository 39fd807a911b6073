import { isIPv4 } from "node:net";
import { createSecureContext } from "node:tls";
import type { Failure } from "./errors";
import type { HttpOptions, TlsOptions } from "./http";

/** Why a request must not be sent, or undefined when nothing in its path, the address or the token speaks against it. */
export function objection(options: HttpOptions, path: readonly string[]): Failure | undefined {
  const strange = path.find(leadsElsewhere);
  if (strange !== undefined) return { kind: "rejected", detail: `"${strange}" can't be a name or an id in an address` };
  const { protocol, hostname } = new URL(options.address);
  if (protocol === "http:" && !isLoopback(hostname) && !options.allowInsecureHttp) {
    return {
      kind: "misconfigured",
      detail: "the token would go over plain http to another machine",
      advice: "Nothing was sent: use https, or set agentpool-acl:allowInsecureHttp to true.",
    };
  }
  if (Object.values(options.headers()).some((value) => !/^[\x20-\x7e]*$/.test(value))) {
    return {
      kind: "misconfigured",
      detail: "the token holds a line break or another character that can't be sent",
      advice: `Nothing was sent: set the token again, without such characters. ${options.tokenSource}`,
    };
  }
  return undefined;
}

/** Also when percent-encoded, servers and proxies take such parts for steps in the path. */
function leadsElsewhere(part: string): boolean {
  return part.split("/").some((step) => step === "" || step === "." || step === "..");
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
}

/** Why https can't work with these certificates, or undefined when they can be read. */
export function tlsObjection({ ca, cert, key }: TlsOptions): Failure | undefined {
  // The system's certificates, which take a millisecond to load, are not in question.
  if (!ca && !cert && !key) return undefined;
  try {
    createSecureContext({ ca, cert, key });
    return undefined;
  } catch (cause) {
    return {
      kind: "misconfigured",
      detail: `the certificates or the key can't be used: ${String(cause)}`,
      advice: "Nothing was sent: check agentpool-acl:poolsCaCert, or clusterCaCert, clusterClientCert and clusterClientKey.",
    };
  }
}
