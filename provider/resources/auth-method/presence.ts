import type { AuthMethod } from "../../apis/cluster-acl/client";
import { Presence } from "../../lifecycle/gone";
import type { CallContext } from "../../operation/call-context";

/** The requests that decide whether a method is there. Without a state, a wrong "not found" has no consequence. */
export function presenceOfMethod(
  context: CallContext,
  name: string,
  known?: { readonly server?: string | undefined; readonly modifyIndex?: number | undefined },
): Presence<AuthMethod> {
  const { methods, server } = context.cluster();
  const [read, probe] = [() => methods.read(name), () => methods.probe(name, name)];
  return new Presence(context, { label: labelOf(name), server, known, read, probe });
}

export function labelOf(id: string): string {
  return `ACL auth method ${JSON.stringify(id)}`;
}
