/**
 * The time of a process's first login, which parses the selectors of all rules with code that V8 has not optimized.
 * Runs the code in `dist`.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const dist = JSON.stringify(join(__dirname, "../dist/access/index.js"));

const script = (selector: string, bindName: string) => `
const { evaluateLogin } = require(${dist});
const rules = Array.from({ length: 10_000 }, (_, i) => ({ selector: \`${selector}\`, bindType: "role", bindName: \`${bindName}\` }));
const method = { name: "sso", type: "JWT", tokenLocality: "global", claimMappings: { team: "team", nobody: "nobody" }, listClaimMappings: { groups: "groups" } };
const roles = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [\`role-\${i}\`, ["read"]]));
const access = { method, rules, roles, policies: ["read"] };
const before = process.cpuUsage();
const login = evaluateLogin(access, { team: "team-7", groups: ["group-7", "group-8"] });
const { user, system } = process.cpuUsage(before);
if (!login.ok || !login.token.roles.includes("role-7")) throw new Error(JSON.stringify(login));
console.log((user + system) / 1000);
`;

/** The least processor time of several new processes, in milliseconds: other load on the machine only adds time. */
function least(...rule: Parameters<typeof script>): number {
  const measured = Array.from({ length: 10 }, () => Number(execFileSync(process.execPath, ["-e", script(...rule)], { encoding: "utf8" })));
  return Math.min(...measured);
}

// About twice the time of an idle machine: tests that run at the same time share its caches.
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the templates are those of the script, and the API's interpolation
test.each([
  ["selectors of one comparison", '"group-${i}" in list.groups', "role-${i}", 100],
  ["selectors of two comparisons", '"group-${i}" in list.groups and value.team == "team-${i}"', "role-${i}", 200],
])("the first login with 10,000 new %s stays within its limit of processor time", (what, selector, bindName, most) => {
  const milliseconds = least(selector, bindName);
  console.log(`The first login of 10,000 rules with new ${what}: ${milliseconds.toFixed(0)} ms of the processor.`);
  expect(milliseconds).toBeLessThan(most);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the templates are those of the script, and the API's interpolation
