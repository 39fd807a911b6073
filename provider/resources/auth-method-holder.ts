import type { AuthMethod, ClusterAclClient } from "../apis/cluster-acl/client";
import type { ObjectOnServer } from "../marks";
import type { Operation } from "../operation";
import { Problem } from "../problem";
import { knownAs, never, readOrMissing, readSurely } from "./certainty";

/** The method that has the name already. A list answers for all creates that meet; what it names and two reads deny is gone since. */
export async function holderOf(operation: Operation, cluster: ClusterAclClient, name: string): Promise<AuthMethod | undefined> {
  if (!(await cluster.listAuthMethods()).some((method) => method.name === name)) return undefined;
  return readSurely(
    operation,
    knownAs(`ACL auth method ${JSON.stringify(name)}`),
    cluster.server,
    () => cluster.readAuthMethod(name),
    never,
  );
}

/**
 * Has the authoritative region, which takes all writes, answer for a method that a region shows: by an update that says nothing but what is so already.
 * The server keeps everything else; and where there is none, it refuses to make one out of that.
 *
 * @returns undefined when there is none
 */
export async function confirmed(
  cluster: ClusterAclClient,
  { name, default: isDefault, hash }: AuthMethod,
): Promise<AuthMethod | undefined> {
  if (hash === undefined) {
    throw new Problem(
      `ACL auth method ${JSON.stringify(name)} was not taken over: ${cluster.server} answers without a hash, and such a server may erase what an update leaves out. So nobody can make sure, without writing ` +
        'all of it, that the method is still there. Set adopt: "overwrite", which does, and give its secret.',
    );
  }
  return readOrMissing(() => cluster.updateAuthMethod(name, { name, default: isDefault }));
}

export function objectOf(cluster: ClusterAclClient, { name, createTime }: AuthMethod): ObjectOnServer {
  return { kind: "AclAuthMethod", id: name, createTime, server: cluster.server };
}
