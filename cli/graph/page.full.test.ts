/** The page of `graph --format html` in a browser. Without a browser, the tests are skipped with a message. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import * as z from "zod";
import type { Claims } from "../../access/claims";
import { knownAsks } from "../../access/policy/allow";
import { exampleModel, largeExport, modelOf, rightsExport } from "../../test/support/access-example";
import { type BrowserPage, Chromium, whyWithoutChromium } from "../../test/support/chromium";
import { runCommand } from "../../test/support/commands";
import { hostileMarkup as hostile } from "../../test/support/hostile-texts";
import { explain } from "../access/explain";
import { headline } from "../access/explanation";
import type { AccessModel } from "../access/model";
import { toHtml } from "./html";
import { lightsOf } from "./lights";
import { toPicture } from "./picture";
import { toSvg } from "./svg";

let chromium: Chromium;
let folder: string;
const pages: BrowserPage[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-page-"));
  if (!whyWithoutChromium) chromium = Chromium.start();
});
afterAll(async () => {
  if (!whyWithoutChromium) await chromium.stop();
  rmSync(folder, { recursive: true });
});

/** Defines a test in the browser. No page may have an error, or send a request. */
function inBrowser(title: string, run: () => Promise<void>): void {
  test(title, async () => {
    if (whyWithoutChromium) return console.log(`Left out, because ${whyWithoutChromium}: ${title}`);
    pages.length = 0;
    await run();
    expect(pages.flatMap(({ problems, requests }) => [...problems, ...requests])).toEqual([]);
  });
}

async function opened(content: string, name = "page.html"): Promise<BrowserPage> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const page = await chromium.open(pathToFileURL(path).href);
  pages.push(page);
  return page;
}

const openedModel = (model: AccessModel) => opened(toHtml(model));

/** The full texts of the objects with a style, or with several. */
const titlesOf = (page: BrowserPage, style: string) =>
  page.evaluate(z.array(z.string()), `[...document.querySelectorAll(".node.${style} > title")].map((title) => title.textContent)`);
const textOf = (page: BrowserPage, selector: string) =>
  page.evaluate(z.string(), `document.querySelector(${JSON.stringify(selector)}).textContent.trim()`);
const focus = (page: BrowserPage, selector: string) => page.evaluate(z.unknown(), `document.querySelector("${selector}").focus()`);
const focused = (page: BrowserPage) => page.evaluate(z.string(), "document.activeElement.id");

async function typeClaims(page: BrowserPage, claims: string): Promise<void> {
  await focus(page, "#claims");
  await page.press("a", "Control");
  await page.type(claims);
}

inBrowser(
  "while the user types claims, the path of the login lights up as the evaluator decides, and the page says what the login gets",
  async () => {
    const model = exampleModel();
    const page = await openedModel(model);
    expect(await titlesOf(page, "lit")).toEqual([]);
    const { nodes } = toPicture(model);
    const tried: Claims[] = [
      { groups: ["engineering"] },
      { groups: ["release-managers"], department: "it", team: "Ops" },
      { groups: ["admins"] },
      { groups: ["operators"], team: "web" },
      { groups: [{}] },
      {},
    ];
    for (const claims of tried) {
      await typeClaims(page, JSON.stringify(claims));
      const explanation = explain(model, "company-sso", { claims, isToken: false }, new Date());
      const lights = lightsOf(explanation);
      const described = (keys: ReadonlySet<string>) => nodes.flatMap(({ key, description }) => (keys.has(key) ? [description] : []));
      expect((await titlesOf(page, "lit")).sort()).toEqual(described(lights.nodes).sort());
      expect(await titlesOf(page, "failed")).toEqual(described(lights.failed));
      const said = headline(explanation.method, explanation.login, explanation.undecided);
      expect(await textOf(page, "#outcome p")).toBe(said.charAt(0).toUpperCase() + said.slice(1));
    }
    expect(await textOf(page, "#reasons")).toContain("engineering in list.groups, but the login has no list.groups");
  },
);

