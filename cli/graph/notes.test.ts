// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/** Notes of a picture on objects that it does not draw, because a part of them is hidden. */
import { modelOf } from "../../test/support/access-example";
import { elementsIn, parseXml } from "../../test/support/xml";
import { toPicture } from "./picture";
import { narrowed } from "./selection";
import { toSvg } from "./svg";

test("a part of the picture names a partly secret role that a computed name, or the question, leads to", () => {
  const model = modelOf({
    format: 1,
    objects: {
      AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: { team: "team" } } }],
      AclRole: [
        { name: "team-a", policies: ["p"] },
        { name: "team-x", policies: "[secret]" },
        { name: "other", policies: "[secret]" },
      ],
      AclBindingRule: [{ authMethod: "sso", bindType: "role", bindName: "team-${value.team}", selector: "" }],
    },
  });
  const hidden = (...names: string[]) =>
    `Not drawn, because a part is secret, or unknown before an update: ${names.map((name) => `role "${name}" (policies)`).join(", ")}.`;
  expect(toPicture(narrowed(model, { method: "sso" }), { isBound: true }).notes).toContain(hidden("team-x"));
  const notesFor = (role: string) => toPicture(narrowed(model, { role }), { role }).notes;
  expect(notesFor("other")).toContain(hidden("other"));
  expect(notesFor("team-a")).not.toContainEqual(expect.stringMatching(/^Not drawn/));
});

test("a note names a policy with a secret name that a computed name may lead to", () => {
  const model = (bindName: string) =>
    modelOf({
      format: 1,
      objects: {
        AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: { team: "team" } } }],
        AclBindingRule: [{ authMethod: "sso", bindType: "policy", bindName, selector: "" }],
        AclPolicy: [{ name: "[secret]", rules: "", id: "x" }],
      },
    });
  const said = 'Not drawn, because a part is secret, or unknown before an update: policy "x" (name).';
  expect(toPicture(model("p-${value.team}")).notes).toContain(said);
  expect(toPicture(model("p")).notes).not.toContain(said);
});

test("an SVG shows its title and its notes as a whole", () => {
  const names = Array.from({ length: 8 }, (_, index) => `Administrators of the database cluster number ${index}`);
  const rules = names.map((description) => ({ authMethod: "sso", bindType: "management", selector: "[secret]", description }));
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: {} };
  const role = "operators-of-the-production-database";
  const model = modelOf({ format: 1, objects: { AclAuthMethod: [method], AclBindingRule: rules } });
  const picture = toPicture({ ...model, part: `the role ${role}` });
  const svg = parseXml(toSvg(picture, { isFile: true }));
  const shown = (style: string) =>
    elementsIn(svg, "text")
      .flatMap(({ attributes, text }) => (attributes.class === style ? [text] : []))
      .join(" ");
  for (const name of names) expect(shown("note")).toContain(name);
  expect(shown("name")).toContain(role);
});

test("an SVG shows the whole job of a policy", () => {
  const jobAcl = { namespace: "databases", jobId: "schema", group: "migrations", task: "run-all-migrations" };
  const model = modelOf({ format: 1, objects: { AclPolicy: [{ name: "p", rules: 'node { policy = "read" }', jobAcl }] } });
  const svg = parseXml(toSvg(toPicture(model, { hasRights: true }), { isFile: true }));
  const shown = elementsIn(svg, "text").flatMap(({ attributes, text }) => (attributes.class === "detail" ? [text] : []));
  expect(shown.join(" ")).toContain(
    "tasks of the task run-all-migrations of the group migrations of the job schema of the namespace databases",
  );
});
