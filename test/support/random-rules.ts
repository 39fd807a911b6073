/** Random rules of policies, and random questions about them. Their names consist of the same few words, so questions often hit a rule. */
import fc from "fast-check";

const namespaces = ["prod", "prod-api", "dev", "*", "prod-*", "*-api", "pr*d", "prod*", "d*"];
const paths = ["app/db", "app/*", "*", "*/db", "app/d*", "*a*"];
const pools = ["gpu", "gpu-*", "*", "*u"];
const jobCapabilities = [
  ...["list-jobs", "read-job", "submit-job", "plan-job", "purge-job", "dispatch-job", "scale-job", "alloc-exec", "list-scaling-policies"],
  ...["csi-read-volume", "csi-mount-volume", "csi-write-volume", "host-volume-write", "host-volume-register", "host-volume-create"],
  ...["read-job-scaling", "register-job", "tag-job-version", "deny"],
];
const variableCapabilities = ["read", "list", "write", "destroy", "deny"];

const listOf = (words: readonly string[]) => fc.subarray([...words], { maxLength: 3 }).map((some) => JSON.stringify(some));
const level = (words: readonly string[]) => fc.constantFrom(...words).map((word) => `policy = "${word}"`);
const optional = (text: fc.Arbitrary<string>) => fc.option(text, { nil: "", freq: 3 });
const parts = (...some: fc.Arbitrary<string>[]) => fc.tuple(...some).map((texts) => texts.join(" "));

const capabilitiesOf = (words: readonly string[]) => listOf(words).map((list) => `capabilities = ${list}`);
const path = fc.tuple(fc.constantFrom(...paths), capabilitiesOf(variableCapabilities)).map(([name, body]) => `path "${name}" { ${body} }`);
const variables = fc.array(path, { minLength: 1, maxLength: 3 }).map((some) => `variables { ${some.join(" ")} }`);
const named = (kind: string, names: readonly string[], body: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...names), body).map(([name, inner]) => `${kind} "${name}" { ${inner} }`);

const block = fc.oneof(
  {
    weight: 5,
    arbitrary: named(
      "namespace",
      namespaces,
      parts(optional(level(["read", "write", "scale", "deny"])), optional(capabilitiesOf(jobCapabilities)), optional(variables)),
    ),
  },
  { weight: 1, arbitrary: named("node_pool", pools, parts(level(["read", "write", "deny"]))) },
  { weight: 1, arbitrary: named("host_volume", pools, capabilitiesOf(["mount-readonly", "mount-readwrite", "deny"])) },
);
const single = fc.constantFrom(
  ...["agent", "node", "quota"].flatMap((kind) => ["read", "write", "deny"].map((word) => `${kind} { policy = "${word}" }`)),
  ...["read", "list", "write", "deny"].map((word) => `plugin { policy = "${word}" }`),
  ...["read", "write", "deny"].map((word) => `operator { policy = "${word}" }`),
  ...["snapshot-save", "deny"].map((word) => `operator { capabilities = ["${word}"] }`),
);

/** The rules of one policy. */
export const rules = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 4 }), fc.option(single, { nil: "" }))
  .map(([blocks, last]) => [...blocks, last].join("\n"));

/** The rules of several policies of one token. Servers combine them. */
export const rulesSets = fc.array(rules, { maxLength: 3 });

const name = fc
  .array(fc.constantFrom("prod", "dev", "d", "-", "api", "pr", "x", "app", "gpu"), { minLength: 1, maxLength: 3 })
  .map((some) => some.join(""));
const variablePath = fc
  .array(fc.constantFrom("app", "/", "db", "d", "a", "x"), { minLength: 1, maxLength: 4 })
  .map((some) => some.join(""));

/** Questions about names that occur in the rules, and about other names. */
export const questions = fc.oneof(
  fc.record({ ask: fc.constantFrom(...jobCapabilities.slice(0, -1), "parse-job", "namespace:read"), namespace: name }),
  fc.record({
    ask: fc.constantFrom("variables:read", "variables:list", "variables:write", "variables:destroy"),
    namespace: name,
    path: variablePath,
  }),
  fc.record({
    ask: fc.constantFrom("node_pool:read", "node_pool:write", "host_volume:mount-readonly", "host_volume:mount-readwrite"),
    name,
  }),
  fc.record({
    ask: fc.constantFrom(
      "agent:read",
      "node:write",
      "quota:read",
      "plugin:read",
      "plugin:list-csi",
      "operator:read",
      "operator:snapshot-save",
    ),
  }),
);
