// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
import fc from "fast-check";
import type { Claims } from "../../access/claims";
import { exampleModel, largeExport, modelOf } from "../../test/support/access-example";
import { cases } from "../../test/support/seed";
import { explain } from "../access/explain";
import type { AccessModel } from "../access/model";
import { toAccessModel } from "../access/read-model";
import { printable } from "../table";
import { arranged } from "./boxes";
import { type Box, type Layout, type Line, layoutOf } from "./layout";
import { edgeKey, lightsOf } from "./lights";
import { toPicture } from "./picture";
import { hasRole, narrowed } from "./selection";
import { widthOf, wrapped } from "./text";

type Drawn = ReturnType<typeof toPicture>;

const marksOf = ({ nodes }: Drawn, title: string) =>
  nodes.find((node) => node.title === title)?.marks.map(({ kind, text }) => `${kind}: ${text}`);
const titlesOf = ({ nodes }: Drawn, kind: string) => nodes.filter((node) => node.kind === kind).map(({ title }) => title);
const linesOf = ({ nodes, edges }: Drawn) =>
  edges.map(({ from, to, computed, exists }) => {
    const kind = exists ? (computed ? "perhaps " : "") : "missing ";
    return `${nodes[from]?.title} -> ${kind}${nodes[to]?.title}`;
  });

test("methods lead to their rules, rules to roles, policies and management, and roles to their policies", () => {
  const picture = toPicture(exampleModel());
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

test("the notes name objects that could not be read, and partly hidden objects that no rule leads to", () => {
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: "[secret]" };
  const roles = [
    { name: "given", policies: "[secret]" },
    { name: "left", policies: "[secret]" },
    ...[1, 2].map(() => ({ name: "two", policies: [] })),
  ];
  const rule = { authMethod: "elsewhere", bindType: "role", bindName: "given" };
  const exported = { format: 1, objects: { AclAuthMethod: [method], AclRole: roles, AclBindingRule: [rule] } };
  const model = modelOf(exported);
  expect(toPicture(model).notes).toEqual([
    'Not drawn, because a part is secret, or unknown before an update: auth method "sso" (config), role "left" (policies), role "two" (name, which another one has, too).',
    "Tokens are not drawn: one made without a login has its own roles and policies.",
    "Only objects of export.json are shown; the cluster may have more.",
  ]);
  expect(toPicture(model, { role: "given" }).notes).toHaveLength(2);
  const incomplete = toPicture({ ...modelOf({ format: 1, objects: { AclRole: [{ name: "dev", policies: [] }] } }), hasGaps: true });
  expect(incomplete.notes[0]).toBe("Not all of export.json could be read: what is missing is not drawn.");
  expect(incomplete.notes[1]).toBe("Not looked at: AclAuthMethod, AclBindingRule (export.json has none).");
  expect(marksOf(incomplete, "dev")).toEqual(["quiet: no rule here gives it, as far as that is known"]);
});

test("rules that let everybody in, do nothing, break logins, or lead to missing objects are marked", () => {
  const picture = toPicture(exampleModel());
  expect(marksOf(picture, "Everybody but contractors")).toEqual(["alarm: matches every login", "notice: no claim is mapped to list.grups"]);
  expect(marksOf(picture, "Readers")).toEqual(["alarm: matches every login"]);
  expect(marksOf(picture, "Branches of teams")).toEqual(["alarm: its bind name breaks every login that it matches"]);
  expect(marksOf(picture, "operators")).toEqual(["notice: is not in export.json"]);
  expect(marksOf(picture, "left-over")).toEqual(["notice: is not in export.json"]);
  expect(marksOf(picture, "unused")).toEqual(["quiet: no rule here gives it"]);
  expect(marksOf(picture, "Engineers are developers")).toEqual([]);
  const rule = (selector: string) => ({ authMethod: "sso", description: selector, selector, bindType: "role", bindName: "gone" });
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: {} };
  const rules = [rule("value.x == y"), rule("value.x =="), { ...rule("value.x == y or value.x != y"), authMethod: "elsewhere" }];
  const odd = toPicture(modelOf({ format: 1, objects: { AclAuthMethod: [method], AclBindingRule: rules } }));
  expect(marksOf(odd, "value.x == y or value.x != y")).toEqual(["alarm: matches every login"]);
  expect(marksOf(odd, "value.x == y")).toEqual(["notice: matches no login", "notice: no claim is mapped to value.x"]);
  expect(marksOf(odd, "value.x ==")).toEqual(["notice: matches no login: servers can't read the selector"]);
});

