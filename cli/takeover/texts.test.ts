/** Whatever is in the texts of the servers, the programs say what they are. */
import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import * as z from "zod";
import { isRecord } from "../../provider/model/unknown";
import { hostileObjects } from "../../test/support/hostile-objects";
import { chosenSeed } from "../../test/support/seed";
import { declaredBy, inputsByName, of } from "../../test/support/takeover";
import { goProgram } from "./go";
import { pythonProgram } from "./python";
import { typescriptProgram } from "./typescript";
import { yamlProgram } from "./yaml";

/** Programs' objects, whose texts are of every kind: others with every change of the code. */
const drawn = (numRuns: number) => fc.sample(hostileObjects, { numRuns, seed: chosenSeed("TEXTS_SEED") });

test("whatever the texts are, the TypeScript program says what they are", () => {
  for (const objects of drawn(60)) {
    const program = of("typescript", objects);
    expect(declaredBy({ "index.ts": typescriptProgram(program) })).toEqual(inputsByName(program));
  }
});

const parser = `
import ast, json, sys, types
def value(node):
    if isinstance(node, ast.Call):
        return {k.arg: value(k.value) for k in node.keywords}
    if isinstance(node, ast.Attribute):
        return "sso"
    if isinstance(node, ast.List):
        return [value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {key.value: value(item) for key, item in zip(node.keys, node.values)}
    return node.value
result = []
for text in json.load(sys.stdin):
    calls = [n.value for n in ast.parse(text).body if isinstance(n, (ast.Assign, ast.Expr))]
    result.append([value(call) for call in calls])
print(json.dumps(result))
`;

test("whatever the texts are, the Python program says what they are", () => {
  if (spawnSync("python3", ["--version"]).error) return console.log("Left out, because there is no python3 on PATH");
  const all = drawn(150);
  const texts = all.map((objects) => pythonProgram(of("python", objects)));
  const { stdout, stderr } = spawnSync("python3", ["-c", parser], { input: JSON.stringify(texts), encoding: "utf8", maxBuffer: 2 ** 28 });
  expect(stderr).toBe("");
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const spelled = (inputs: object): object =>
    Object.fromEntries(Object.entries(inputs).map(([name, value]) => [snake(name), name === "config" ? spelled(Object(value)) : value]));
  expect(JSON.parse(stdout)).toEqual(all.map((objects) => objects.map(({ inputs }) => spelled(inputs))));
});

test("whatever the texts are, gofmt reads the Go program", () => {
  if (spawnSync("gofmt", ["--help"]).error) return console.log("Left out, because there is no gofmt on PATH");
  const functions = drawn(100).map((objects, index) =>
    goProgram(of("go", objects))
      .replace("package main", "")
      .replace(/import \([^)]*\)/, "")
      .replace("func main", `func main${index}`),
  );
  const { status, stderr } = spawnSync("gofmt", ["-e"], {
    input: `package main\n${functions.join("\n")}`,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  expect([status, stderr]).toEqual([0, ""]);
});

// Pulumi's SDK and jest have it; it has no types.
const { load } = jest.requireActual<{ load(text: string): unknown }>("js-yaml");
const yamlResources = z.object({ resources: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()) })) });

/** What Pulumi reads in a text of YAML: two dollar signs are one, and what is in braces after a single one is interpolated. */
function interpolated(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\$|\$\{([a-z]*)[^}]*\}?/g, (found, variable: string) => (found === "$$" ? "$" : variable));
  }
  if (Array.isArray(value)) return value.map(interpolated);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [interpolated(key), interpolated(item)]));
}

test("whatever the texts are, the YAML program says what they are", () => {
  for (const objects of drawn(300)) {
    const program = of("yaml", objects);
    const { resources } = yamlResources.parse(load(yamlProgram(program)));
    const properties = Object.values(resources).map((one) => interpolated(one.properties));
    expect(properties).toEqual(Object.values(inputsByName(program)));
  }
});
