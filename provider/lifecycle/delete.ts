import type { CallContext } from "../context/call-context";
import type { Kind, Types } from "./kind";
import { objectOf } from "./read";

/** Deletes an object. One that is gone already is a success; one that others need is an error. */
export async function remove<T extends Types>(context: CallContext, kind: Kind<T>, id: string, known: T["Known"]): Promise<void> {
  if (kind.beforeDelete && !(await kind.beforeDelete(context, id, known))) return;
  // What has just been read was there, on this server.
  await objectOf(context, kind, id, kind.beforeDelete ? undefined : known).delete(() => kind.requests(context).delete(id));
  await kind.afterDelete?.(context, kind.labelOf(id, known), known, id);
}
