import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { configuration } from "../../provider/context/config";
import { functions } from "../../provider/functions";
import { type Field, mayBeUnwritten, propertiesOf } from "../../provider/model/fields";
import * as plugin from "../../provider/plugin";
import { resources } from "../../provider/resources";
import { packageFacts, pulumiSchema } from "./pulumi";
import { readSource } from "./source";

const root = join(__dirname, "../..");
const text = readFileSync(join(root, "schema.json"), "utf8");

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
const names = (fields: ReadonlyMap<string, Field>) => [...fields.keys()].sort();
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
    const { defaultValue } = field;
    const input = described?.inputProperties[name];
    const isInWords = mayBeUnwritten(field) || input?.oneOf !== undefined;
    const isPlain = ["string", "number", "boolean"].includes(typeof defaultValue) && !isInWords;
    expect([name, input?.default]).toEqual([name, isPlain ? defaultValue : undefined]);
    if (isInWords) expect(input?.description).toContain(`Default: \`${JSON.stringify(defaultValue)}\`.`);
  }
});

test.each(functions)("$name: the schema has every argument and result", ({ name, inputs, outputs }) => {
  const described = schema.functions[token(name)];
  expect(keys(described?.inputs.properties ?? {})).toEqual(names(inputs));
  expect(keys(described?.outputs.properties ?? {})).toEqual(names(outputs));
});

test("the provider and the configuration have every key, the tokens as secrets, and no default from the environment", () => {
  const all = propertiesOf(configuration);
  expect(keys(schema.provider.inputProperties)).toEqual(names(all));
  expect(schema.config.variables).toEqual(schema.provider.inputProperties);
  const secret = Object.entries(schema.config.variables).filter(([, value]) => value.secret);
  expect(secret.map(([name]) => name).sort()).toEqual(["clusterClientKey", "clusterToken", "poolsToken"]);
  expect(text).not.toContain("defaultInfo");
});

test("an input that is always a secret is one in every nested type", () => {
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

test("no SDK gets a name in somebody else's scope, and the logo is there", () => {
  const { language, logoUrl } = z
    .object({
      logoUrl: z.string(),
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
  expect(`https://${language.go.importBasePath}`).toBe(`${readSource().homepage}/sdk/go/agentpoolacl`);
  const [, logo = ""] = /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/v[\d.]+\/(.+)$/.exec(logoUrl) ?? [];
  expect(readFileSync(join(root, logo)).subarray(1, 4).toString()).toBe("PNG");
});