test("an object that a cluster lacks does not exist, and an unknown one is called unknown", () => {
  const rule = { authMethod: "half", selector: "a in list.b", bindType: "role", bindName: "gone" };
  const object = (kind: string, outputs: Record<string, unknown>) => ({ kind, id: kind, name: kind, inputs: {}, outputs });
  const half = { name: "half", type: "JWT", tokenLocality: "local", config: { claimMappings: "[secret]" } };
  const objects = [object("AclAuthMethod", half), object("AclBindingRule", rule)];
  const unread = object("AclBindingRule", { ...rule, selector: "[secret]", description: "Unread" });
  const model = toAccessModel({ source: "cluster", objects: [...objects, { ...unread, id: "2" }], gaps: [] }, { policies: [] });
  const picture = toPicture(model);
  expect(marksOf(picture, "gone")).toEqual(["alarm: does not exist"]);
  expect(marksOf(picture, "half")).toEqual(["notice: config.claimMappings is secret, or unknown before an update"]);
  expect(picture.notes).toEqual([
    'Not drawn, because a part is secret, or unknown before an update: binding rule "Unread" (selector).',
    "Tokens are not drawn: one made without a login has its own roles and policies.",
  ]);
});

test.each([
  [{ bindName: "[secret]" }, true],
  [{ bindType: "[secret]" }, true],
  [{ bindName: "${value.team}", selector: "[secret]" }, true],
  [{ bindName: "developers", selector: "[secret]" }, false],
  [{ bindType: "policy", bindName: "[secret]" }, false],
])("a role without a rule has none `as far as that is known` if a partly hidden rule may give it: %j", (part, may) => {
  const rule = { authMethod: "sso", selector: "a in list.b", bindType: "role", bindName: "dev", ...part };
  const method = { name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: { team: "team" } } };
  const role = { name: "dev", policies: ["read"] };
  const picture = toPicture(modelOf({ format: 1, objects: { AclAuthMethod: [method], AclRole: [role], AclBindingRule: [rule] } }));
  expect(marksOf(picture, "dev")).toEqual([`quiet: no rule here gives it${may ? ", as far as that is known" : ""}`]);
});

test("each object has a description of itself and of the objects it leads to", () => {
  const { nodes } = toPicture(exampleModel());
  expect(nodes.map(({ description }) => description)).toEqual(
    expect.arrayContaining([
      "auth method company-sso: OIDC, global tokens for 8h; the default method",
      "binding rule Engineers are developers: selector: engineering in list.groups; gives logins of company-sso role developers",
      "role developers: has the policies deploy-development, read-only",
      "management: may do everything",
    ]),
  );
});

test("a part of the picture: one method with all that its logins may get, or all paths to one role", () => {
  const model = exampleModel();
  const pipelines = toPicture(narrowed(model, { method: "pipelines" }), { isBound: true });
  expect(pipelines.nodes.map(({ title }) => title)).toEqual([
    "pipelines",
    "Branches of teams",
    "The main branch deploys",
    "deployers",
    "deploy-production",
    "read-only",
  ]);
  const ops = toPicture(narrowed(model, { role: "team-ops" }), { role: "team-ops" });
  expect(ops.nodes.map(({ title }) => title)).toEqual(["company-sso", "Each team has a role", "team-ops", "operate"]);
  expect([hasRole(model, "operators"), hasRole(model, "team-ops"), hasRole(model, "nobody")]).toEqual([true, true, false]);
});

test("partly secret objects exist, and so do their lines", () => {
  const hidden = modelOf({
    format: 1,
    objects: {
      AclAuthMethod: [{ name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: "[secret]" } }],
      AclRole: [{ name: "deployers", policies: "[secret]" }],
      AclBindingRule: [{ authMethod: "sso", bindType: "role", bindName: "deployers", selector: "" }],
    },
  });
  const { edges } = toPicture(hidden);
  expect(edges.map(({ exists }) => exists)).toEqual([true, true]);
});

test("a bind name that may become very many names is one object", () => {
  const model = modelOf(largeExport({ methods: 2, roles: 100, rules: 4 }));
  const picture = toPicture(narrowed(model, { method: "method-0" }), { isBound: true });
  const group = picture.nodes.find(({ title }) => title === "role-${value.team}");
  expect(group?.details).toEqual(["one of 100 roles, by the claims"]);
  expect(linesOf(picture)).toContain("Rule 0 -> perhaps role-${value.team}");
  expect(titlesOf(picture, "role")).toEqual(["role-74", "role-${value.team}"]);
  const note = "99 roles that claims may choose are not drawn, and their policies are not, either: `--role NAME` draws one.";
  expect([picture, toPicture(model)].map(({ notes }) => notes.includes(note))).toEqual([true, false]);
  expect(marksOf(toPicture(model), "role-99")).toEqual([]);
});

