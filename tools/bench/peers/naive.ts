import * as z from "zod";
import { reveal } from "../../../testing/rehearsal/engine/values";
import type { Kind, Properties } from "../workload";
import { inputsOf, type Peer, serverFields } from "./peer";

const settings = z.object({ NAIVE_ADDRESS: z.string(), NAIVE_TOKEN: z.string() });

const paths: Record<Kind, string> = { AclRole: "role", AclAuthMethod: "auth-method", AclBindingRule: "binding-rule" };

const responseBody = z
  .record(z.string(), z.unknown())
  .transform((fields): Properties => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])));

/** A naive provider: separate requests for each object, a read after each create and update, no retries, nothing shared between resources. */
export const peer: Peer = {
  async create(kind, inputs) {
    const made = await send(kind, "POST", undefined, inputs);
    const id = String(kind === "AclAuthMethod" ? made?.name : made?.id);
    return { id, outputs: await outputsOf(kind, id, inputs) };
  },
  async read(kind, id, outputs) {
    const remote = await send(kind, "GET", id);
    return remote && { ...drifted(inputsOf(outputs), remote), ...ownFields(remote) };
  },
  async update(kind, id, inputs) {
    await send(kind, "POST", id, { ...inputs, id });
    return outputsOf(kind, id, inputs);
  },
  async delete(kind, id) {
    await send(kind, "DELETE", id);
  },
};

async function outputsOf(kind: Kind, id: string, inputs: Properties): Promise<Properties> {
  const remote = await send(kind, "GET", id);
  if (!remote) throw new Error(`${kind} ${id} is gone right after it was written`);
  return { ...inputs, ...ownFields(remote) };
}

/** Returns the object with keys in lower case; undefined for a missing one. The API accepts keys in any letter case. */
async function send(kind: Kind, method: string, id: string | undefined, inputs?: Properties): Promise<Properties | undefined> {
  const { NAIVE_ADDRESS, NAIVE_TOKEN } = settings.parse(process.env);
  const url = `${NAIVE_ADDRESS}/v1/acl/${paths[kind]}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  const response = await fetch(url, {
    method,
    headers: { "X-Cluster-Token": NAIVE_TOKEN },
    ...(inputs && { body: JSON.stringify(bodyOf(inputs)) }),
  });
  const text = await response.text();
  if (method === "GET" && response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === "" ? {} : responseBody.parse(JSON.parse(text));
}

function bodyOf({ __provider: _, ...inputs }: Properties): Properties {
  const { policies, ...plain }: Properties = reveal(z.record(z.string(), z.json()).parse(inputs));
  return Array.isArray(policies) ? { ...plain, policies: policies.map((name) => ({ name })) } : plain;
}

/** The inputs, with texts replaced by the server's values. */
function drifted(inputs: Properties, remote: Properties): Properties {
  const isText = (name: string) => typeof inputs[name] === "string" && typeof remote[name.toLowerCase()] === "string";
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, isText(name) ? remote[name.toLowerCase()] : value]));
}

function ownFields(remote: Properties): Properties {
  return Object.fromEntries(serverFields.map((name) => [name, remote[name.toLowerCase()]]));
}
