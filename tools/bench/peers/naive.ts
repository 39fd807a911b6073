import * as z from "zod";
import { reveal } from "../../../testing/rehearsal/engine/values";
import type { Kind, Properties } from "../workload";
import { inputsOf, type Peer, serverFields } from "./peer";

const settings = z
  .object({ NAIVE_ADDRESS: z.string(), NAIVE_TOKEN: z.string() })
  .transform(({ NAIVE_ADDRESS: address, NAIVE_TOKEN: token }) => ({ address, token }));

const paths: Record<Kind, string> = { AclRole: "role", AclAuthMethod: "auth-method", AclBindingRule: "binding-rule" };

const responseBody = z
  .record(z.string(), z.unknown())
  .transform((fields): Properties => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])));

/** A naive provider: one request per object and operation, a read after each write, no retries, nothing shared between resources. */
export const peer: Peer = {
  async create(kind, inputs) {
    const made = await send(kind, "POST", undefined, inputs);
    const id = String(kind === "AclAuthMethod" ? made?.name : made?.id);
    return { id, outputs: await outputsOf(kind, id, inputs) };
  },
  async read(kind, id, outputs) {
    const found = await send(kind, "GET", id);
    return found && { ...drifted(inputsOf(outputs), found), ...ownFields(found) };
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
  const found = await send(kind, "GET", id);
  if (!found) throw new Error(`${kind} ${id} is gone right after it was written`);
  return { ...inputs, ...ownFields(found) };
}

/** Returns the object with keys in lower case; undefined when there is none. The API accepts its keys in any letter case. */
async function send(kind: Kind, method: string, id: string | undefined, inputs?: Properties): Promise<Properties | undefined> {
  const { address, token } = settings.parse(process.env);
  const url = `${address}/v1/acl/${paths[kind]}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  const response = await fetch(url, {
    method,
    headers: { "X-Cluster-Token": token },
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

/** The inputs, with the server's values of the texts among them. */
function drifted(inputs: Properties, found: Properties): Properties {
  const today = (name: string, value: unknown) => {
    const stored = found[name.toLowerCase()];
    return typeof value === "string" && typeof stored === "string" ? stored : value;
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, today(name, value)]));
}

function ownFields(found: Properties): Properties {
  return Object.fromEntries(serverFields.map((name) => [name, found[name.toLowerCase()]]));
}
