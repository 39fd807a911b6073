import { own } from "../../common/own";
import type { CallContext } from "../context/call-context";
import type { ObjectOnServer } from "../context/object-set";
import type { Properties } from "../model/remote";

interface KindOfServer {
  readonly kind: string;
  readonly api: "pools" | "cluster";
}

/** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
export function serverOf(context: CallContext, { api }: KindOfServer): string {
  return (api === "pools" ? context.pools() : context.cluster()).server;
}

/** An object as all processes of an operation identify it. */
export function objectOnServer(
  { kind }: KindOfServer,
  server: string,
  { id, outputs }: { readonly id: string; readonly outputs: Properties },
): ObjectOnServer {
  const createTime = own(outputs, "createTime");
  return { kind, id, server, createTime: typeof createTime === "string" ? createTime : undefined };
}
