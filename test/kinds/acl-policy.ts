import * as fc from "fast-check";
import { aclPolicy as resource } from "../../provider/resources/acl-policy";
import type { Simulator } from "../../testing/simulator";
import { givenPolicies, policy, policyRules } from "../lifecycle/samples";
import * as some from "./arbitraries";
import { adopt, type InputCase, nothing, required, shortText, text, wrongType } from "./input-cases";
import { content, noPreparation, type Sample } from "./kind";
import type { Property } from "./property";

const otherRules = 'node { policy = "read" }';
const job = { namespace: "default", jobId: "web", group: "api", task: "server" };
const stored = { Namespace: "default", JobID: "web", Group: "api", Task: "server" };
const blank = { Group: "", JobID: "", Namespace: "", Task: "" };

/** A property for a level of the job, which needs the levels above it. */
function level(name: keyof typeof job, key: keyof typeof stored, above: object): Property {
  return {
    path: `jobAcl.${name}`,
    first: job[name],
    second: "other",
    stored: `JobACL.${key}`,
    leftOut: { becomes: "" },
    among: policy({ jobAcl: above }),
  };
}

const properties: Property[] = [
  { path: "name", first: "readers", second: "writers", stored: "Name", leftOut: "refused", among: policy(), replaces: true },
  { path: "description", first: "one", second: "two", stored: "Description", leftOut: { becomes: "" }, among: policy() },
  { path: "rules", first: policyRules, second: otherRules, stored: "Rules", leftOut: { becomes: "" }, among: policy() },
  {
    path: "jobAcl",
    first: job,
    second: { namespace: "default" },
    stored: "JobACL",
    storedAs: [stored, { ...blank, Namespace: "default" }],
    leftOut: { becomes: null },
    among: policy(),
  },
  { ...level("namespace", "Namespace", { jobId: "web" }), leftOut: "refused" },
  level("jobId", "JobID", { namespace: "default" }),
  level("group", "Group", { namespace: "default", jobId: "web" }),
  level("task", "Task", { namespace: "default", jobId: "web", group: "api" }),
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: policy() },
];

/** The input case of a level of the job. The example has the levels that it requires. */
const ofJob = (leftOut: InputCase["leftOut"]): InputCase => ({ ...text(), leftOut, accepts: ["a", "\u00e4".repeat(300)] });

const rules = fc.constantFrom("", policyRules, otherRules, '# all of it\nagent { policy = "write" }', '{"operator": {"policy": "read"}}');
const level1 = fc.record({ namespace: some.word });
const jobAcl = fc.oneof(
  fc.constant({}),
  level1,
  fc.record({ namespace: some.word, jobId: some.word }),
  fc.record({ namespace: some.word, jobId: some.word, group: some.word }),
  fc.record({ namespace: some.word, jobId: some.word, group: some.word, task: some.word }),
);

/** The policies that a test or its program has made. */
const made = ({ cluster }: Simulator) => cluster.policies.list().filter(({ Name }) => !givenPolicies.includes(Name));

export const aclPolicy: Sample = {
  kind: "AclPolicy",
  resource,
  example: { name: "readers", rules: policyRules, jobAcl: job },
  cases: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z-0", "x".repeat(128)],
      refuses: [
        ...["", "a_b", "a b", "x".repeat(129), "a\n"].map((name) => [name, "must be 1 to 128 letters, digits or dashes"] as const),
        ["self", 'must not be "self": servers have another endpoint at the address of that policy'],
      ],
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
      traits: { replaces: true },
    },
    description: shortText("bytes"),
    rules: {
      leftOut: { value: "" },
      accepts: ["", policyRules, otherRules],
      refuses: [
        [1, wrongType("string", "number")],
        ["namespace {", `can't be read: line 1, column 12: expected the "}" for the "{" in line 1, found the end of the text`],
      ],
      same: [
        [undefined, ""],
        [null, ""],
        [policyRules, '# Reads.\n"namespace" "default" {\n  policy = "read"\n}\n'],
        [policyRules, '{"namespace": {"default": {"policy": "read"}}}'],
      ],
      change: { from: policyRules, to: otherRules },
    },
    jobAcl: {
      leftOut: nothing,
      accepts: [{}, job, { namespace: "default" }],
      refuses: [
        ["default", "must be an object, not a string"],
        [[], "must be an object, not a list"],
      ],
      same: [
        [undefined, {}],
        [{ namespace: "default", jobId: "" }, { namespace: "default" }],
      ],
      change: { from: { namespace: "a" }, to: { namespace: "b" }, below: ".namespace" },
    },
    "jobAcl.namespace": ofJob({ fails: "is required when jobId is given" }),
    "jobAcl.jobId": ofJob({ fails: "is required when group is given" }),
    "jobAcl.group": ofJob({ fails: "is required when task is given" }),
    "jobAcl.task": text(),
    adopt,
  },
  valid: () =>
    fc.record({
      name: some.textOf(`${some.letters}-`, 128),
      description: some.optional(some.textOf(some.letters, 256)),
      rules: some.optional(rules),
      jobAcl: some.optional(jobAcl),
      adopt: some.adopt,
    }),
  inputs: policy(),
  change: { description: "new" },
  create: "/v1/acl/policy/readers",
  isIdName: true,
  isUpsert: true,
  isUndocumented: true,
  given: ({ cluster }) => {
    for (const name of givenPolicies) cluster.policies.put(name);
  },
  prepare: noPreparation,
  objects: (simulator) => made(simulator).map(({ Name }) => ({ id: Name })),
  rows: made,
  stored: ({ cluster }, id) => content(cluster.policies.get(id)),
  edit: ({ cluster }, id, change) => cluster.policies.put({ ...change, Name: id }),
  remove: ({ cluster }, id) => cluster.policies.delete(id),
  twin: ({ cluster }) => cluster.policies.put({ Name: "readers", Rules: policyRules }).Name,
  properties,
  changes: [
    ["description", "new"],
    ["rules", 'agent { policy = "read" }'],
  ],
  faults: {
    inputs: policy(),
    change: { description: "new" },
    replacement: { name: "writers" },
    prepare: noPreparation,
    drift: ({ cluster }) => void cluster.policies.put({ Name: "readers", Description: "drifted" }),
    theirs: ({ cluster }) => void cluster.policies.put({ Name: "readers", Rules: otherRules }),
  },
};
