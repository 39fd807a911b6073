import { ownProperty } from "../../common/own-property";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import type { ObjectOnServer } from "../operation/object-set";

interface KindOfServer {
  readonly kind: string;
  readonly api: "pools" | "cluster";
  readonly isIdName?: boolean;
}

/** The configured server, in the form of the output `server`. @throws ConfigurationError when there is none */
export function serverOf(context: CallContext, { api }: KindOfServer): string {
  return (api === "pools" ? context.pools() : context.cluster()).server;
}

/** An object as all processes of an operation identify it. */
export function objectOnServer(context: CallContext, kind: KindOfServer, id: string, outputs: Properties): ObjectOnServer {
  const [createTime, createIndex] = [ownProperty(outputs, "createTime"), ownProperty(outputs, "createIndex")];
  const object = { kind: kind.kind, id, server: serverOf(context, kind) };
  if (typeof createTime === "string") return { ...object, createTime };
  return kind.isIdName && typeof createIndex === "number" ? { ...object, createIndex } : object;
}
