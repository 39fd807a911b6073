import type { AuthMethod, ClusterAclClient } from "../../apis/cluster-acl/client";
import type { CallContext } from "../../context/call-context";
import { isOlderCopy } from "../../context/certainty";
import { ClusterObject } from "../../context/cluster-object";
import { howToAcceptMovedServer } from "../../context/config";
import { relationOf } from "../../model/servers";
import { UserError } from "../../model/user-error";

/** What distinguishes the method of the state from another one of its name, and from an older copy of itself. */
interface KnownMethod {
  readonly server?: string | undefined;
  readonly createTime?: string | undefined;
  readonly createIndex?: number | undefined;
  readonly modifyIndex?: number | undefined;
  readonly modifyTime?: string | undefined;
}

export function methodOf(context: CallContext, name: string, state?: KnownMethod): ClusterObject<AuthMethod> {
  const cluster = context.cluster();
  return new ClusterObject(context, {
    label: labelOf(name),
    state,
    read: () => cluster.methods.read(name),
    probe: () => cluster.methods.probe(name, name),
  });
}

/** Reads the state's method. One of the same name that others made is another one. */
export async function readOwn(
  context: CallContext,
  cluster: ClusterAclClient,
  id: string,
  known: KnownMethod | undefined,
): Promise<AuthMethod | undefined> {
  const method = await methodOf(context, id, known).read({ isOlder: (copy) => isOlder(copy, known, cluster.server) });
  if (!method || !isForeign(method, known)) return method;
  if (context.settings.acceptMovedServer) return undefined;
  const before = known?.server;
  const reason =
    before !== undefined && relationOf(before, cluster.server) === "other server"
      ? `The state says that it was on ${before}: if this is another cluster, correct the address or the region.`
      : "Others deleted it and made another of the same name, or this is another cluster.";
  throw new UserError(
    "method-replaced",
    `${labelOf(id)} on ${cluster.server} is not the one of the state: that was made ${known?.createTime}, this one ${method.createTime}. ${reason} ` +
      "It was not touched, and the state keeps what it has. If this method is to take the place of the old one, remove the resource from the state with `pulumi state delete` and " +
      `run the update with adopt: "overwrite". If the state is to forget the old one, ${howToAcceptMovedServer}.`,
  );
}

export function isForeign(method: AuthMethod, known: KnownMethod | undefined): boolean {
  return known?.createTime !== undefined && known.createTime !== method.createTime;
}

/** Whether a copy is older than the state. Only copies of one server can be compared. */
export function isOlder(copy: AuthMethod, known: KnownMethod | undefined, server: string): boolean {
  if (isForeign(copy, known) && (!known?.server || relationOf(known.server, server) === "other server")) return false;
  return isOlderCopy(copy, known);
}

export function labelOf(id: string): string {
  return `ACL auth method ${JSON.stringify(id)}`;
}
