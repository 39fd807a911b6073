import type { AuthMethod, ClusterAclClient } from "../../apis/cluster-acl/client";
import type { ApiError } from "../../apis/http/errors";
import { type Confirmation, confirmedByProbe, knownAs, lookPastDeleted, never, readSurely } from "../../context/certainty";
import type { ObjectOnServer } from "../../context/marks";
import type { Operation } from "../../context/operation";
import { Problem } from "../../model/problem";

/**
 * The method that has the name already, and is not known to be deleted. A list answers for all creates that meet; what it names and two reads deny is gone since.
 *
 * @param why.refusal why one counts as deleted, where this operation has not deleted it itself
 * @param why.conflict why there is one, which the region may not show yet
 */
export function holderOf(
  operation: Operation,
  cluster: ClusterAclClient,
  name: string,
  why: { readonly refusal?: ApiError; readonly conflict?: ApiError | undefined } = {},
): Promise<AuthMethod | undefined> {
  const [label, { server }] = [`ACL auth method ${JSON.stringify(name)}`, cluster];
  const look = async () => {
    if (!(await cluster.listAuthMethods()).some((method) => method.name === name)) return undefined;
    return readSurely(operation, knownAs(label), server, { read: () => cluster.readAuthMethod(name), isOlder: never });
  };
  const isDeleted = (method: AuthMethod) => operation.memory.isDeleted(objectOf(cluster, method));
  return lookPastDeleted(operation, { label, server, look, isDeleted, ...why });
}

/** Has the region that takes all writes answer for a method that a region shows, without writing anything of it. */
export function confirmed(cluster: ClusterAclClient, method: AuthMethod): Promise<Confirmation<AuthMethod>> {
  const { name } = method;
  return confirmedByProbe(`ACL auth method ${JSON.stringify(name)}`, method, () => cluster.probe("methods", name));
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
