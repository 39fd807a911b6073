import * as fc from "fast-check";
import { aclRole as resource } from "../../provider/resources/acl-role";
import { role } from "../lifecycle/samples";
import * as some from "./arbitraries";
import { adopt, required, shortText, texts } from "./input-cases";
import { content, noPreparation, type Sample } from "./kind";
import type { Property } from "./property";

const properties: Property[] = [
  { path: "name", first: "dev", second: "ops", stored: "Name", leftOut: "refused", among: role() },
  { path: "description", first: "one", second: "two", stored: "Description", leftOut: { becomes: "" }, among: role() },
  {
    path: "policies",
    first: ["read"],
    second: ["read", "write"],
    stored: "Policies",
    storedAs: [[{ Name: "read" }], [{ Name: "read" }, { Name: "write" }]],
    leftOut: "refused there",
    documented: { leftOut: { becomes: [] } },
    among: role(),
  },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: role() },
];

export const aclRole: Sample = {
  kind: "AclRole",
  resource,
  example: { name: "dev", policies: ["read"] },
  cases: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z_0", "x".repeat(128)],
      refuses: ["", "a b", "a.b", "x".repeat(129), "a\n"].map((name) => [name, "must be 1 to 128 letters, digits, dashes or underscores"]),
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
    },
    description: shortText("characters"),
    policies: {
      ...texts(),
      leftOut: { value: [] },
      accepts: [[], ["a"], ["b", "a", "b"]],
      refuses: [...texts().refuses, [["a", ""], "must be the name of a policy", "[1]"]],
      same: [
        [
          ["a", "b"],
          ["b", "a", "b"],
        ],
        [undefined, []],
        [null, []],
      ],
    },
    adopt,
  },
  valid: () =>
    fc.record({
      name: some.textOf(`${some.letters}-_`, 128),
      description: some.optional(fc.string({ unit: "binary", maxLength: 256 })),
      policies: some.optional(fc.array(some.word, { maxLength: 5 })),
      adopt: some.adopt,
    }),
  inputs: role(),
  change: { description: "new" },
  create: "/v1/acl/role",
  prepare: noPreparation,
  objects: ({ cluster }) => cluster.roles.list().map(({ ID }) => ({ id: ID })),
  rows: ({ cluster }) => cluster.roles.list(),
  stored: ({ cluster }, id) => content(cluster.roles.get(id)),
  edit: ({ cluster }, id, change) => cluster.roles.put({ ...change, ID: id }),
  remove: ({ cluster }, id) => cluster.roles.delete(id),
  twin: ({ cluster }) => cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] }).ID,
  properties,
  changes: [
    ["description", "new"],
    ["policies", ["admin"]],
  ],
  faults: {
    inputs: role(),
    change: { description: "new" },
    prepare: noPreparation,
    drift: ({ cluster }) => void cluster.roles.put({ Name: "dev", Description: "drifted" }),
    theirs: ({ cluster }) => void cluster.roles.put({ Name: "dev", Policies: [{ Name: "write" }] }),
  },
};
