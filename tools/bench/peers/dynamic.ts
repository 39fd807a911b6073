import type * as pulumi from "@pulumi/pulumi";
import type { Kind, Properties } from "../workload";
import { changedInputs, inputsOf, type Peer } from "./peer";

/** A peer as a dynamic provider, which the SDK's host loads from the text in the state. */
export function dynamicPeer(peer: Peer): Record<Kind, pulumi.dynamic.ResourceProvider> {
  const provider = (kind: Kind): pulumi.dynamic.ResourceProvider => ({
    diff: async (_id: string, olds: Properties, news: Properties) => ({ changes: changedInputs(olds, news).length > 0 }),
    create: async (inputs: Properties) => {
      const { id, outputs } = await peer.create(kind, inputs);
      return { id, outs: outputs };
    },
    read: async (id: string, olds: Properties = {}) => {
      const outputs = await peer.read(kind, id, olds);
      return outputs ? { id, props: outputs, inputs: inputsOf(outputs) } : { id: "", props: {} };
    },
    update: async (id: string, _olds: Properties, news: Properties) => ({ outs: await peer.update(kind, id, news) }),
    delete: (id: string) => peer.delete(kind, id),
  });
  return { AclRole: provider("AclRole"), AclAuthMethod: provider("AclAuthMethod"), AclBindingRule: provider("AclBindingRule") };
}