describe("the path of a login", () => {
  const explained = (model: AccessModel, method: string, claims: Claims) => explain(model, method, { claims, isToken: false }, new Date());

  const model = exampleModel();
  const { nodes, edges } = toPicture(model);
  const drawn = new Set(nodes.map(({ key }) => key));
  const lines = new Set(edges.map(({ from, to }) => edgeKey(nodes[from]?.key ?? "", nodes[to]?.key ?? "")));

  const lit = (claims: Claims, method = "company-sso") => {
    const lights = lightsOf(explained(model, method, claims));
    return [...lights.nodes].filter((key) => drawn.has(key)).map((key) => nodes.find((node) => node.key === key)?.title);
  };

  test("only the method, the matching rules, and their grants light up", () => {
    const rules = ["Engineers are developers", "Everybody but contractors", "Readers"];
    const given = ["auditors", "company-sso", "deploy-development", "developers", "read-only"];
    expect(lit({ groups: ["engineering"] }).sort()).toEqual([...rules, ...given]);
    // A management token has no roles.
    expect(lit({ groups: ["admins", "engineering"] }).sort()).toEqual(["Administrators", "company-sso", "management"]);
  });

  test("of a rule with a computed bind name, only the role that the claims select lights up", () => {
    const lights = lightsOf(explained(model, "company-sso", { team: "Web" }));
    expect([lights.nodes.has("role team-web"), lights.nodes.has("role team-ops")]).toEqual([true, false]);
    expect(lights.nodes.has("policy deploy-development")).toBe(true);
  });

  test("if a login fails, the rule that breaks it is marked, or else its method", () => {
    const failedAt = (claims: Claims, method?: string) => [...lightsOf(explained(model, method ?? "company-sso", claims)).failed];
    const broken = nodes.find(({ title }) => title === "Branches of teams")?.key;
    expect(failedAt({ ref: "dev" }, "pipelines")).toEqual([broken]);
    expect(failedAt({ ref: "other" }, "pipelines")).toEqual(["method pipelines"]);
    expect(failedAt({ groups: [{}] })).toEqual(["method company-sso"]);
  });

  test("a role named like a property of every JavaScript object lights up with its policies, even if the login fails", () => {
    const sso = { name: "sso", type: "JWT", tokenLocality: "local", config: {} };
    const rules = [
      { authMethod: "sso", bindType: "role", bindName: "constructor", selector: "" },
      { authMethod: "sso", bindType: "role", bindName: "not a name", selector: "" },
    ];
    const objects = { AclAuthMethod: [sso], AclRole: [{ name: "constructor", policies: ["build"] }], AclBindingRule: rules };
    const explanation = explained(modelOf({ format: 1, objects }), "sso", {});
    expect(explanation.login.ok).toBe(false);
    expect(lightsOf(explanation).nodes.has("policy build")).toBe(true);
  });

  test("with any claims, each lit line leads from one lit object to another, and is drawn exactly if both are", () => {
    const some = fc.constantFrom("engineering", "release-managers", "contractors", "admins", "operators", "ops", "web", "main");
    const claims = fc.record({
      groups: fc.subarray(["engineering", "release-managers", "contractors", "operators"]),
      team: some,
      department: some,
    });
    fc.assert(
      fc.property(claims, (given) => {
        const lights = lightsOf(explained(model, "company-sso", given));
        for (const edge of lights.edges) {
          const [from, to]: string[] = JSON.parse(edge);
          expect([lights.nodes.has(from ?? ""), lights.nodes.has(to ?? "")]).toEqual([true, true]);
          expect(lines.has(edge)).toBe(drawn.has(from ?? "") && drawn.has(to ?? ""));
        }
      }),
      cases(),
    );
  });
});

