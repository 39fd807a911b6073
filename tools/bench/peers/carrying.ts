import type { Kind, Properties } from "../workload";
import { peer as noop } from "./noop";
import type { Peer } from "./peer";

const server = "http://127.0.0.1:40000";
const hash = "JKnXj7utrmuSLfbDApxCSrYDXfMDgVdfTmAXve/Yu2U=";
const times = { createTime: "2026-01-02T03:04:05.123456789Z", modifyTime: "2026-01-02T03:04:05.123456789Z" };

/** The no-op with outputs as large as this provider's: it shows the engine's time for them. */
export const peer: Peer = {
  ...noop,
  create: async (kind, inputs) => ({ ...(await noop.create(kind, inputs)), outputs: carried(kind, inputs) }),
  update: async (kind, _id, inputs) => carried(kind, inputs),
};

function carried(kind: Kind, inputs: Properties): Properties {
  return { ...inputs, createIndex: 1234, modifyIndex: 1234, hash, server, ...(kind === "AclRole" ? {} : times) };
}
