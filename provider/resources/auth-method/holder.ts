import type { AuthMethod, ClusterAclClient } from "../../apis/cluster-acl/client";
import type { ApiError } from "../../apis/http/errors";
import { type Confirmation, confirmedBy, knownAs, lookPastDeleted, never, readSurely } from "../../context/certainty";
import type { ObjectOnServer } from "../../context/marks";
import type { Operation } from "../../context/operation";
import { Problem } from "../../model/problem";
import { isUnhashed } from "./config";

/**
 * The method that has the name already, and is not known to be deleted. A list answers for all creates that meet; what it names and two reads deny is gone since.
 *
 * @param refusal why one counts as deleted, where this operation has not deleted it itself
 */
export function holderOf(
  operation: Operation,
  cluster: ClusterAclClient,
  name: string,
  refusal?: ApiError,
): Promise<AuthMethod | undefined> {
  const [label, { server }] = [`ACL auth method ${JSON.stringify(name)}`, cluster];
  const look = async () => {
    if (!(await cluster.listAuthMethods()).some((method) => method.name === name)) return undefined;
    return readSurely(operation, knownAs(label), server, { read: () => cluster.readAuthMethod(name), isOlder: never });
  };
  const isDeleted = (method: AuthMethod) => operation.memory.isDeleted(objectOf(cluster, method));
  return lookPastDeleted(operation, { label, server, look, isDeleted, refusal });
}

/**
 * Has the region that takes all writes answer for a method that a region shows: by an update that says nothing but what is so already. The server keeps
 * everything else; and where there is none, it refuses to make one out of that.
 */
export async function confirmed(cluster: ClusterAclClient, method: AuthMethod): Promise<Confirmation<AuthMethod>> {
  const { name, default: isDefault } = method;
  if (isUnhashed(method)) {
    throw new Problem(
      `ACL auth method ${JSON.stringify(name)} was not taken over: ${cluster.server} answers without a hash, and such a server may erase what an update leaves out. So nobody can make sure, without writing ` +
        'all of it, that the method is still there. Set adopt: "overwrite", which does, and give its secret.',
    );
  }
  return confirmedBy(() => cluster.updateAuthMethod(name, { name, default: isDefault }));
}

export function objectOf(cluster: ClusterAclClient, { name, createTime }: AuthMethod): ObjectOnServer {
  return { kind: "AclAuthMethod", id: name, createTime, server: cluster.server };
}

/** Where a server raises no conflict: the response to a create has told that there was another one. */
export function overwritten(method: AuthMethod, server: string): Problem {
  return new Problem(
    `The create of ACL auth method ${JSON.stringify(method.name)} on ${server} has replaced a method of that name that someone else made at ${method.createTime}, between the look and the write. ` +
      'It now has this program\'s values. Agree with them whose it is; then set adopt: "overwrite" to keep it here, or restore theirs.',
  );
}
