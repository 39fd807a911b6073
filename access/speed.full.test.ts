/** The work of a process's first login, which parses the selectors of all rules. Runs the code in `dist`. */
import { join } from "node:path";
import { measuredRun } from "../test/support/executions";

const dist = JSON.stringify(join(__dirname, "../dist/access/index.js"));

const script = (selector: string, bindName: string) => `
const { evaluateLogin } = require(${dist});
const rules = Array.from({ length: 10_000 }, (_, i) => ({ selector: \`${selector}\`, bindType: "role", bindName: \`${bindName}\` }));
const method = { name: "sso", type: "JWT", tokenLocality: "global", claimMappings: { team: "team", nobody: "nobody" }, listClaimMappings: { groups: "groups" } };
const roles = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [\`role-\${i}\`, ["read"]]));
const access = { method, rules, roles, policies: ["read"] };
const login = evaluateLogin(access, { team: "team-7", groups: ["group-7", "group-8"] });
if (!login.ok || !login.token.roles.includes("role-7")) throw new Error(JSON.stringify(login));
`;

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the templates are those of the script, and the API's interpolation
test.each([
  ["selectors of one comparison", '"group-${i}" in list.groups', "role-${i}", 1.1],
  ["selectors of two comparisons", '"group-${i}" in list.groups and value.team == "team-${i}"', "role-${i}", 1.8],
])("the first login with 10,000 new %s runs at most a fixed number of functions and blocks", (what, selector, bindName, millions) => {
  const { executions, seconds, out, status } = measuredRun(script(selector, bindName));
  expect([out, status]).toEqual(["", 0]);
  console.log(`The first login of 10,000 rules with new ${what}: ${executions.toLocaleString("en")} executions, ${seconds.toFixed(2)} s`);
  expect(executions).toBeLessThan(millions * 1_000_000);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the templates are those of the script, and the API's interpolation
