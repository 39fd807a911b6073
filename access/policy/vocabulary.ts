/** The words of the policy language, and the expansions of its shorthands, according to the servers' source. */
import type { NamedKind, SingleKind } from "./decode";

export type Kind = NamedKind | SingleKind | "path";

const volumesAndScaling = ["csi-list-volume", "csi-read-volume", "read-job-scaling", "list-scaling-policies", "read-scaling-policy"];
const namespaceRead = ["list-jobs", "parse-job", "read-job", ...volumesAndScaling, "host-volume-read"];
const namespaceScale = [
  "list-scaling-policies",
  "read-scaling-policy",
  "read-job-scaling",
  "scale-job",
  "read-job",
  "submit-recommendation",
];
const namespaceWrite = [
  ...namespaceRead,
  ...["scale-job", "submit-job", "dispatch-job", "read-logs", "read-fs", "alloc-exec", "alloc-lifecycle"],
  ...["csi-mount-volume", "csi-write-volume", "submit-recommendation", "host-volume-create"],
];
const jobParts = ["register", "revert", "deregister", "purge", "evaluate", "plan", "stable", "force-periodic"].map((part) => `${part}-job`);
const deploymentParts = ["fail", "pause", "promote", "unblock", "cancel", "set-alloc-health"].map((part) => `${part}-deployment`);
const otherParts = ["tag-job-version", "gc-allocation", "pause-allocation", "delete-service-registration"];

/** The capabilities of blocks. Only the newest servers know the fine-grained capabilities of jobs. */
export const capabilities: { readonly [kind in Kind]?: readonly string[] } = {
  namespace: [
    ...["deny", ...namespaceWrite, "alloc-node-exec", "sentinel-override", "csi-register-plugin"],
    ...["host-volume-register", "host-volume-write", "host-volume-delete"],
    ...[...jobParts, ...deploymentParts, ...otherParts],
  ],
  path: ["list", "read", "write", "destroy", "deny"],
  node_pool: ["delete", "read", "write", "deny"],
  host_volume: ["mount-readonly", "mount-readwrite", "deny"],
  operator: ["snapshot-save", "license-read", "keyring-rotate", "keyring-read", "keyring-delete", "deny"],
  sentinel: ["sentinel-read", "sentinel-submit", "sentinel-delete", "deny"],
};

/** The words that most blocks accept as a shorthand. Some blocks give some of them no meaning. */
export const levels: readonly string[] = ["deny", "read", "write", "scale"];
export const pluginLevels: readonly string[] = ["deny", "read", "list", "write"];

/** The expansions of shorthands. */
export const shorthands: { readonly [kind in Kind]?: { readonly [level: string]: readonly string[] } } = {
  namespace: { deny: ["deny"], read: namespaceRead, write: namespaceWrite, scale: namespaceScale },
  node_pool: { deny: ["deny"], read: ["read"], write: ["delete", "read", "write"] },
  host_volume: { deny: ["deny"], read: ["mount-readonly"], write: ["mount-readonly", "mount-readwrite"] },
  operator: {
    deny: ["deny"],
    read: ["license-read", "keyring-read"],
    write: ["snapshot-save", "license-read", "keyring-rotate", "keyring-read", "keyring-delete"],
  },
  sentinel: { deny: ["deny"], read: ["sentinel-read"], write: ["sentinel-read", "sentinel-submit", "sentinel-delete"] },
};

/** The capabilities that each capability implies, directly or indirectly. */
export const implied: { readonly [capability: string]: readonly string[] } = {
  "host-volume-write": ["host-volume-register", "host-volume-create", "host-volume-delete", "host-volume-read"],
  "host-volume-register": ["host-volume-create", "host-volume-read"],
  "host-volume-create": ["host-volume-read"],
};

/** The valid names of blocks. */
export const validName: { readonly [kind in NamedKind]: RegExp } = {
  namespace: /^[a-zA-Z0-9*-]{1,128}$/,
  node_pool: /^[a-zA-Z0-9_*-]{1,128}$/,
  host_volume: /^[a-zA-Z0-9*-]{1,128}$/,
};
