/** Properties of pictures in all formats, with any names. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { exampleModel, modelOf } from "../../test/support/access-example";
import { sizeOf } from "../../test/support/extent";
import { hostileMarkup as hostile } from "../../test/support/hostile-texts";
import { cases } from "../../test/support/seed";
import { elementsIn, parseXml } from "../../test/support/xml";
import { codeSpan, markdown, mermaidLabel, plainText } from "../access/markup";
import { toAccessModel } from "../access/read-model";
import { printable } from "../table";
import { toDot } from "./dot";
import { dotText, scriptJson, xmlText } from "./escape";
import { toHtml } from "./html";
import { toMermaid } from "./mermaid";
import { modelIn } from "./page-data";
import { palettes } from "./palette";
import { toPicture } from "./picture";
import { toSvg } from "./svg";

const policyOf = ({ name, namespace }: { name: string; namespace: string }) => ({
  name,
  rules: JSON.stringify({ namespace: { [namespace]: { policy: "read" } } }),
  jobAcl: { namespace },
});
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
    policies: fc.array(fc.record({ name: hostile, namespace: hostile }), { maxLength: 3 }),
  })
  .map(({ methods, roles, rules, policies }) => {
    const method = (name: string) => ({ name, type: "OIDC", tokenLocality: "local", config: { claimMappings: { [name]: name } } });
    const once = <T extends { name: string }>(items: T[]) => [...new Map(items.map((item) => [item.name, item])).values()];
    const of = rules.map((rule, place) => ({ ...rule, authMethod: methods[place] ?? rule.authMethod }));
    return modelOf({
      format: 1,
      objects: {
        AclAuthMethod: once(methods.map(method)),
        AclRole: once(roles),
        AclBindingRule: of,
        AclPolicy: once(policies.map(policyOf)),
      },
    });
  });

const shown = (text: string) => printable(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");

test("SVG is well-formed, and has a title with the whole text of each object, which the keyboard reaches", () => {
  fc.assert(
    fc.property(models, fc.boolean(), (model, isFile) => {
      const picture = toPicture(model, { hasRights: true });
      const svg = parseXml(toSvg(picture, { isFile }));
      const nodes = elementsIn(svg, "g").filter(({ attributes }) => attributes.class?.startsWith("node "));
      expect(nodes.map(({ children: [title] }) => title?.text)).toEqual(picture.nodes.map(({ description }) => shown(description)));
      expect(nodes.every(({ attributes: { role, tabindex } }) => role === "img" && tabindex === "0")).toBe(true);
      expect(elementsIn(svg, "script")).toEqual([]);
    }),
    cases({ numRuns: sizeOf({ quick: 60, full: 200 }) }),
  );
});

test("in DOT each object and each line between two is one statement", () => {
  const quoted = /"(?:[^"\\]|\\[\s\S])*"/g;
  fc.assert(
    fc.property(models, (model) => {
      const picture = toPicture(model, { hasRights: true });
      const lines = toDot(picture).split("\n");
      // Names appear in texts only.
      const bare = lines.map((line) => line.replace(quoted, '""'));
      for (const line of bare) expect(line).toMatch(/^(digraph access \{|\}| {2}\w+( -> n\d+)?( \[[\w=", ]*\])?)$/);
      expect(bare.filter((line) => /^ {2}n\d+ \[/.test(line))).toHaveLength(picture.nodes.length);
      expect(bare.filter((line) => /^ {2}n\d+ -> n\d+/.test(line))).toHaveLength(picture.edges.length);
    }),
    cases({ numRuns: sizeOf({ quick: 60, full: 200 }) }),
  );
});

test("in Mermaid each object is one label of letters, digits, spaces, codes of characters and line breaks", () => {
  fc.assert(
    fc.property(models, (model) => {
      const picture = toPicture(model, { hasRights: true });
      const label = /"(?:[\p{L}\p{N} ]|#\d+;|<br\/>)*"/gu;
      const bare = toMermaid(picture)
        .split("\n")
        .map((line) => line.replace(label, '""'));
      const statements =
        /^(flowchart LR| {2}(n|note)\d+[[({]{1,2}""[\])}]{1,2}| {2}n\d+ (==>|-\.->|-->) n\d+| {2}classDef \w+ [\w#:,-]+| {2}class [n\d,]+ \w+)$/;
      for (const line of bare) expect(line).toMatch(statements);
    }),
    cases({ numRuns: sizeOf({ quick: 60, full: 200 }) }),
  );
});

test("a page has one script and the model as data, and its policy allows only that script and its style", () => {
  fc.assert(
    fc.property(models, (model) => {
      const page = toHtml(model);
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

/** A reviver for `JSON.parse` that puts the map of the labels back, because JSON has no maps. */
const revived = (model: { labels: ReadonlyMap<string, string> }) => (key: string, value: unknown) =>
  key === "labels" ? model.labels : value;

test("the same objects give the same bytes in every format", () => {
  const [one, other] = [exampleModel(), exampleModel()];
  for (const draw of [toMermaid, toDot]) expect(draw(toPicture(one))).toBe(draw(toPicture(other)));
  expect(toSvg(toPicture(one), { isFile: true })).toBe(toSvg(toPicture(other), { isFile: true }));
  expect(toHtml(one)).toBe(toHtml(other));
});

