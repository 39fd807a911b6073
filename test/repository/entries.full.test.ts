/** The package's entry points in compiled programs: from its tarball, under five ways to resolve modules. */
import { execFile } from "node:child_process";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import current from "typescript";
import { Installation } from "../support/packed";
import { writeFiles } from "../support/programs";

/** The TypeScript of @pulumi/pulumi, for programs without their own. */
const ofSdk: typeof current = require("@pulumi/pulumi/vendor/typescript@3.8.3/typescript");

const imports = `import * as pulumi from "@pulumi/pulumi";
import * as acl from "pulumi-agentpool-acl";
import { AclRole, getRoleOutput, Provider } from "pulumi-agentpool-acl/plugin";
import * as plugin from "pulumi-agentpool-acl/plugin";
import * as dynamic from "pulumi-agentpool-acl/dynamic";
import { evaluateLogin } from "pulumi-agentpool-acl/access";
import * as access from "pulumi-agentpool-acl/access";
import { accessPolicies } from "pulumi-agentpool-acl/policies";
import * as policies from "pulumi-agentpool-acl/policies";
import { rehearse, rehearseInProcess, Simulator } from "pulumi-agentpool-acl/testing";
import * as testing from "pulumi-agentpool-acl/testing";
`;

const right = `${imports}
const pool = new acl.AgentPool("build");
const role = new acl.AclRole("dev", { name: "dev", policies: ["read-only"] });
const sso = new acl.AclAuthMethod("sso", {
  name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: pulumi.output("1h"),
  config: { oidcDiscoveryUrl: "https://idp.test", oidcClientId: "id", allowedRedirectUris: [pulumi.output("http://a")] },
});
new acl.AclBindingRule("all", { authMethod: sso.name, selector: "a == b", bindType: "role", bindName: role.name });
const provider = new Provider("other", { clusterAddress: "https://cluster.test" });
const others = new AclRole("dev", { name: role.name, policies: [] }, { provider });
const found: pulumi.Output<string> = getRoleOutput({ id: others.id }).name;
const listed: Promise<string[]> = acl.listRoles({ prefix: "ab" }).then((list) => list.roles.map((one) => one.name));
const check: pulumi.dynamic.ResourceProvider["check"] = dynamic.AclRole.check;
const method: access.LoginMethod = { name: "sso", type: "OIDC", tokenLocality: "global" };
const login: access.Login = evaluateLogin({ method, rules: [{ bindType: "management" }], roles: {}, policies: [] }, { groups: ["a"] });
export const token = login.ok ? login.token.name : login.error;
const guardrails: policies.AccessPolicy[] = accessPolicies({ knownRoles: ["dev"], enforcementLevels: { "max-token-ttl": "advisory" } });
export const names: policies.PolicyName[] = guardrails.map((one) => one.name);
export async function life(): Promise<string[]> {
  const simulator: testing.Simulator = await Simulator.start();
  const result: testing.RehearseResult = await rehearse("up", { program: ".", state: "state.json" });
  return [simulator.poolsAddress, ...simulator.cluster.roles.list().map((one) => one.Name), String(result.ok)];
}
export const all = [pool.id, found, listed, check, rehearseInProcess, plugin];
`;

/** Each wrong line is an error, so the types exist and are not \`any\`. */
const wrong = `${imports}
new acl.AclRole("dev", { name: 1, policies: [] }); // wrong
new AclRole("dev", { policies: [] }); // wrong
new Provider("other", { clusterAdress: "" }); // wrong
const found: pulumi.Output<number> = getRoleOutput({ id: "a" }).name; // wrong
const check: string = dynamic.AclRole.check; // wrong
evaluateLogin({ method: 1, rules: [], roles: {}, policies: [] }, {}); // wrong
accessPolicies({ enforcementLevels: { "max-ttl": "advisory" } }); // wrong
rehearse("upp", { program: ".", state: "state.json" }); // wrong
Simulator.start().then((simulator: testing.Simulator) => simulator.clusters); // wrong
export const all = [found, check, rehearseInProcess, plugin, policies];
`;

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.make();
  writeFiles(installation.folder, { "right.ts": right, "wrong.ts": wrong, "right.mts": right, "wrong.mts": wrong });
});
afterAll(() => installation.remove());

/** Old TypeScript can't read the types of a new Node: only the errors about this package and the program count. */
const isOurs = (file: string) => !file.replace("node_modules/pulumi-agentpool-acl/", "").includes("node_modules/");

test.each([
  { title: "moduleResolution node", compiler: current, options: { module: "commonjs", moduleResolution: "node10" }, endings: ["ts"] },
  { title: "moduleResolution node16", compiler: current, options: { module: "node16" }, endings: ["ts", "mts"] },
  { title: "moduleResolution nodenext", compiler: current, options: { module: "nodenext" }, endings: ["ts", "mts"] },
  { title: "moduleResolution bundler", compiler: current, options: { module: "es2022", moduleResolution: "bundler" }, endings: ["ts"] },
  { title: "the SDK's own TypeScript 3.8", compiler: ofSdk, options: { module: "commonjs", moduleResolution: "node" }, endings: ["ts"] },
])("$title: every entry resolves and is typed, without zod, skipLibCheck and esModuleInterop", ({ compiler, options, endings }) => {
  const { folder } = installation;
  const isOld = compiler === ofSdk;
  const common = { noEmit: true, strict: true, target: "es2020", types: ["node"], skipLibCheck: false, esModuleInterop: false };
  const parsed = compiler.convertCompilerOptionsFromJson(
    { ...common, ...options, ...(isOld ? {} : { ignoreDeprecations: "6.0" }) },
    folder,
  );
  expect(parsed.errors).toEqual([]);
  const programs = endings.flatMap((ending) => [join(folder, `right.${ending}`), join(folder, `wrong.${ending}`)]);
  const program = compiler.createProgram(programs, parsed.options);
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  expect(files.filter((name) => name.includes("node_modules/zod/"))).toEqual([]);

  const said = compiler.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const place = file && `${relative(folder, file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1}`;
    return { place: place ?? "", message: compiler.flattenDiagnosticMessageText(messageText, " ") };
  });
  const known = isOld ? said.filter(({ place }) => isOurs(place)) : said;
  const wrongLines = wrong.split("\n").flatMap((line, index) => (line.endsWith("// wrong") ? [index + 1] : []));
  const expected = endings.flatMap((ending) => wrongLines.map((line) => `wrong.${ending}:${line}`));
  const unexpected = known.filter(({ place }) => !expected.includes(place));
  expect(unexpected).toEqual([]);
  expect(new Set(known.map(({ place }) => place))).toEqual(new Set(expected));
});

test("Node finds everything that the types declare, in CommonJS and in ES modules", async () => {
  const { folder } = installation;
  const names = `[evaluateLogin, access.evaluateLogin, accessPolicies, policies.accessPolicies, acl.AclRole, AclRole, getRoleOutput, Provider, plugin.AgentPool, dynamic.AclRole.check, rehearse, rehearseInProcess, Simulator, testing.Simulator]`;
  const printTypes = `console.log(${names}.map((one) => typeof one).join());`;
  const required = imports
    .replace(/import \* as (\w+) from (.*);/g, "const $1 = require($2);")
    .replace(/import (\{.*\}) from (.*);/g, "const $1 = require($2);");
  writeFiles(folder, { "all.cjs": `${required}${printTypes}`, "all.mjs": `${imports}${printTypes}` });
  for (const file of ["all.cjs", "all.mjs"]) {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
    expect(stdout.trim()).toBe(Array(14).fill("function").join());
  }
});
