/** Requests that test the rights of a token: a server refuses a request exactly if the token lacks the right that it tests. */
import type { PolicyQuestion } from "../../access";

/** One request. It may change something on the server, which does not matter in a test. */
export interface RightRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
}

const missing = "11111111-1111-1111-1111-111111111111";
const task = { Name: "t", Driver: "exec", Config: { command: "/bin/true" } };
const job = { ID: "cap", Name: "cap", Type: "batch", Datacenters: ["*"], TaskGroups: [{ Name: "g", Count: 0, Tasks: [task] }] };

/** The request for each capability in a namespace. The endpoints of a plan and of a registration each accept a part of submit-job, too. */
const inNamespace: { readonly [ask: string]: readonly [method: string, path: string, body?: (namespace: string) => object] } = {
  "list-jobs": ["GET", "/jobs"],
  "read-job": ["GET", "/job/none"],
  "plan-job": ["POST", "/job/cap/plan", (Namespace) => ({ Job: { ...job, Namespace } })],
  "register-job": ["POST", "/jobs", (Namespace) => ({ Job: { ...job, Namespace } })],
  "parse-job": ["POST", "/jobs/parse", () => ({ JobHCL: 'job "x" {}' })],
  "dispatch-job": ["POST", "/job/none/dispatch", () => ({})],
  "scale-job": ["POST", "/job/none/scale", () => ({ Count: 1, Target: { Group: "g" } })],
  "revert-job": ["POST", "/job/none/revert", () => ({ JobID: "none", JobVersion: 0 })],
  "stable-job": ["POST", "/job/none/stable", () => ({ JobID: "none", JobVersion: 0, Stable: true })],
  "evaluate-job": ["POST", "/job/none/evaluate", () => ({ JobID: "none" })],
  "tag-job-version": ["POST", "/job/none/versions/t/tag", () => ({ Version: 0 })],
  "force-periodic-job": ["POST", "/job/none/periodic/force", () => ({})],
  "purge-job": ["DELETE", "/job/none?purge=true"],
  "deregister-job": ["DELETE", "/job/none"],
  "delete-service-registration": ["DELETE", "/service/none/none"],
  "list-scaling-policies": ["GET", "/scaling/policies"],
  "read-scaling-policy": ["GET", `/scaling/policy/${missing}`],
  "read-job-scaling": ["GET", "/job/none/scale"],
  "csi-list-volume": ["GET", "/volumes?type=csi"],
  "csi-read-volume": ["GET", "/volume/csi/none"],
  "csi-write-volume": ["PUT", "/volume/csi/none", (Namespace) => ({ Volumes: [{ ID: "none", Namespace }] })],
  "host-volume-read": ["GET", `/volume/host/${missing}`],
  "host-volume-create": ["PUT", "/volume/host/create", (Namespace) => ({ Volume: { Name: "x", Namespace } })],
  "host-volume-register": ["PUT", "/volume/host/register", (Namespace) => ({ Volume: { Name: "x", Namespace } })],
  "host-volume-delete": ["DELETE", `/volume/host/${missing}/delete`],
};
const alone: { readonly [ask: string]: readonly [method: string, path: string, body?: object] } = {
  "node:read": ["GET", "/nodes"],
  "node:write": ["POST", `/node/${missing}/eligibility`, { Eligibility: "eligible" }],
  "agent:read": ["GET", "/agent/self"],
  "agent:write": ["POST", "/agent/force-leave?node=nobody"],
  "operator:read": ["GET", "/operator/autopilot/configuration"],
  "operator:write": ["PUT", "/operator/autopilot/configuration?cas=1", {}],
  "operator:snapshot-save": ["GET", "/operator/snapshot"],
  "operator:keyring-read": ["GET", "/operator/keyring/keys"],
  "operator:keyring-delete": ["DELETE", `/operator/keyring/key/${missing}`],
  "plugin:list": ["GET", "/plugins"],
  "plugin:list-csi": ["GET", "/plugins?type=csi"],
  "plugin:read": ["GET", "/plugin/csi/none"],
  management: ["GET", "/acl/auth-method/none"],
};
export const asksInNamespace: readonly string[] = Object.keys(inNamespace);
export const asksAlone: readonly string[] = Object.keys(alone);

const methods: Readonly<Record<string, string>> = { read: "GET", write: "PUT", destroy: "DELETE", delete: "DELETE" };

export function requestFor({ ask, namespace = "default", path, name }: PolicyQuestion): RightRequest {
  const [kind, action = ""] = ask.split(":");
  const method = methods[action];
  if (kind === "variables" && method) {
    const body = action === "write" ? { Namespace: namespace, Path: path, Items: { a: "b" } } : undefined;
    return { method, path: `/var/${path}?namespace=${namespace}`, body };
  }
  if (kind === "node_pool" && method) {
    return { method, path: `/node/pool/${name}`, body: action === "write" ? { Name: name } : undefined };
  }
  if (ask === "namespace:read") return { method: "GET", path: `/namespace/${namespace}` };
  const [verb, address, body] = inNamespace[ask] ?? [];
  if (verb && address) {
    return { method: verb, path: `${address}${address.includes("?") ? "&" : "?"}namespace=${namespace}`, body: body?.(namespace) };
  }
  const [single, where, content] = alone[ask] ?? [];
  if (!single || !where) throw new Error(`no request asks for ${ask}`);
  return { method: single, path: where, body: content };
}
