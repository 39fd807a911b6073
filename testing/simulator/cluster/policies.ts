import { decodeBody } from "./fields";
import { contentHash } from "./hash";
import type { ClusterObjects, Policy } from "./objects";
import { UNSTORED } from "./objects";
import { refuseInvalid } from "./refusal";
import type { StoredKind } from "./table";

type PolicyBody = Pick<Policy, "Name" | "Description" | "Rules">;

/** A change that a test makes. A name is enough, because roles need only the name of an existing policy. */
export type PolicyChange = string | (Partial<PolicyBody> & { Name: string });

export const policies: StoredKind<Policy, PolicyChange> = {
  keyOf: ({ Name }) => Name,
  changed: (change, policies) => changedPolicy(policies.get(typeof change === "string" ? change : change.Name), change),
};

export function decodePolicy(body: string): PolicyBody {
  return decodeBody(body, { type: "structs.ACLPolicy", path: "ACLPolicy" }, (fields) => ({
    Name: fields.string("Name"),
    Description: fields.string("Description"),
    Rules: fields.string("Rules"),
  }));
}

/** @throws Refusal 400 when it is not valid. */
export function writePolicy(store: ClusterObjects, body: PolicyBody): Policy {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(body.Name)) errors.push(`invalid name '${body.Name}'`);
  if (Buffer.byteLength(body.Description) > 256) errors.push("description longer than 256");
  refuseInvalid("policy", errors);
  return store.policies.write(changedPolicy(undefined, body));
}

/** The policy after a change by a test, which is not validated. */
function changedPolicy(existing: Policy | undefined, change: PolicyChange): Policy {
  const given = typeof change === "string" ? { Name: change } : change;
  const { Description, Name, Rules } = { Description: "", Rules: "", ...existing, ...given };
  return {
    CreateIndex: UNSTORED,
    Description,
    Hash: contentHash(Name, Description, Rules),
    JobACL: null,
    ModifyIndex: UNSTORED,
    Name,
    Rules,
  };
}

/** A policy in the list: without its rules. */
export function policyStub({ Rules, ...stub }: Policy): object {
  return stub;
}