inBrowser("a token is decoded, incomplete JSON is a quiet hint, and nothing stays lit", async () => {
  const page = await openedModel(exampleModel());
  const token = ["{}", JSON.stringify({ sub: "x", aud: "app", exp: Math.floor(Date.now() / 1000) + 300, groups: ["engineering"] }), "x"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
  await typeClaims(page, token);
  expect(await titlesOf(page, "lit")).toContainEqual(expect.stringMatching(/^role developers/));
  for (const [text, hint] of [
    ['{ "groups": [', "This is not JSON yet."],
    ["[1]", 'The field is JSON, but not an object of claims such as {"groups": ["engineering"]}.'],
    ["", ""],
  ] as const) {
    await typeClaims(page, text || " ");
    expect([await textOf(page, "#hint"), await textOf(page, "#result"), await titlesOf(page, "lit")]).toEqual([hint, "", []]);
  }
});

inBrowser("by keyboard alone: method, claims and every object of the picture are reachable, and the focus is visible", async () => {
  const page = await openedModel(exampleModel());
  await page.press("Tab");
  expect(await focused(page)).toBe("method");
  await page.press("ArrowDown");
  expect(await page.evaluate(z.string(), "document.activeElement.value")).toBe("pipelines");
  await page.press("Tab");
  expect(await focused(page)).toBe("alone");
  await page.press(" ");
  await page.press("Tab");
  expect(await focused(page)).toBe("rights");
  await page.press("Tab");
  expect(await focused(page)).toBe("claims");
  await page.type('{ "ref": "main", "project_path": "platform/web" }');
  expect(await titlesOf(page, "lit")).toContainEqual(expect.stringMatching(/^role deployers/));
  expect(await titlesOf(page, "method")).toEqual([expect.stringMatching(/^auth method pipelines/)]);
  await page.press("Tab");
  expect(await focused(page)).toBe("can");
  await page.press("Tab");
  const outline = (await page.evaluate(z.array(z.string()), strokes)).join(" ");
  expect(await textOf(page, ":focus > title")).toMatch(/^auth method pipelines/);
  const steps = [
    ["ArrowRight", /^binding rule /],
    ["ArrowDown", /^binding rule /],
    ["ArrowLeft", /^auth method pipelines/],
    ["ArrowDown", /^auth method pipelines/],
  ] as const;
  for (const [key, title] of steps) {
    await page.press(key);
    expect(await textOf(page, ":focus > title")).toMatch(title);
  }
  expect(await page.evaluate(z.number(), 'document.querySelectorAll(".edge.near").length')).toBe(2);
  await page.press("Tab", "Shift");
  expect(await focused(page)).toBe("can");
  expect((await page.evaluate(z.array(z.string()), strokes)).join(" ")).not.toBe(outline);
});

const strokes = '[...document.querySelectorAll(".box")].map((box) => getComputedStyle(box).stroke + getComputedStyle(box).strokeWidth)';

inBrowser("by keyboard alone: the column of rights unfolds and folds, and a right can be chosen", async () => {
  const page = await openedModel(modelOf(rightsExport));
  expect(await titlesOf(page, "rights")).toEqual([]);
  await focus(page, "#rights");
  await page.press(" ");
  expect(await titlesOf(page, "rights")).toContainEqual(
    expect.stringMatching(/^rights of policy deploy-production: namespace prod: submit jobs/),
  );
  await focus(page, "#can");
  for (let presses = 0; presses <= knownAsks.indexOf("variables:read"); presses++) await page.press("ArrowDown");
  expect(await page.evaluate(z.string(), "document.activeElement.value")).toBe("variables:read");
  expect(await textOf(page, "#missing")).toBe("Give the path of a variable.");
  await page.press("Tab");
  expect(await focused(page)).toBe("namespace");
  await page.press("a", "Control");
  await page.type("prod-*");
  expect([await textOf(page, "#missing"), await textOf(page, "#outcome")]).toEqual(['Give a name without "*".', ""]);
  await page.press("a", "Control");
  await page.type("prod");
  await page.press("Tab");
  expect(await focused(page)).toBe("path");
  await page.type("app/db");
  expect(await textOf(page, "#missing")).toBe("");
  expect(await textOf(page, "#outcome h2")).toBe("1 role may: variables:read of app/db in the namespace prod.");
  expect(await titlesOf(page, "rights.lit:not(.perhaps)")).toEqual([
    expect.stringMatching(/^rights of policy deploy-production/),
    expect.stringMatching(/^rights of policy database/),
  ]);
  expect(await titlesOf(page, "rights.lit.perhaps")).toEqual([expect.stringMatching(/^rights of policy operate/)]);
  await focus(page, "#rights");
  await page.press(" ");
  expect([await titlesOf(page, "rights"), await titlesOf(page, "role.lit:not(.perhaps)")]).toEqual([
    [],
    [expect.stringMatching(/^role deployers/)],
  ]);
  // Claims replace the question about a right.
  await typeClaims(page, '{ "groups": ["engineering"] }');
  expect(await page.evaluate(z.string(), 'document.querySelector("#can").value')).toBe("");
  expect(await titlesOf(page, "role.lit")).toEqual(["auditors", "developers"].map((name) => expect.stringMatching(`^role ${name}`)));
});

inBrowser("the page gives the answers of who --can", async () => {
  const source = join(folder, "export.json");
  writeFileSync(source, JSON.stringify(rightsExport));
  const page = await openedModel({ ...modelOf(rightsExport), source });
  const asked: Record<string, string>[] = [
    ...["default", "prod", "dev-web", "legacy", "*"].flatMap((namespace) =>
      ["submit-job", "read-job", "list-jobs", "csi-mount-volume"].map((can) => ({ can, namespace })),
    ),
    ...["app/db", "other"].flatMap((path) => ["variables:read", "variables:destroy"].map((can) => ({ can, namespace: "prod", path }))),
    ...["gpu", "other"].map((name) => ({ can: "node_pool:write", name })),
    ...["management", "node:read", "operator:snapshot-save", "plugin:list-csi"].map((can) => ({ can })),
  ];
  for (const question of asked) {
    await page.evaluate(z.unknown(), setFields(question));
    const args = Object.entries(question).flatMap(([name, value]) => [`--${name}`, value]);
    const { out } = await runCommand("who", "--export", source, "--json", ...args);
    const told = answer.parse(JSON.parse(out));
    const rules = told.ways.map(({ gives, right, label, method }) =>
      [gives, ...(right ? [`(${right.policies.join(", ")})`] : []), `by ${label} of ${method}: `].join(" "),
    );
    const shown = await page.evaluate(z.array(z.string()), ruleItems);
    expect([question, ...shown]).toEqual([question, ...rules]);
    // The other texts of the page are in the output of `who`.
    const words = (await runCommand("who", "--export", source, ...args)).out;
    const said = await page.evaluate(z.array(z.string()), otherTexts);
    for (const text of said) expect(words).toContain(text);
    expect(said).toHaveLength(told.others.length + (told.unknown.length > 0 ? 1 : 0) + (/csi-mount/.test(question.can ?? "") ? 1 : 0));
  }
});

const answer = z.object({
  ways: z.array(
    z.object({
      gives: z.string(),
      label: z.string(),
      method: z.string(),
      right: z.object({ policies: z.array(z.string()) }).optional(),
    }),
  ),
  others: z.array(z.unknown()),
  unknown: z.array(z.unknown()),
});
/** The rules of the answer, each with its grant. */
const ruleItems = `[...document.querySelectorAll("#reasons li")].filter((item) => item.querySelector("code")).map((item) => {
  const [what, ...texts] = item.childNodes;
  const [why] = item.querySelector(".why").childNodes;
  return [what.textContent + texts.filter((node) => node.nodeType === 3).map((node) => node.data).join(""), why.data].join(" ");
})`;
const otherTexts = `[...document.querySelectorAll("#reasons li, #reasons p")].filter((item) => !item.querySelector("strong")).map((item) => item.textContent)`;
const setFields = (values: Record<string, string>) => `for (const [id, value] of Object.entries(${JSON.stringify(values)})) {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
}`;

inBrowser("the page is light or dark, as the reader prefers, and so is the picture as a file", async () => {
  const model = exampleModel();
  for (const page of [await openedModel(model), await opened(toSvg(toPicture(model), { isFile: true }), "picture.svg")]) {
    const seen = [];
    for (const scheme of ["light", "dark"] as const) {
      await page.prefer(scheme);
      const colour = await page.evaluate(z.string(), 'getComputedStyle(document.querySelector("svg .page")).fill');
      seen.push({ colour, picture: (await page.screenshot()).toString("base64") });
    }
    expect(seen.map(({ colour }) => colour)).toEqual(["rgb(255, 255, 255)", "rgb(13, 17, 23)"]);
    expect(seen[0]?.picture).not.toBe(seen[1]?.picture);
  }
});

inBrowser("claims stay in the page, out of its address and of storage, and the page can't load or send anything", async () => {
  const page = await openedModel(exampleModel());
  const address = await page.evaluate(z.string(), "location.href");
  await typeClaims(page, '{ "groups": ["private"] }');
  const kept = "[location.href, document.cookie, Object.keys(localStorage).length + Object.keys(sessionStorage).length]";
  expect(await page.evaluate(z.array(z.unknown()), kept)).toEqual([address, "", 0]);
  const refused = `new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective));
    new Image().src = "https://example.com/private";
  })`;
  expect(await page.evaluate(z.string(), refused)).toBe("img-src");
  // The browser reports that it has refused the request.
  expect(page.problems.splice(0)).toEqual([expect.stringContaining("Content Security Policy")]);
  expect(page.requests.splice(0).filter((url) => !url.startsWith("https://example.com/private"))).toEqual([]);
});

inBrowser("with any names, no text is wider than its box, and texts are never markup", async () => {
  const names = fc.sample(hostile, { numRuns: 120, seed: 7 });
  const model = modelOf({
    format: 1,
    objects: {
      AclAuthMethod: names
        .slice(0, 20)
        .map((name, place) => ({ name: `${place}${name}`, type: "OIDC", tokenLocality: "local", config: {} })),
      AclRole: names.slice(20, 60).map((name, place) => ({ name: `${place}${name}`, policies: names.slice(place, place + 2) })),
      AclBindingRule: names.slice(60).map((name, place) => ({
        authMethod: `${place % 20}${names[place % 20]}`,
        description: name,
        selector: `"${name}" in list.groups`,
        bindType: "role",
        bindName: `${place % 40}${names[20 + (place % 40)]}`,
      })),
    },
  });
  const page = await openedModel(model);
  await page.evaluate(z.unknown(), 'document.querySelector("#alone").click()');
  const tooWide = `[...document.querySelectorAll(".node")].flatMap((node) => {
    const box = node.querySelector(".box").getBoundingClientRect();
    return [...node.querySelectorAll("text")].filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
    }).map((text) => text.textContent);
  })`;
  expect(await page.evaluate(z.array(z.string()), tooWide)).toEqual([]);
  expect(await page.evaluate(z.number(), 'document.querySelectorAll(".node").length')).toBeGreaterThan(120);
  expect(await page.evaluate(z.number(), 'document.querySelectorAll("#picture script, #picture img, #picture a").length')).toBe(0);
});

inBrowser("a page of 1,000 roles, 100 methods and 1,000 rules opens and responds", async () => {
  const page = await openedModel(modelOf(largeExport()));
  await page.evaluate(z.unknown(), 'document.querySelector("#alone").click()');
  expect(await page.evaluate(z.number(), 'document.querySelectorAll(".node").length')).toBeGreaterThan(2_000);
  await focus(page, "#claims");
  await page.type('{ "groups": ["group-500"], "team": "7" ');
  const before = await page.processorSeconds();
  await page.type("}");
  expect(await titlesOf(page, "lit")).toContainEqual(expect.stringMatching(/^binding rule Rule 500/));
  expect((await page.processorSeconds()) - before).toBeLessThan(1);
  const isSeen = `(() => {
    const { top, bottom } = document.querySelector(".rule.lit").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`;
  expect(await page.evaluate(z.boolean(), isSeen)).toBe(true);
});
