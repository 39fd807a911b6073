/** What holds for pictures of all formats, whatever the names are. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { exampleModel, modelOf } from "../../test/support/access-example";
import { hostileMarkup as hostile } from "../../test/support/hostile-texts";
import { cases } from "../../test/support/seed";
import { elementsIn, parseXml } from "../../test/support/xml";
import { accessModel } from "../access/read-model";
import { printable } from "../table";
import { dotOf } from "./dot";
import { htmlOf } from "./html";
import { mermaidOf } from "./mermaid";
import { modelIn } from "./page-data";
import { pictureOf } from "./picture";
import { svgOf } from "./svg";

const models = fc
  .record({
    methods: fc.array(hostile, { maxLength: 3 }),
    roles: fc.array(fc.record({ name: hostile, policies: fc.array(hostile, { maxLength: 3 }) }), { maxLength: 3 }),
    rules: fc.array(
      fc.record({
        authMethod: hostile,
        description: hostile,
        selector: hostile,
        bindType: fc.constantFrom("role", "policy", "management"),
        bindName: hostile,
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ methods, roles, rules }) => {
    const method = (name: string) => ({ name, type: "OIDC", tokenLocality: "local", config: { claimMappings: { [name]: name } } });
    const once = <T extends { name: string }>(items: T[]) => [...new Map(items.map((item) => [item.name, item])).values()];
    const of = rules.map((rule, place) => ({ ...rule, authMethod: methods[place] ?? rule.authMethod }));
    return modelOf({ format: 1, objects: { AclAuthMethod: once(methods.map(method)), AclRole: once(roles), AclBindingRule: of } });
  });

const shown = (text: string) => printable(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");

test("SVG is well-formed, and has a title with the whole text of each object, which the keyboard reaches", () => {
  fc.assert(
    fc.property(models, fc.boolean(), (model, isFile) => {
      const picture = pictureOf(model);
      const svg = parseXml(svgOf(picture, { isFile }));
      const nodes = elementsIn(svg, "g").filter(({ attributes }) => attributes.class?.startsWith("node "));
      expect(nodes.map(({ children: [title] }) => title?.text)).toEqual(picture.nodes.map(({ description }) => shown(description)));
      expect(nodes.every(({ attributes: { role, tabindex } }) => role === "img" && tabindex === "0")).toBe(true);
      expect(elementsIn(svg, "script")).toEqual([]);
    }),
    cases({ numRuns: 200 }),
  );
});

test("in Graphviz's language each object and each line between two is one statement", () => {
  const quoted = /"(?:[^"\\]|\\[\s\S])*"/g;
  fc.assert(
    fc.property(models, (model) => {
      const picture = pictureOf(model);
      const lines = dotOf(picture).split("\n");
      // Without its texts, nothing is left of a name.
      const bare = lines.map((line) => line.replace(quoted, '""'));
      for (const line of bare) expect(line).toMatch(/^(digraph access \{|\}| {2}\w+( -> n\d+)?( \[[\w=", ]*\])?)$/);
      expect(bare.filter((line) => /^ {2}n\d+ \[/.test(line))).toHaveLength(picture.nodes.length);
      expect(bare.filter((line) => /^ {2}n\d+ -> n\d+/.test(line))).toHaveLength(picture.edges.length);
    }),
    cases({ numRuns: 200 }),
  );
});

test("in Mermaid each object is one label of letters, digits, codes of characters and line breaks", () => {
  fc.assert(
    fc.property(models, (model) => {
      const picture = pictureOf(model);
      const label = /"(?:[\p{L}\p{N} ]|#\d+;|<br\/>)*"/gu;
      const bare = mermaidOf(picture)
        .split("\n")
        .map((line) => line.replace(label, '""'));
      const statements =
        /^(flowchart LR| {2}(n|note)\d+[[({]{1,2}""[\])}]{1,2}| {2}n\d+ (==>|-\.->|-->) n\d+| {2}classDef \w+ [\w#:,-]+| {2}class [n\d,]+ \w+)$/;
      for (const line of bare) expect(line).toMatch(statements);
    }),
    cases({ numRuns: 200 }),
  );
});

test("a page has two scripts, of which one is data: the same model; and a policy that knows its script and style alone", () => {
  fc.assert(
    fc.property(models, (model) => {
      const page = htmlOf(model);
      const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script/gi)].map(([, kind = "", text = ""]) => ({ kind, text }));
      expect(scripts.map(({ kind }) => kind)).toEqual([' type="application/json" id="data"', ""]);
      expect(modelIn(JSON.parse(scripts[0]?.text ?? ""))).toEqual(JSON.parse(JSON.stringify(model), revived(model)));
      const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
      const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
      const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
      expect(policy.split("; ")).toEqual([
        "default-src 'none'",
        `script-src ${hash(scripts[1]?.text ?? "")}`,
        `style-src ${hash(style)}`,
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      expect(page.replace(/<script>[\s\S]*$/, "")).not.toMatch(/\s(href|src|action|style|on\w+)=|url\((?!#)|@import/i);
    }),
    cases({ numRuns: 30 }),
  );
});

/** JSON has no maps. */
const revived = (model: { labels: ReadonlyMap<string, string> }) => (key: string, value: unknown) =>
  key === "labels" ? model.labels : value;

test("the same objects give the same bytes in every format", () => {
  const [one, other] = [exampleModel(), exampleModel()];
  for (const draw of [mermaidOf, dotOf]) expect(draw(pictureOf(one))).toBe(draw(pictureOf(other)));
  expect(svgOf(pictureOf(one), { isFile: true })).toBe(svgOf(pictureOf(other), { isFile: true }));
  expect(htmlOf(one)).toBe(htmlOf(other));
});

test("a picture of nothing says so", () => {
  const nothing = accessModel({ source: "export.json", objects: [], gaps: [] });
  expect(svgOf(pictureOf(nothing), { isFile: true })).toContain("There are no auth methods, binding rules and roles.");
  expect(mermaidOf(pictureOf(nothing))).toMatch(/^flowchart LR\n/);
  expect(htmlOf(nothing)).toContain("There are no auth methods, binding rules and roles.");
});
