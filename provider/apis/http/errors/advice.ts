import type { Call, Service } from "./call";
import type { ErrorKind } from "./failure";

export const settings: Record<Service, { readonly address: string; readonly tls: string }> = {
  "agent pools": { address: "agentpool-acl:poolsAddress", tls: "agentpool-acl:poolsCaCert" },
  "cluster ACL": {
    address: "agentpool-acl:clusterAddress",
    tls: "agentpool-acl:clusterCaCert, clusterClientCert, clusterClientKey and clusterTlsServerName",
  },
};

export const saved = "a destroy or refresh uses the one that the last update saved, unless you add --run-program";

/** What to do next about a kind of error, where nothing better is known. */
export function usualAdvice(call: Call, kind: ErrorKind): string {
  switch (kind) {
    case "not-found":
      return call.service === "agent pools"
        ? "It does not exist, or this token may not see it: the API does not distinguish the two."
        : "It does not exist.";
    case "wrong-address":
      return `This is not a response of the ${call.service} API, and says nothing about the object: check ${settings[call.service].address} (${saved}), and any proxy in between.`;
    case "denied":
      return `Check that the token is valid, and what it may do. ${call.tokenSource}`;
    case "blocked":
      return "The object still exists: remove what blocks the delete, then try again.";
    case "conflict":
      return call.operation === "replace"
        ? "The name is taken: choose another one, or rename or delete the object that has it first. Where this program does that in the same update, run the update again."
        : "The name is taken: choose another one, or import the object that has it.";
    case "rejected":
      return "Correct the input, then try again.";
    case "rate-limited":
      return "Try again later, with fewer requests at a time (agentpool-acl:maxConcurrentRequests) or more retries (agentpool-acl:maxRetries).";
    case "unavailable":
      return `Try again; when it stays so, check that the service is up and that ${settings[call.service].address} is right, its http or https included (${saved})${call.proxy ? `; and check the proxy ${call.proxy} (HTTPS_PROXY, NO_PROXY)` : ""}.`;
    case "malformed":
      return "The server may be of another version, or a proxy may cut its responses: check that, then try again.";
    case "cancelled":
      return "";
    case "outdated":
      return "The object is read again, and changes that others made meanwhile stay.";
    case "misconfigured":
      return "Nothing was sent.";
  }
}

/** What to do next where the other side speaks another protocol. */
export function speaks(protocol: string, service: Service): string {
  return `The server at this address uses ${protocol}: check how ${settings[service].address} begins (${saved}).`;
}