test("a picture of nothing says so", () => {
  const nothing = toAccessModel({ source: "export.json", objects: [], gaps: [] });
  expect(toSvg(toPicture(nothing), { isFile: true })).toContain("There are no auth methods, binding rules or roles.");
  expect(toMermaid(toPicture(nothing))).toMatch(/^flowchart LR\n/);
  expect(toHtml(nothing)).toContain("There are no auth methods, binding rules or roles.");
});

describe("texts of servers", () => {
  /** The lines of a DOT text, as Graphviz reads it; undefined for anything but a single text. */
  function dotLines(written: string): string[] | undefined {
    if (!/^"(?:[^"\\]|\\[\s\S])*"$/.test(written)) return undefined;
    const meanings = new Map([["\\n", "\n"]]);
    const read = written.slice(1, -1).replace(/\\([\s\S])/g, (pair, character: string) => meanings.get(pair) ?? character);
    if (/&(?!amp;)/.test(read)) return undefined;
    return read.replaceAll("&amp;", "&").split("\n");
  }

  test("any text is only a text or an attribute in XML and HTML", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { children, ...element } = parseXml(`<a b="${xmlText(text)}">${xmlText(text)}</a>`);
        const shown = printable(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");
        expect({ children, ...element }).toEqual({ name: "a", attributes: { b: shown }, text: shown, children: [] });
      }),
      cases({ numRuns: sizeOf({ quick: 500, full: 2_000 }) }),
    );
  });

  test("any texts are the lines of one text in DOT", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (lines) => {
        expect(dotLines(dotText(...lines))).toEqual(lines.map(printable));
      }),
      cases({ numRuns: sizeOf({ quick: 500, full: 2_000 }) }),
    );
  });

  test("any JSON is the same JSON in a script, has only printable characters, and does not end the script", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.array(hostile, { maxLength: 3 }), { maxKeys: 3 }), (value) => {
        const written = scriptJson(value);
        expect(written).not.toMatch(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      cases({ numRuns: sizeOf({ quick: 500, full: 2_000 }) }),
    );
  });
});

describe("texts of servers in sentences and Mermaid", () => {
  /** The content of a code span as CommonMark reads it; undefined for anything but a single code span. */
  function spanIn(text: string): string | undefined {
    const [quotes = ""] = /^`+/.exec(text) ?? [];
    const runs = [...text.matchAll(/`+/g)].filter(({ 0: run }) => run.length === quotes.length);
    const end = runs[1]?.index;
    if (quotes === "" || end === undefined || end + quotes.length !== text.length) return undefined;
    const inner = text.slice(quotes.length, end);
    return /^ .*[^ ].* $/s.test(inner) ? inner.slice(1, -1) : inner;
  }

  test("any text is one code span on one line in Markdown, with nothing but the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = codeSpan(text);
        expect(span).not.toMatch(/[\n\r]/);
        const shown = printable(text);
        expect(spanIn(span)).toBe(shown === "" ? " " : shown);
        expect(markdown(["a ", { code: text }, " b"])).toBe(`a ${span} b`);
        expect(plainText(["a ", { code: text }, " b"])).toMatch(/^a `[^`\p{Cc}\p{Zl}\p{Zp}]*` b$/u);
      }),
      cases({ numRuns: sizeOf({ quick: 500, full: 2_000 }) }),
    );
  });

  test("any texts are the lines of one label in Mermaid", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (lines) => {
        const whole = mermaidLabel(...lines).slice(1, -1);
        const each = lines.map((line) => mermaidLabel(line).slice(1, -1));
        expect(whole.split("<br/>").map((line) => line || " ")).toEqual(each);
      }),
      cases(),
    );
  });

  test("any text is a Mermaid label of letters, digits, spaces and character codes that mean the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const label = mermaidLabel(text);
        expect(label).toMatch(/^"(?:[\p{L}\p{N} ]|#\d+;)+"$/u);
        const meant = label.slice(1, -1).replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
        expect(meant).toBe(printable(text) || " ");
      }),
      cases({ numRuns: sizeOf({ quick: 500, full: 2_000 }) }),
    );
  });
});

describe("colours", () => {
  /** The relative luminance of a colour, as WCAG 2.2 defines it. */
  function luminance(colour: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  /** The contrast of two colours, as WCAG 2.2 defines it. */
  function contrast(one: string, other: string): number {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  describe.each(Object.entries(palettes))("the %s colours", (_, palette) => {
    const { method, rule, role, policy, rights, management } = palette;
    const areas = [method, rule, role, policy, rights].map(({ area }) => area);

    it.each(Object.entries({ method, rule, role, policy, rights, management }))(
      "have readable texts of %s (4.5:1)",
      (_name, { text, area }) => {
        expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
      },
    );

    it("have readable texts of the page, of marks and of hints on every background (4.5:1)", () => {
      for (const area of [palette.page, palette.panel]) {
        for (const text of [palette.text, palette.muted, palette.alarm]) expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
      }
      for (const area of areas) {
        for (const text of [palette.alarm, palette.notice, palette.muted]) expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
      }
    });

    it("have visible borders, lines, focus and lights (3:1)", () => {
      const { page, panel, frame, line, focus, lit } = palette;
      for (const area of [page, panel]) for (const colour of [frame, line, focus]) expect(contrast(colour, area)).toBeGreaterThanOrEqual(3);
      for (const colour of [lit, management.border, method.border, role.border, policy.border, rule.border, rights.border]) {
        expect(contrast(colour, page)).toBeGreaterThanOrEqual(3);
      }
    });
  });
});
