import * as fc from "fast-check";
import { agentPool as resource } from "../../provider/resources/agent-pool";
import { pool } from "../lifecycle/samples";
import * as some from "./arbitraries";
import { adopt, flag, type InputCase, nothing, required, texts, wrongType } from "./input-cases";
import { content, noPreparation, type Sample } from "./kind";
import type { Property } from "./property";

const properties: Property[] = [
  { path: "name", first: "build", second: "deploy", stored: "name", leftOut: "refused", among: pool() },
  {
    path: "organization",
    first: "example-org",
    second: "other-org",
    stored: "organization",
    leftOut: "kept",
    among: pool(),
    replaces: true,
  },
  { path: "organizationScoped", first: false, second: true, stored: "organizationScoped", leftOut: "kept", among: pool() },
  {
    path: "allowedWorkspaceIds",
    first: ["ws-one"],
    second: ["ws-one", "ws-two"],
    stored: "allowedWorkspaceIds",
    leftOut: "kept",
    among: pool({ organizationScoped: false }),
  },
  {
    path: "allowedProjectIds",
    first: ["prj-one"],
    second: ["prj-one", "prj-two"],
    stored: "allowedProjectIds",
    leftOut: "kept",
    among: pool({ organizationScoped: false }),
    documented: "lacks",
  },
  {
    path: "excludedWorkspaceIds",
    first: ["ws-one"],
    second: ["ws-one", "ws-two"],
    stored: "excludedWorkspaceIds",
    leftOut: "kept",
    among: pool({ organizationScoped: false }),
    documented: "lacks",
  },
  { path: "forceDestroy", first: true, second: false, leftOut: "kept", among: pool() },
  { path: "drainTimeoutSeconds", first: 30, second: 60, leftOut: "kept", among: pool() },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: pool() },
];

/** A list of identifiers of a relationship. */
const identifiers = (of: string): InputCase => ({
  ...texts(),
  refuses: [...texts().refuses, [["id-1", ""], `must be the identifier of a ${of}`, "[1]"]],
  same: [
    [
      ["a", "b"],
      ["b", "a", "b"],
    ],
  ],
  change: { from: undefined, to: [], kind: "add" },
  traits: { set: true, emptyMatters: true },
});

export const agentPool: Sample = {
  kind: "AgentPool",
  resource,
  example: { name: "build", organization: "example-org", organizationScoped: true },
  cases: {
    name: {
      leftOut: required,
      accepts: ["a", "A-z_0", "x".repeat(1000)],
      refuses: ["", "a b", "a.b", "ä", "a\n"].map((name) => [name, "must be one or more letters, digits, dashes or underscores"]),
      same: [["a", "a"]],
      change: { from: "a", to: "A" },
    },
    organization: {
      leftOut: {
        fails: "is required: give it in the program, or set agentpool-acl:organization or the environment variable TFE_ORGANIZATION",
      },
      accepts: ["a", "Example Org"],
      refuses: [
        ["", "must be the name of an organization"],
        [1, wrongType("string", "number")],
      ],
      same: [["a", "a"]],
      change: { from: "a", to: "b" },
      traits: { replaces: true },
    },
    organizationScoped: { ...flag(), leftOut: { value: true }, same: [[true, true]] },
    allowedWorkspaceIds: identifiers("workspace"),
    allowedProjectIds: identifiers("project"),
    excludedWorkspaceIds: identifiers("workspace"),
    forceDestroy: flag({ local: true }),
    drainTimeoutSeconds: {
      leftOut: nothing,
      accepts: [0, 0.5, 86_400],
      refuses: [
        [-1, "must be 0 or more"],
        [-0.001, "must be 0 or more"],
        ["60", wrongType("number", "string")],
        [Number.NaN, wrongType("number", "NaN")],
        [Number.POSITIVE_INFINITY, wrongType("number", "Infinity")],
      ],
      same: [[undefined, 0]],
      change: { from: 0, to: 60 },
      traits: { local: true },
    },
    adopt,
  },
  valid: () =>
    fc.record({
      name: some.textOf(`${some.letters}-_`, 90),
      organization: some.word,
      organizationScoped: some.optional(fc.boolean()),
      allowedWorkspaceIds: some.optional(fc.array(some.word, { maxLength: 4 })),
      allowedProjectIds: some.optional(fc.array(some.word, { maxLength: 4 })),
      excludedWorkspaceIds: some.optional(fc.array(some.word, { maxLength: 4 })),
      forceDestroy: some.optional(fc.boolean()),
      drainTimeoutSeconds: some.optional(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
      adopt: some.adopt,
    }),
  inputs: pool(),
  change: { organizationScoped: false },
  create: "/api/v2/organizations/example-org/agent-pools",
  prepare: noPreparation,
  objects: ({ pools }) => pools.list().map(({ id }) => ({ id })),
  rows: ({ pools }) => pools.list(),
  stored: ({ pools }, id) => content(pools.get(id)),
  edit: ({ pools }, id, { organization: _, ...change }) => pools.update(id, change),
  remove: ({ pools }, id) => pools.delete(id),
  twin: ({ pools }) => pools.put({ organization: "example-org", name: "build", organizationScoped: true }).id,
  properties,
  changes: [
    ["name", "new"],
    ["organizationScoped", false],
  ],
  faults: {
    inputs: pool(),
    change: { organizationScoped: false },
    replacement: { organization: "other-org" },
    prepare: ({ simulator }) => simulator.pools.addOrganization("other-org"),
    drift: ({ pools }) => {
      for (const { id, name } of pools.list()) if (name === "build") pools.update(id, { organizationScoped: false });
    },
    theirs: ({ pools }) => void pools.put({ organization: "example-org", name: "build", organizationScoped: false }),
  },
};
