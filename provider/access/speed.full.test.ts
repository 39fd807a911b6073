/** How long the first login of a process takes: it reads the selectors of all rules, before V8 has compiled anything. Runs what is in `dist`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const dist = JSON.stringify(join(__dirname, "../../dist/provider/access.js"));

const script = (selector: string) => `
const { evaluateLogin } = require(${dist});
const rules = Array.from({ length: 10_000 }, (_, i) => ({ selector: \`${selector}\`, bindType: "role", bindName: "role-" + i }));
const method = { name: "sso", type: "JWT", tokenLocality: "global", claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } };
const access = { method, rules, roles: Object.fromEntries(rules.map(({ bindName }) => [bindName, ["read"]])), policies: ["read"] };
const before = process.cpuUsage();
const login = evaluateLogin(access, { team: "team-7", groups: ["group-7", "group-8"] });
const { user, system } = process.cpuUsage(before);
if (!login.ok || login.token.roles[0] !== "role-7") throw new Error(JSON.stringify(login));
console.log((user + system) / 1000);
`;

/** The milliseconds of the processor, in a new process each time; the least, because what else runs on the machine only adds to it. */
function least(selector: string): number {
  const measured = Array.from({ length: 10 }, () => Number(execFileSync(process.execPath, ["-e", script(selector)], { encoding: "utf8" })));
  return Math.min(...measured);
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the template is one of the script
test.each([
  ["one comparison each", '"group-${i}" in list.groups', 50],
  ["two comparisons each", '"group-${i}" in list.groups and value.team == "team-${i}"', 100],
])("the first login with 10,000 new selectors of %s takes less than their share of the processor", (what, selector, limit) => {
  const milliseconds = least(selector);
  console.log(`The first login of 10,000 rules with ${what}: ${milliseconds.toFixed(0)} ms of the processor.`);
  expect(milliseconds).toBeLessThan(limit);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the template is one of the script
