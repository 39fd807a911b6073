// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import { exampleModel, largeExport, modelOf } from "../../test/support/access-example";
import { accessModel } from "../access/read-model";
import { pictureOf } from "./picture";
import { hasRole, narrowed } from "./selection";

type Drawn = ReturnType<typeof pictureOf>;

const marksOf = ({ nodes }: Drawn, title: string) =>
  nodes.find((node) => node.title === title)?.marks.map(({ kind, text }) => `${kind}: ${text}`);
const titlesOf = ({ nodes }: Drawn, kind: string) => nodes.filter((node) => node.kind === kind).map(({ title }) => title);
const linesOf = ({ nodes, edges }: Drawn) =>
  edges.map(({ from, to, computed, exists }) => {
    const kind = exists ? (computed ? "perhaps " : "") : "missing ";
    return `${nodes[from]?.title} -> ${kind}${nodes[to]?.title}`;
  });

test("methods lead to their rules, rules to what they give, and roles to their policies", () => {
  const picture = pictureOf(exampleModel());
  expect(titlesOf(picture, "method")).toEqual(["company-sso", "pipelines", "left-over"]);
  expect(linesOf(picture)).toEqual(
    expect.arrayContaining([
      "company-sso -> Engineers are developers",
      "Engineers are developers -> developers",
      "developers -> read-only",
      "Readers -> read-only",
      "Administrators -> management",
      "Each team has a role -> perhaps team-ops",
      "Former operators -> missing operators",
      "left-over -> missing Of a method that is gone",
    ]),
  );
  expect(linesOf(picture).filter((line) => line.startsWith("Branches of teams"))).toEqual([]);
});

test("what lets everybody in, does nothing, breaks logins, or leads to what is not there is marked", () => {
  const picture = pictureOf(exampleModel());
  expect(marksOf(picture, "Everybody but contractors")).toEqual(["alarm: matches every login", "notice: no claim is mapped to list.grups"]);
  expect(marksOf(picture, "Readers")).toEqual(["alarm: matches every login"]);
  expect(marksOf(picture, "Branches of teams")).toEqual(["alarm: its bind name breaks every login that it matches"]);
  expect(marksOf(picture, "operators")).toEqual(["notice: is not in export.json"]);
  expect(marksOf(picture, "left-over")).toEqual(["notice: is not in export.json"]);
  expect(marksOf(picture, "unused")).toEqual(["quiet: no rule here gives it"]);
  expect(marksOf(picture, "Engineers are developers")).toEqual([]);
  const rule = (selector: string) => ({ authMethod: "sso", description: selector, selector, bindType: "role", bindName: "gone" });
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: {} };
  const rules = [rule("value.x == y"), rule("value.x ==")];
  const odd = pictureOf(modelOf({ format: 1, objects: { AclAuthMethod: [method], AclBindingRule: rules } }));
  expect(marksOf(odd, "value.x == y")).toEqual(["notice: matches no login", "notice: no claim is mapped to value.x"]);
  expect(marksOf(odd, "value.x ==")).toEqual(["notice: matches no login: servers can't read the selector"]);
});

test("what a cluster does not have does not exist, and what nobody knows is said to be unknown", () => {
  const rule = { authMethod: "half", selector: "a in list.b", bindType: "role", bindName: "gone" };
  const object = (kind: string, outputs: Record<string, unknown>) => ({ kind, id: kind, name: kind, inputs: {}, outputs });
  const half = { name: "half", type: "JWT", tokenLocality: "local", config: { claimMappings: "[secret]" } };
  const objects = [object("AclAuthMethod", half), object("AclBindingRule", rule)];
  const unread = object("AclBindingRule", { ...rule, selector: "[secret]", description: "Unread" });
  const model = accessModel({ source: "cluster", objects: [...objects, { ...unread, id: "2" }], gaps: [] }, { policies: [] });
  const picture = pictureOf(model);
  expect(marksOf(picture, "gone")).toEqual(["alarm: does not exist"]);
  expect(marksOf(picture, "half")).toEqual(["notice: config.claimMappings is a secret, or not known before an update"]);
  expect(picture.notes).toEqual([
    'Not drawn, because a part is a secret, or is not known before an update: binding rule "Unread" (selector).',
  ]);
});

test("each object says in words what it is and what it leads to", () => {
  const { nodes } = pictureOf(exampleModel());
  expect(nodes.map(({ description }) => description)).toEqual(
    expect.arrayContaining([
      "auth method company-sso: OIDC, global tokens for 8h; the default method",
      "binding rule Engineers are developers: selector: engineering in list.groups; gives logins of company-sso role developers",
      "role developers: has the policies deploy-development, read-only",
      "management: may do everything",
    ]),
  );
});

test("a part of the picture: one method with all that its logins may get, or all that leads to one role", () => {
  const model = exampleModel();
  const pipelines = pictureOf(narrowed(model, { method: "pipelines" }), { isBound: true });
  expect(pipelines.nodes.map(({ title }) => title)).toEqual([
    "pipelines",
    "Branches of teams",
    "The main branch deploys",
    "deployers",
    "deploy-production",
    "read-only",
  ]);
  const ops = pictureOf(narrowed(model, { role: "team-ops" }), { role: "team-ops" });
  expect(ops.nodes.map(({ title }) => title)).toEqual(["company-sso", "Each team has a role", "team-ops", "operate"]);
  expect([hasRole(model, "operators"), hasRole(model, "team-ops"), hasRole(model, "nobody")]).toEqual([true, true, false]);
});

test("nothing is missing of objects of which a part is a secret: lines to and from them are those of what is there", () => {
  const hidden = modelOf({
    format: 1,
    objects: {
      AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: "[secret]" } }],
      AclRole: [{ name: "deployers", policies: "[secret]" }],
      AclBindingRule: [{ authMethod: "sso", bindType: "role", bindName: "deployers", selector: "" }],
    },
  });
  const { edges } = pictureOf(hidden);
  expect(edges.map(({ exists }) => exists)).toEqual([true, true]);
});

test("a bind name that may become very many names is one object", () => {
  const model = modelOf(largeExport({ methods: 2, roles: 100, rules: 4 }));
  const picture = pictureOf(narrowed(model, { method: "method-0" }), { isBound: true });
  const group = picture.nodes.find(({ title }) => title === "role-${value.team}");
  expect(group?.details).toEqual(["one of 100 roles, by the claims"]);
  expect(linesOf(picture)).toContain("Rule 0 -> perhaps role-${value.team}");
  expect(titlesOf(picture, "role")).toEqual(["role-74", "role-${value.team}"]);
  expect(marksOf(pictureOf(model), "role-99")).toEqual([]);
});
