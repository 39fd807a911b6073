import { randomUUID } from "node:crypto";
import type { Kind, Properties } from "../workload";
import type { Peer } from "./peer";

const server = "http://127.0.0.1:40000";
const hash = "JKnXj7utrmuSLfbDApxCSrYDXfMDgVdfTmAXve/Yu2U=";
const times = { createTime: "2026-01-02T03:04:05.123456789Z", modifyTime: "2026-01-02T03:04:05.123456789Z" };

/** Does nothing, and answers outputs as large as those of this provider: what an operation takes of the engine because of them. */
export const peer: Peer = {
  create: async (kind, inputs) => ({ id: kind === "AclAuthMethod" ? String(inputs.name) : randomUUID(), outputs: carried(kind, inputs) }),
  read: async (_kind, _id, outputs) => outputs,
  update: async (kind, _id, inputs) => carried(kind, inputs),
  delete: async () => {},
};

function carried(kind: Kind, inputs: Properties): Properties {
  return { ...inputs, createIndex: 1234, modifyIndex: 1234, hash, server, ...(kind === "AclRole" ? {} : times) };
}
