import * as fc from "fast-check";
import { givenPolicies } from "../../lifecycle/samples";
import { name, options } from "./arbitraries";
import type { Options, RandomKind } from "./kind";

export interface PolicyDeclaration extends Options {
  readonly kind: "AclPolicy";
  readonly name: string;
  readonly description: string;
  readonly rules: string;
  readonly job: string | undefined;
}

const reads = 'namespace "default" { policy = "read" }';
const edited = 'operator { policy = "read" }';

/** Texts of rules. Some have the same content. */
const rules = {
  [reads]: "reads",
  '# Reads\nnamespace "default" {\n  policy = "read"\n}\n': "reads",
  'node { policy = "write" }': "writes",
};

const keyOf = (name: string, createIndex: unknown) => `${name} made at ${createIndex}`;

/** The meaning of rules: one word for all texts of the same content. */
function meaningOf(text: string): string {
  return Object.entries(rules).find(([known]) => known === text)?.[1] ?? text;
}

export const aclPolicy: RandomKind<PolicyDeclaration> = {
  slots: 3,
  declaration: fc.record({
    ...options,
    kind: fc.constant("AclPolicy"),
    name,
    description: fc.constantFrom("", "described"),
    rules: fc.constantFrom(...Object.keys(rules)),
    job: fc.constantFrom(undefined, undefined, "web"),
  }),
  resolve: (policy, slot, { free }) => ({ ...policy, slot, name: free(policy.name, (text) => text) }),
  identity: ({ name }) => name,
  inputs: ({ name, description, rules: text, job }) => ({
    name,
    description,
    rules: text,
    jobAcl: job && { namespace: "default", jobId: job },
  }),
  // A create that could not read the object that it has written does not know the index.
  key: (id, { createIndex }, simulator) => keyOf(id, createIndex ?? simulator.cluster.policies.get(id)?.CreateIndex),
  stored: ({ cluster }) =>
    cluster.policies
      .all()
      .filter(({ Name }) => !givenPolicies.includes(Name))
      .map((object) => ({ id: object.Name, key: keyOf(object.Name, object.CreateIndex), identity: object.Name, object })),
  expected: ({ description, rules: text, job }) => ({ Description: description, Meaning: meaningOf(text), Job: job ?? "" }),
  actual({ cluster }, id) {
    const policy = cluster.policies.get(id);
    return policy && { ...policy, Meaning: meaningOf(policy.Rules), Job: policy.JobACL?.JobID ?? "" };
  },
  edit({ cluster }, id, how) {
    if (how === 0) cluster.policies.put({ Name: id, Description: "edited" });
    else cluster.policies.put(how === 1 ? { Name: id, Rules: edited } : { Name: id, JobACL: { Namespace: "default" } });
  },
  remove: ({ cluster }, id) => cluster.policies.delete(id),
  remake({ cluster }, id) {
    const policy = cluster.policies.get(id);
    cluster.policies.delete(id);
    if (policy) cluster.policies.put(policy);
  },
  takePlace({ cluster }, { name: Name, description, rules: text, job }, isSame) {
    const JobACL = job ? { Namespace: "default", JobID: job } : null;
    cluster.policies.put({ Name, Description: description, Rules: isSame ? text : edited, JobACL });
  },
};
