import type { AuthMethod } from "../../apis/cluster-acl/client";
import type { CallContext } from "../../context/call-context";
import { ClusterObject } from "../../lifecycle/gone";

/** The requests that decide whether a method is there. Without a state, a wrong "not found" has no consequence. */
export function methodOf(
  context: CallContext,
  name: string,
  state?: { readonly server?: string | undefined; readonly modifyIndex?: number | undefined },
): ClusterObject<AuthMethod> {
  const { methods } = context.cluster();
  const [read, probe] = [() => methods.read(name), () => methods.probe(name, name)];
  return new ClusterObject(context, { label: labelOf(name), state, read, probe });
}

export function labelOf(id: string): string {
  return `ACL auth method ${JSON.stringify(id)}`;
}
