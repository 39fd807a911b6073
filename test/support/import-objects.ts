/** Objects for written programs, and the declarations of a TypeScript program. */
import { posix } from "node:path";
import ts from "typescript";
import { spelling } from "../../cli/import/files";
import type { Language } from "../../cli/import/names";
import { type Program, toProgram } from "../../cli/import/program";
import { type InventoryObject, inputsOf, resourceOf } from "../../cli/inventory/inventory";

/** An object as a server has it, with the outputs that a test needs. */
export function object(kind: string, id: string, outputs: Record<string, unknown>): InventoryObject {
  const resource = resourceOf(kind);
  if (!resource) throw new Error(kind);
  return { kind, id, name: String(outputs.name ?? outputs.description ?? id), inputs: inputsOf(resource, outputs), outputs };
}

export const method = (name: string, more: object = {}) => {
  const config = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "c", allowedRedirectUris: ["http://localhost/"], ...more };
  const rest = { type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h0m0s", unmanagedSecrets: ["config.oidcClientSecret"] };
  return object("AclAuthMethod", name, { name, ...rest, default: false, config });
};
export const role = (name: string, id = name) => object("AclRole", id, { name, description: "", policies: ["read"] });
export const policy = (name: string, rules: string, more: object = {}) =>
  object("AclPolicy", name, { name, description: "", rules, ...more });
export const rule = (id: string, outputs: object) =>
  object("AclBindingRule", id, { authMethod: "sso", description: "", selector: "", ...outputs });

export const pool = object("AgentPool", "apool-1", { name: "build", organization: "example-org", organizationScoped: true });
/** Objects of four kinds, with a reference, a computed name and an orphan. */
export const sample = [
  pool,
  method("sso"),
  role("default"),
  role("team-alpha"),
  role("teamAlpha"),
  rule("1", { bindType: "role", bindName: "team-alpha", selector: '"a" in list.b' }),
  rule("2", { bindType: "role", bindName: "team-$" + "{value.team}" }),
  rule("3", { bindType: "role", bindName: "gone", authMethod: "gone" }),
  rule("4", { bindType: "management" }),
];

/** Objects whose names equal files of a program or words of a language, and methods that share roles. */
export const colliding = [
  pool,
  ...["sso", "SSO", "roles", "main", "index", "json", "windows", "sso-test", "declare-roles", "aux", "COM1", "lpt9"].map((name) =>
    method(name),
  ),
  ...["roles", "declareRoles", "team-alpha", "sso-role"].map((name) => role(name)),
  ...["roles", "policies", "con", "TEAM-ALPHA"].map((name) => policy(name, `# ${name}\nnode { policy = "read" }\n`)),
  object("AclRole", "both", { name: "both", description: "", policies: ["roles", "policies", "read"] }),
  rule("policy", { bindType: "policy", bindName: "con" }),
  ...["sso", "SSO", "roles", "gone"].flatMap((authMethod) =>
    ["roles", "team-alpha", "gone"].map((bindName) => rule(`${authMethod}-${bindName}`, { authMethod, bindType: "role", bindName })),
  ),
];

/** The program for objects in a language. */
export const of = (language: Language, objects: readonly InventoryObject[] = sample, withSecrets = false) =>
  toProgram(objects, { withSecrets, spell: spelling[language] });

/** The expected declarations of the program, by the names of the resources. */
export function inputsByName({ declarations }: Program): Record<string, unknown> {
  return Object.fromEntries(declarations.map(({ resourceName, object: { inputs } }) => [resourceName, inputs]));
}

/** Runs a TypeScript program of one or several files with classes that collect its declarations. */
export function declaredBy(files: Readonly<Record<string, string>>): Record<string, unknown> {
  const declared: Record<string, unknown> = {};
  class Any {
    constructor(
      resourceName: string,
      readonly args: Record<string, unknown>,
    ) {
      declared[resourceName] = args;
    }
    get name() {
      return this.args.name;
    }
  }
  const library = new Proxy({}, { get: () => Any });
  const loaded = new Map<string, object>();
  const load = (path: string): object => {
    const module = loaded.get(path) ?? {};
    if (loaded.has(path)) return module;
    loaded.set(path, module);
    const { outputText } = ts.transpileModule(files[path] ?? "", {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    const readFileSync = (name: string) => files[name];
    const requireFrom = (name: string) =>
      name === "node:fs" ? { readFileSync } : name.startsWith(".") ? load(`${posix.join(posix.dirname(path), name)}.ts`) : library;
    new Function("require", "exports", outputText)(requireFrom, module);
    return module;
  };
  load("index.ts");
  return declared;
}
