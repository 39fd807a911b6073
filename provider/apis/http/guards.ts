import { createPrivateKey, X509Certificate } from "node:crypto";
import { isLoopback } from "../../../common/loopback";
import type { Failure, Service } from "./errors";
import type { HttpOptions, TlsOptions } from "./request";

/** Why no request may be sent to this path; undefined when it may. */
export function pathObjection(path: readonly string[]): Failure | undefined {
  const strange = path.find(leadsElsewhere);
  return strange === undefined ? undefined : { kind: "rejected", detail: `"${strange}" can't be a name or an id in an address` };
}

/** Why a client must not send any request: an error in its address, token or certificates; undefined when there is none. */
export function clientObjection(options: HttpOptions): Failure | undefined {
  const { protocol, hostname } = new URL(options.address);
  if (protocol === "http:" && !isLoopback(hostname) && !options.allowInsecureHttp) {
    return { kind: "misconfigured", detail: "the token would go over plain http to another machine", case: "plain-http" };
  }
  if (!/^[\x20-\x7e]*$/.test(options.token)) {
    return {
      kind: "misconfigured",
      detail: "the token holds a line break or another character that can't be sent",
      case: "unsendable-token",
    };
  }
  return options.tls && tlsObjection(options.service, options.tls);
}

/** Also when percent-encoded, servers and proxies take such parts for steps in the path. */
function leadsElsewhere(part: string): boolean {
  return part.split("/").some((step) => step === "" || step === "." || step === "..");
}

/** Why https can't work with these certificates, or undefined when they can be read. */
function tlsObjection(service: Service, { ca, cert, key }: TlsOptions): Failure | undefined {
  const caKey = service === "agent pools" ? "poolsCaCert" : "clusterCaCert";
  // One after the other, because OpenSSL's messages don't name the certificate. The pair comes last, because two valid ones may not belong
  // together.
  const complaint =
    (ca && complaintOf(caKey, () => new X509Certificate(ca))) ||
    (cert && complaintOf("clusterClientCert", () => new X509Certificate(cert))) ||
    (key && complaintOf("clusterClientKey", () => createPrivateKey(key))) ||
    (cert && key && complaintOf("clusterClientCert and clusterClientKey", () => checkPair(cert, key)));
  return complaint || undefined;
}

function checkPair(cert: string, key: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error("the key does not belong to the certificate");
}

function complaintOf(keys: string, use: () => unknown): Failure | undefined {
  try {
    use();
    return undefined;
  } catch (cause) {
    return { kind: "misconfigured", detail: `what agentpool-acl:${keys} holds can't be used: ${String(cause)}` };
  }
}
