import fc from "fast-check";
import type { Claims } from "../../access/claims";
import { exampleModel, modelOf } from "../../test/support/access-example";
import { cases } from "../../test/support/seed";
import { explain } from "../access/explain";
import type { AccessModel } from "../access/model";
import { edgeKey, lightsOf } from "./lights";
import { pictureOf } from "./picture";

const explained = (model: AccessModel, method: string, claims: Claims) => explain(model, method, { claims, isToken: false }, new Date());

const model = exampleModel();
const { nodes, edges } = pictureOf(model);
const drawn = new Set(nodes.map(({ key }) => key));
const lines = new Set(edges.map(({ from, to }) => edgeKey(nodes[from]?.key ?? "", nodes[to]?.key ?? "")));

const lit = (claims: Claims, method = "company-sso") => {
  const lights = lightsOf(explained(model, method, claims));
  return [...lights.nodes].filter((key) => drawn.has(key)).map((key) => nodes.find((node) => node.key === key)?.title);
};

test("the method, the rules that match, and what they give light up, and nothing beside it", () => {
  const rules = ["Engineers are developers", "Everybody but contractors", "Readers"];
  const given = ["auditors", "company-sso", "deploy-development", "developers", "read-only"];
  expect(lit({ groups: ["engineering"] }).sort()).toEqual([...rules, ...given]);
  // The token has no roles beside it.
  expect(lit({ groups: ["admins", "engineering"] }).sort()).toEqual(["Administrators", "company-sso", "management"]);
});

test("of a rule whose name the claims decide about, the role that they decide for lights up, and not the others that it may be", () => {
  const lights = lightsOf(explained(model, "company-sso", { team: "Web" }));
  expect([lights.nodes.has("role team-web"), lights.nodes.has("role team-ops")]).toEqual([true, false]);
  expect(lights.nodes.has("policy deploy-development")).toBe(true);
});

test("where a login fails, the rule that ends it is marked, or its method where no rule does", () => {
  const failedAt = (claims: Claims, method?: string) => [...lightsOf(explained(model, method ?? "company-sso", claims)).failed];
  const broken = nodes.find(({ title }) => title === "Branches of teams")?.key;
  expect(failedAt({ ref: "dev" }, "pipelines")).toEqual([broken]);
  expect(failedAt({ ref: "other" }, "pipelines")).toEqual(["method pipelines"]);
  expect(failedAt({ groups: [{}] })).toEqual(["method company-sso"]);
});

test("a role of a name that all objects of the language have lights up with its policies, also where the login fails", () => {
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

test("whatever the claims are, each line that lights up leads from one object that does to another one, and both are drawn or missing", () => {
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
