// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
import * as fc from "fast-check";
import { aclBindingRule as resource } from "../../provider/resources/acl-binding-rule";
import { rule } from "../lifecycle/samples";
import { selectors, templates } from "../support/forms";
import * as some from "./arbitraries";
import { adopt, notEmpty, required, text, word, wrongType } from "./input-cases";
import { content, type Sample } from "./kind";
import type { Property } from "./property";

const properties: Property[] = [
  { path: "authMethod", first: "sso", second: "other", stored: "AuthMethod", leftOut: "refused", among: rule(), replaces: true },
  { path: "description", first: "one", second: "two", stored: "Description", leftOut: { becomes: "" }, among: rule() },
  {
    path: "selector",
    first: "dev in list.groups",
    second: 'value.team == "ops"',
    stored: "Selector",
    leftOut: { becomes: "" },
    among: rule(),
  },
  { path: "bindType", first: "role", second: "policy", stored: "BindType", leftOut: "refused", among: rule() },
  { path: "bindName", first: "dev", second: "ops", stored: "BindName", leftOut: "refused", among: rule() },
  { path: "adopt", first: true, second: "overwrite", leftOut: "kept", among: rule() },
];

const selector = fc.constantFrom(
  "",
  "engineering in list.groups",
  'value.team == "ops" and not ("a b" in list["first-name"])',
  "all list.x as i, _ { i != 0 }",
);
const target = fc.oneof(
  fc.record({ bindType: fc.constantFrom("role", "policy"), bindName: some.template, selector: some.optional(selector) }),
  fc.record({ bindType: fc.constant("management"), selector }),
);

export const aclBindingRule: Sample = {
  kind: "AclBindingRule",
  resource,
  example: { authMethod: "sso", selector: "", bindType: "role", bindName: "dev" },
  cases: {
    authMethod: {
      leftOut: required,
      accepts: ["sso", "a method of any name"],
      refuses: [
        ["", "must be the name of an auth method"],
        [1, wrongType("string", "number")],
      ],
      same: [["sso", "sso"]],
      change: { from: "sso", to: "SSO" },
      traits: { replaces: true },
    },
    description: { ...text(), leftOut: { value: "" }, change: { from: "a", to: "" } },
    selector: {
      ...text({ emptyMatters: true }, selectors),
      leftOut: { value: "" },
      change: { from: "a == b", to: "" },
    },
    bindType: {
      ...word(["role", "policy", "management"], 'must be "role", "policy" or "management"'),
      traits: { replacesTo: "management" },
      // Management takes no bindName: a test of its own covers it.
      accepts: ["role", "policy"],
    },
    bindName: {
      leftOut: { fails: 'is required when bindType is "role"' },
      accepts: ["a", "team-${value.team}", "$${value.team}-}$", '${value.a == "x" ? value.a : "b-${value.b}"}'],
      refuses: [["", notEmpty], ...templates, [1, wrongType("string", "number")]],
      same: [["a", "a"]],
      change: { from: "a", to: "b" },
    },
    adopt,
  },
  valid: () =>
    fc
      .tuple(
        target,
        fc.record({ authMethod: some.textOf(`${some.letters}-`, 128), description: some.optional(some.text), adopt: some.adopt }),
      )
      .map(([bind, rest]) => ({ ...bind, ...rest })),
  inputs: rule(),
  change: { description: "new" },
  create: "/v1/acl/binding-rule",
  prepare: ({ simulator }) => void simulator.cluster.methods.put({ Name: "sso" }),
  objects: ({ cluster }) => cluster.rules.list().map(({ ID }) => ({ id: ID })),
  rows: ({ cluster }) => cluster.rules.list(),
  stored: ({ cluster }, id) => content(cluster.rules.get(id)),
  edit: ({ cluster }, id, change) => cluster.rules.put({ ...change, ID: id }),
  remove: ({ cluster }, id) => cluster.rules.delete(id),
  twin: ({ cluster }) => cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "dev" }).ID,
  properties,
  changes: [
    ["description", "new"],
    ["selector", "new in list.groups"],
  ],
  faults: {
    inputs: rule(),
    change: { description: "new" },
    replacement: { authMethod: "other" },
    prepare: ({ simulator }) => {
      for (const Name of ["sso", "other"]) simulator.cluster.methods.put({ Name });
    },
    drift: ({ cluster }) => {
      for (const { ID, AuthMethod } of cluster.rules.list()) if (AuthMethod === "sso") cluster.rules.put({ ID, Selector: '"a" in list.b' });
    },
    theirs: ({ cluster }) => void cluster.rules.put({ AuthMethod: "sso", Selector: "", BindType: "role", BindName: "dev" }),
  },
};