describe("the layout", () => {
  const gaps = { across: 50, down: 10 };

  const graphs = fc
    .array(fc.record({ column: fc.nat(3), height: fc.integer({ min: 1, max: 40 }).map((half) => half * 2) }), { maxLength: 30 })
    .map((found): Box[] => {
      // No column is empty, and the boxes of a column have equal widths.
      const used = [...new Set(found.map(({ column }) => column))].sort();
      return found.map(({ column, height }) => ({ column: used.indexOf(column), width: 100, height }));
    })
    .chain((boxes) => {
      const pairs = boxes.flatMap((from, a) => boxes.flatMap((to, b) => (from.column < to.column ? [{ from: a, to: b }] : [])));
      const lines: fc.Arbitrary<Line[]> = pairs.length === 0 ? fc.constant([]) : fc.subarray(pairs);
      return lines.map((chosen) => ({ boxes, lines: chosen }));
    });

  function rectangles(boxes: readonly Box[], { corners }: Layout) {
    return boxes.map(({ width, height }, place) => {
      const { x, y } = corners[place] ?? { x: 0, y: 0 };
      return { left: x, right: x + width, top: y, bottom: y + height };
    });
  }

  test("boxes never overlap, are within the picture, and have a gap between them", () => {
    fc.assert(
      fc.property(graphs, ({ boxes, lines }) => {
        const layout = layoutOf(boxes, lines, gaps);
        const all = rectangles(boxes, layout);
        for (const [place, one] of all.entries()) {
          expect(one.left >= 0 && one.top >= 0 && one.right <= layout.width && one.bottom <= layout.height).toBe(true);
          for (const other of all.slice(place + 1)) {
            // Middles are rounded.
            const isApart = one.bottom + gaps.down - 1 <= other.top || other.bottom + gaps.down - 1 <= one.top;
            expect(one.left !== other.left || isApart).toBe(true);
          }
        }
      }),
      cases(),
    );
  });

  test("lines lead from the right side of a box to the left side of the other, and never cross a box", () => {
    fc.assert(
      fc.property(graphs, ({ boxes, lines }) => {
        const layout = layoutOf(boxes, lines, gaps);
        const all = rectangles(boxes, layout);
        for (const [index, { from, to }] of lines.entries()) {
          const path = layout.paths[index] ?? [];
          const [start, end] = [path[0], path.at(-1)];
          expect([start?.x, end?.x]).toEqual([all[from]?.right, all[to]?.left]);
          const passages = path.slice(1, -1);
          const isFree = passages.every(({ x, y }) => all.every((box) => x < box.left || x > box.right || y <= box.top || y >= box.bottom));
          expect(isFree).toBe(true);
        }
      }),
      cases(),
    );
  });

  test("boxes change places where their lines would cross", () => {
    const box = (column: number) => ({ column, width: 100, height: 20 });
    const boxes = [box(0), box(0), box(1), box(1)];
    const crossed = [
      { from: 0, to: 3 },
      { from: 1, to: 2 },
    ];
    const { corners } = layoutOf(boxes, crossed, gaps);
    const y = corners.map((corner) => corner.y);
    expect([y[0], y[1]]).toEqual([y[3], y[2]]);
  });
});

describe("lines of text", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(..."aW ,.é中😀\u0301\u202e\n"), maxLength: 60 }),
  );
  const font = { size: 12, isCode: true };

  test("lines are never too wide, and never too many", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 40, max: 200 }), fc.integer({ min: 1, max: 4 }), (text, room, most) => {
        const lines = wrapped(text, font, room, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(widthOf(line, font)).toBeLessThanOrEqual(room);
      }),
      cases(),
    );
  });

  test("no part of a text is lost except for spaces at line breaks and text replaced by an ellipsis", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 40, max: 200 }), (text, room) => {
        const withoutSpaces = (shown: string) => shown.replaceAll(" ", "");
        expect(withoutSpaces(wrapped(text, font, room, 1_000).join(""))).toBe(withoutSpaces(printable(text)));
        const [line = ""] = wrapped(text, font, room, 1);
        const isWhole = widthOf(printable(text), font) <= room;
        expect(line).toEqual(isWhole ? printable(text) : expect.stringMatching(/…$/));
      }),
      // Spaces of other widths belong to a name.
      { ...cases(), examples: [["\u00a0\u2000\u00a0", 40]] },
    );
  });

  test("a text that just fits is one whole line", () => {
    const justFits = (text: string) => expect(wrapped(text, font, widthOf(printable(text), font), 1).join("")).toBe(printable(text));
    justFits("ꜢʹЀʹЀϢЀ");
    fc.assert(fc.property(texts, justFits), cases());
  });

  test("a text breaks after a space, and never before a combining mark", () => {
    expect(wrapped("engineering in list.groups", font, widthOf("engineering in li", font), 3)).toEqual(["engineering in", "list.groups"]);
    for (const line of wrapped("e\u0301".repeat(40), font, 60, 100)) expect(line).not.toMatch(/^\p{M}/u);
  });

  test("the ID of a rule without a description is one line", () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const picture = toPicture({ ...modelOf({ format: 1, objects: {} }), rules: [{ id, authMethod: "sso", bindType: "management" }] });
    const rule = arranged(picture).boxes.find(({ node }) => node.kind === "rule");
    expect(rule?.lines[0]?.text).toBe(id);
  });
});
