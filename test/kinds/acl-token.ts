import * as fc from "fast-check";
import { aclToken as resource } from "../../provider/resources/acl-token";
import type { Simulator } from "../../testing/simulator";
import { token } from "../lifecycle/samples";
import * as some from "./arbitraries";
import { flag, nothing, shortText, texts, ttl, word } from "./input-cases";
import { content, noPreparation, type Sample } from "./kind";
import type { Property } from "./property";

/** The roles that a token may have. */
const roles = { dev: "0d1e0000-0000-4000-8000-000000000001", ops: "0d1e0000-0000-4000-8000-000000000002" };

function prepareRoles({ simulator: { cluster } }: { readonly simulator: Simulator }): void {
  for (const [Name, ID] of Object.entries(roles)) cluster.roles.put({ ID, Name, Policies: [{ Name: "read" }] });
}

const properties: Property[] = [
  { path: "name", first: "ci", second: "cd", stored: "Name", leftOut: { becomes: "" }, among: token() },
  // A management token has neither policies nor roles.
  { path: "type", first: "client", second: "management", stored: "Type", leftOut: "refused", among: token(), bound: true },
  {
    path: "policies",
    first: ["read"],
    second: ["read", "write"],
    stored: "Policies",
    leftOut: { becomes: [] },
    among: token({ roles: ["dev"] }),
  },
  {
    path: "roles",
    first: ["dev"],
    second: ["dev", "ops"],
    stored: "Roles",
    storedAs: [[{ ID: roles.dev }], [{ ID: roles.dev }, { ID: roles.ops }]],
    leftOut: { becomes: null },
    among: token(),
  },
  { path: "global", first: false, second: true, stored: "Global", leftOut: "kept", among: token(), replaces: true },
  {
    path: "expirationTtl",
    first: "1h",
    second: "2h",
    stored: "ExpirationTTL",
    storedAs: ["1h0m0s", "2h0m0s"],
    leftOut: { becomes: "" },
    among: token(),
    replaces: true,
  },
  { path: "keepExpired", first: true, second: false, leftOut: "kept", among: token() },
];

const names = (what: string) => ({
  ...texts(),
  leftOut: { value: [] },
  accepts: [[], ["a"], ["b", "a", "b"]],
  refuses: [...texts().refuses, [["a", ""], what, "[1]"] as const],
  same: [
    [
      ["a", "b"],
      ["b", "a", "b"],
    ] as const,
    [undefined, []] as const,
  ],
});

const rights = fc.oneof(
  fc.record({ type: fc.constant("management"), policies: some.optional(fc.constant([])) }),
  fc.record({
    type: fc.constant("client"),
    policies: fc.array(some.word, { minLength: 1, maxLength: 5 }),
    roles: some.optional(fc.array(some.word, { maxLength: 3 })),
  }),
);

export const aclToken: Sample = {
  kind: "AclToken",
  resource,
  example: { name: "ci", type: "client", policies: ["read"], roles: ["dev"] },
  cases: {
    name: shortText("bytes"),
    type: { ...word(["client", "management"], 'must be "client" or "management"'), accepts: ["client"] },
    policies: names("must be the name of a policy"),
    roles: names("must be the name or ID of a role"),
    global: flag({ replaces: true }),
    expirationTtl: { ...ttl(nothing), traits: { duration: true, replaces: true } },
    keepExpired: flag({ local: true }),
  },
  valid: () =>
    fc
      .tuple(
        rights,
        fc.record({
          name: some.optional(some.textOf(some.letters, 256)),
          global: some.optional(fc.boolean()),
          expirationTtl: some.optional(fc.constantFrom("60s", "1h", "1h30m0s")),
          keepExpired: some.optional(fc.boolean()),
        }),
      )
      .map(([given, rest]) => ({ ...given, ...rest })),
  inputs: token(),
  change: { name: "cd" },
  create: "/v1/acl/token",
  choosesId: true,
  isUndocumented: true,
  prepare: noPreparation,
  objects: ({ cluster }) => cluster.tokens.list().map(({ AccessorID }) => ({ id: AccessorID })),
  rows: ({ cluster }) => cluster.tokens.list(),
  stored: ({ cluster }, id) => content(cluster.tokens.get(id)),
  edit: ({ cluster }, id, change) => cluster.tokens.put({ ...change, AccessorID: id }),
  remove: ({ cluster }, id) => cluster.tokens.delete(id),
  twin: ({ cluster }) => cluster.tokens.put({ Name: "ci", Policies: ["read"] }).AccessorID,
  properties,
  changes: [
    ["name", "new"],
    ["policies", ["admin"]],
  ],
  faults: {
    inputs: token(),
    change: { name: "cd" },
    replacement: { global: true },
    prepare: prepareRoles,
    drift: ({ cluster }) => {
      for (const { AccessorID, Name } of cluster.tokens.list()) if (Name === "ci") cluster.tokens.put({ AccessorID, Policies: ["write"] });
    },
  },
};
