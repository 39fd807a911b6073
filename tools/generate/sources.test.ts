import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { configuration } from "../../provider/configuration/config";
import { functions } from "../../provider/functions";
import { goModule } from "../../provider/generated/source";
import { type Field, type Fields, mayBeUnwritten, propertiesOf, sourcesOf } from "../../provider/model/fields";
import * as plugin from "../../provider/plugin";
import { resources } from "../../provider/resources";
import { entryOf } from "./entries";
import { exampleOf } from "./examples";
import { sources } from "./files";
import { packageFacts, pulumiSchema } from "./pulumi";
import { functionTypes, resourceTypes } from "./typescript";

describe("schema.json", () => {
  const root = join(__dirname, "../..");
  const text = readFileSync(join(root, "schema.json"), "utf8");

  test("the public types of lists have English names: ListPoliciesPolicy, not ListPoliciesPolicie", () => {
    const types = Object.keys(z.object({ types: z.record(z.string(), z.json()) }).parse(JSON.parse(text)).types);
    expect(types).toContain("agentpool-acl:index:ListPoliciesPolicy");
    expect(types.filter((name) => /ie(?![a-z])/.test(name))).toEqual([]);
  });

  const sentence = z.string().regex(/\S.*[.:`)]$/s);
  const property = z.looseObject({ description: sentence });
  const properties = z.record(z.string(), property);
  const object = z.object({ properties: properties.default({}), required: z.array(z.string()).default([]) });
  const schema = z
    .object({
      config: z.object({ variables: properties }),
      provider: z.object({ description: z.string(), inputProperties: properties }),
      resources: z.record(
        z.string(),
        z.object({
          description: sentence,
          inputProperties: properties,
          requiredInputs: z.array(z.string()),
          properties,
          required: z.array(z.string()),
          aliases: z.array(z.object({ type: z.string() })),
        }),
      ),
      functions: z.record(z.string(), z.object({ description: sentence, inputs: object, outputs: object })),
      types: z.record(
        z.string(),
        z.object({
          description: sentence,
          properties: properties.optional(),
          enum: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
        }),
      ),
    })
    .parse(JSON.parse(text));

  const token = (name: string) => `agentpool-acl:index:${name}`;
  const names = (fields: Fields) => [...fields.keys()].sort();
  const keys = (record: object) => Object.keys(record).sort();

  test("schema.json is up to date (npm run generate)", () => {
    const facts = packageFacts.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    expect(text).toBe(`${JSON.stringify(pulumiSchema(facts), null, 2)}\n`);
  });

  test("it has every resource and every function, and no other", () => {
    expect(keys(schema.resources)).toEqual(resources.map(({ kind }) => token(kind)).sort());
    expect(keys(schema.functions)).toEqual(functions.map(({ name }) => token(name)).sort());
    expect(functions).not.toEqual([]);
  });

  test.each(resources)("$kind: the schema has every input and output, with its traits", ({ kind, inputs, outputs }) => {
    const described = schema.resources[token(kind)];
    expect(keys(described?.inputProperties ?? {})).toEqual(names(inputs));
    expect(keys(described?.properties ?? {})).toEqual(names(new Map([...inputs, ...outputs])));
    expect(described?.aliases).toEqual([{ type: `pulumi-nodejs:dynamic/agentpool-acl:${kind}` }]);
    const replacing = [...inputs].filter(([, { traits }]) => traits.replaces).map(([name]) => name);
    const marked = Object.entries(described?.inputProperties ?? {}).filter(([, input]) => input.replaceOnChanges);
    expect(marked.map(([name]) => name).sort()).toEqual(replacing.sort());
    const wanted = [...inputs].filter(([, { optional, traits }]) => !optional && !traits.missingReason).map(([name]) => name);
    expect(described?.requiredInputs).toEqual(wanted);
    for (const [name, field] of inputs) {
      const { defaultValue, traits } = field;
      const input = described?.inputProperties[name];
      const isInWords = mayBeUnwritten(field) || traits.emptyMatters || input?.oneOf !== undefined;
      const isPlain = ["string", "number", "boolean"].includes(typeof defaultValue) && !isInWords;
      expect([name, input?.default]).toEqual([name, isPlain ? defaultValue : undefined]);
      if (isInWords && defaultValue !== undefined) expect(input?.description).toContain(`Default: \`${JSON.stringify(defaultValue)}\`.`);
    }
  });

  test.each(functions)("$name: the schema has every argument and result", ({ name, inputs, outputs }) => {
    const described = schema.functions[token(name)];
    expect(keys(described?.inputs.properties ?? {})).toEqual(names(inputs));
    expect(keys(described?.outputs.properties ?? {})).toEqual(names(outputs));
  });

  test("the provider and the configuration have every key, three of them as secrets, and no default from the environment", () => {
    const all = propertiesOf(configuration);
    expect(keys(schema.provider.inputProperties)).toEqual(names(all));
    const shapes = (given: Record<string, object>) => Object.entries(given).map(([name, one]) => [name, { ...one, description: "" }]);
    expect(shapes(schema.config.variables)).toEqual(shapes(schema.provider.inputProperties));
    // An explicit provider takes no secret from an AGENTPOOL_ACL_ variable: these variables are for the stack's servers.
    for (const key of ["poolsToken", "clusterToken", "clusterClientKey", "clusterLogin"]) {
      expect(schema.config.variables[key]?.description).toContain("takes precedence");
      expect(schema.provider.inputProperties[key]?.description).not.toContain("takes precedence");
    }
    const secret = Object.entries(schema.config.variables).filter(([, value]) => value.secret);
    expect(secret.map(([name]) => name).sort()).toEqual(["clusterClientKey", "clusterToken", "poolsToken"]);
    expect(text).not.toContain("defaultInfo");
  });

  test("an input that is always secret is secret in every nested type", () => {
    const secrets = Object.entries(schema.types).flatMap(([type, { properties: within = {} }]) =>
      Object.entries(within).flatMap(([name, value]) => (value.secret ? [`${type}.${name}`] : [])),
    );
    expect(secrets.sort()).toEqual([
      `${token("AclAuthMethodConfig")}.oidcClientSecret`,
      `${token("AclAuthMethodConfigOidcClientAssertionPrivateKey")}.pemKey`,
    ]);
  });

  test("the plugin's module has the enumerations under the schema's names, as imported programs use them", () => {
    const ofInputs = Object.entries(schema.types).filter(([name, type]) => type.enum && /:Acl/.test(name));
    const words = ofInputs.map(([name, type]) => [
      name.split(":")[2],
      Object.fromEntries((type.enum ?? []).map((one) => [one.name, one.value])),
    ]);
    const inModule = Object.entries(plugin).filter(([, value]) => typeof value === "object");
    expect(Object.fromEntries(words)).toEqual(Object.fromEntries(inModule));
  });

  test("no SDK has a name in somebody else's scope", () => {
    const { language } = z
      .object({
        language: z.object({
          nodejs: z.object({ packageName: z.string() }),
          csharp: z.object({ rootNamespace: z.string() }),
          go: z.object({ importBasePath: z.string() }),
        }),
      })
      .parse(JSON.parse(text));
    expect(language.nodejs.packageName).toMatch(/^pulumi-agentpool-acl/);
    // NuGet reserves the names that begin with Pulumi.
    expect(language.csharp.rootNamespace).not.toMatch(/^Pulumi/);
    expect(language.go.importBasePath).toBe(goModule);
  });
});

