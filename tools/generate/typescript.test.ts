import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configuration } from "../../provider/context/config";
import { functions } from "../../provider/functions";
import { type Field, propertiesOf, sourcesOf } from "../../provider/model/fields";
import { resources } from "../../provider/resources";
import { entryOf } from "./entries";
import { exampleOf } from "./examples";
import { sources } from "./files";
import { functionTypes, resourceTypes } from "./typescript";

const repository = join(__dirname, "../..");

/** The file that `npm run generate` has written. */
function formatted(path: string, text: string): string {
  const biome = require.resolve("@biomejs/biome/bin/biome");
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], { cwd: repository, input: text, encoding: "utf8" });
}

test.each(Object.entries(sources))("provider/generated/%s is up to date (npm run generate)", (name, generate) => {
  const path = join("provider/generated", name);
  expect(readFileSync(join(repository, path), "utf8")).toBe(formatted(path, generate()));
});

/** Every field at any depth, by its path. */
function* fieldsOf(properties: ReadonlyMap<string, Field>, above: string): Generator<[string, Field]> {
  for (const [name, field] of properties) {
    yield [`${above}.${name}`, field];
    yield* below(field, `${above}.${name}`);
  }
}

function* below({ shape }: Field, path: string): Generator<[string, Field]> {
  if (shape.kind === "object") yield* fieldsOf(shape.properties, path);
  if (shape.kind === "list") yield* below(shape.items, `${path}[]`);
}

const described = [...resources.map(({ kind, ...rest }) => ({ name: kind, ...rest })), ...functions];

test.each(described.map((one) => [one.name, one] as const))(
  "%s, its inputs and its outputs are described, in whole sentences",
  (name, one) => {
    const sentence = /\S.*[.:`)]$/s;
    expect(one.description).toMatch(sentence);
    const all = [...fieldsOf(one.inputs, name), ...fieldsOf(one.outputs, name)];
    expect(all.filter(([, field]) => !sentence.test(field.description)).map(([path]) => path)).toEqual([]);
  },
);

test.each(resources.map(({ kind, description }) => [kind, description]))("%s has the id for import", (_, description) => {
  expect(description).toContain("**Import** takes ");
});

test("the classes show their resource's example in their doc comments, with the import of their own module", () => {
  for (const { kind } of resources) {
    const commentOf = (module: string) => {
      const example = exampleOf(kind)?.texts.get("typescript")?.replace("pulumi-agentpool-acl/plugin", module) ?? "";
      expect(example).toContain(`new ${kind}(`);
      return [" * @example", ...example.split("\n").map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
    };
    const own = commentOf("pulumi-agentpool-acl");
    expect(entryOf("dynamic")).toContain(`${own}\nexport const ${kind}: `);
    expect(entryOf("plugin")).toContain(`${commentOf("pulumi-agentpool-acl/plugin")}\nexport const ${kind}: `);
    expect(resourceTypes()).toContain(`${own.replace(/^/gm, "  ")}\n  new (`);
  }
});

/** Values that a program may give instead of a text, a number or a list, and that are wrong. */
const misfits = ["", "\u0000", "a b", "xyz!", "-1x", "x".repeat(10_000), -1, [""], ["a b"], ["-----BEGIN"], [], ["http://"], { "": "" }];

test("the form of an input is in its type's description", () => {
  const settings = [...fieldsOf(propertiesOf(configuration), "configuration")];
  const inputs = [...described.flatMap(({ name, inputs: all }) => [...fieldsOf(all, name)]), ...settings];
  const unsaid = inputs.flatMap(([path, { schema, description }]) => {
    const reasons = misfits.flatMap((misfit) => schema.safeParse(misfit).error?.issues ?? []).map(({ message }) => message);
    const rules = [...new Set(reasons)].flatMap(
      (reason) => /^must be (.*\d.*|.*even number.*)/.exec(reason)?.[1]?.replace(/ long$/, "") ?? [],
    );
    return rules.filter((rule) => !description.includes(rule)).map((rule) => `${path}: ${rule}`);
  });
  expect(unsaid).toEqual([]);
});

test("no description ends with a section of the API's document, which only the reference has", () => {
  const all = described.flatMap(({ name, description, inputs, outputs }) => [
    { path: name, description },
    ...[...fieldsOf(inputs, name), ...fieldsOf(outputs, name)].map(([path, { description: text }]) => ({ path, description: text })),
  ]);
  const section = /(Agent Pool Management Interface|Access-control interface)/;
  expect(all.filter(({ description }) => section.test(description))).toEqual([]);
  for (const text of [resourceTypes(), functionTypes()]) expect(text).not.toMatch(section);
  const schema = readFileSync(join(repository, "schema.json"), "utf8");
  expect(schema).toContain("In the API's document: _Access-control interface, ACL role_ (`name`, `description`, `policies`).");
  expect(schema.match(/"description": ".*?(?<!\\)"/g)?.filter((text) => section.test(text))).toHaveLength(described.length);
  for (const { inputs } of resources) expect(sourcesOf(inputs).size).toBeGreaterThan(0);
});

test("no output of a resource has the name of an input", () => {
  for (const { inputs, outputs } of resources) expect([...outputs.keys()].filter((name) => inputs.has(name))).toEqual([]);
});

test("no output of a resource or a function is a secret, because the API does not return secrets; what claims lead to is one", () => {
  const secrets = described.flatMap(({ name, outputs }) => [...fieldsOf(outputs, name)]).filter(([, { traits }]) => traits.secret);
  expect(secrets.map(([path]) => path)).toEqual(
    ["ok", "token", "status", "error", "because", "notChecked", "rules"].map((name) => `explainLogin.${name}`),
  );
});

test("the names of functions and kinds are unique", () => {
  const names = described.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("an argument with a default or a computed value is optional, an output that always has a value is not", () => {
  const types = resourceTypes();
  const role = types.slice(types.indexOf("export interface AclRoleArgs"));
  expect(role).toContain("  name: pulumi.Input<string>;");
  expect(role).toContain("  description?: pulumi.Input<string>;");
  expect(role).toContain("  policies?: pulumi.Input<pulumi.Input<string>[]>;");
  expect(role).toContain("  readonly description: pulumi.Output<string>;");
  expect(role).toContain("  readonly hash: pulumi.Output<string | undefined>;");
  expect(types.slice(types.indexOf("export interface AgentPoolArgs"))).toContain("  name?: pulumi.Input<string>;");
  expect(types).toContain('  bindType: pulumi.Input<"role" | "policy" | "management">;');
  expect(types).toContain('  adopt?: pulumi.Input<boolean | "overwrite">;');
  expect(types).toContain('  keySource?: pulumi.Input<"nomad" | "private_key" | "client_secret">;');
  expect(functionTypes()).toContain('  sort?: pulumi.Input<"name" | "-name" | "created-at" | "-created-at">;');
  expect(functionTypes()).toContain("  readonly status: string;");
});