describe("the types of programs", () => {
  const repository = join(__dirname, "../..");

  /** The file as `npm run generate` writes it. */
  function formatted(path: string, text: string): string {
    const biome = require.resolve("@biomejs/biome/bin/biome");
    return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
      cwd: repository,
      input: text,
      encoding: "utf8",
    });
  }

  test.each(Object.entries(sources))("provider/generated/%s is up to date (npm run generate)", (name, generate) => {
    const path = join("provider/generated", name);
    expect(readFileSync(join(repository, path), "utf8")).toBe(formatted(path, generate()));
  });

  /** Every field at any depth, by its path. */
  function* fieldsOf(properties: Fields, above: string): Generator<[string, Field]> {
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

  test("the doc comments of classes have their resource's example, with the import of their own module", () => {
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

  /** Wrong values that a program may give for a text, a number, a list or a map. */
  const misfits = ["", "\u0000", "a b", "xyz!", "-1x", "x".repeat(10_000), -1, [""], ["a b"], ["-----BEGIN"], [], ["http://"], { "": "" }];

  test("the description of an input names the limits that its errors name", () => {
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

  test("no description in the code ends with a section of the API's document: only the schema and the reference have these", () => {
    const all = described.flatMap(({ name, description, inputs, outputs }) => [
      { path: name, description },
      ...[...fieldsOf(inputs, name), ...fieldsOf(outputs, name)].map(([path, { description: text }]) => ({ path, description: text })),
    ]);
    const section = /(Agent Pool Management Interface|Access-control interface)/;
    expect(all.filter(({ description }) => section.test(description))).toEqual([]);
    for (const text of [resourceTypes(), functionTypes()]) expect(text).not.toMatch(section);
    const schema = readFileSync(join(repository, "schema.json"), "utf8");
    expect(schema).toContain("In the API's document: _Access-control interface, ACL role_ (`name`, `description`, `policies`).");
    expect(
      schema.match(/"description": ".*?(?<!\\)"/g)?.filter((text) => section.test(text) || text.includes("Beyond the API's document: _")),
    ).toHaveLength(described.length);
    for (const { inputs } of resources) expect(sourcesOf(inputs).size).toBeGreaterThan(0);
  });

  test("no output of a resource has the name of an input", () => {
    for (const { inputs, outputs } of resources) expect([...outputs.keys()].filter((name) => inputs.has(name))).toEqual([]);
  });

  test("the secret outputs are tokens, and results from claims", () => {
    const secrets = described.flatMap(({ name, outputs }) => [...fieldsOf(outputs, name)]).filter(([, { traits }]) => traits.secret);
    const ofLogins = ["ok", "token", "status", "error", "because", "notChecked", "rules"].map((name) => `explainLogin.${name}`);
    expect(secrets.map(([path]) => path)).toEqual(["AgentToken.token", "AclToken.secretId", ...ofLogins]);
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
});
