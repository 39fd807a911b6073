import {
  indented,
  isDeclaration,
  isList,
  isValues,
  Reference,
  SecretKey,
  secretsIn,
  type Value,
  type Values,
  type Writer,
} from "./program";

export const yaml: Writer = ({ steps, outputs }) => {
  const secrets = steps.flatMap(({ properties }) => secretsIn(properties));
  const sections: [string, Record<string, string>][] = [
    ["config", Object.fromEntries(secrets.map(({ key }) => [key, "\n  type: string\n  secret: true"]))],
    [
      "resources",
      Object.fromEntries(
        steps.filter(isDeclaration).map((step) => {
          const properties = Object.keys(step.properties).length > 0 ? `\n  properties:\n${indented(lines(step.properties), "    ")}` : "";
          return [step.variable, `\n  type: agentpool-acl:${step.kind}${properties}`];
        }),
      ),
    ],
    [
      "variables",
      Object.fromEntries(
        steps.flatMap((step) => {
          if (isDeclaration(step)) return [];
          const given = Object.keys(step.properties).length > 0 ? `\n${indented(lines(step.properties), "      ")}` : " {}";
          return [[step.variable, `\n  fn::invoke:\n    function: agentpool-acl:${step.call}\n    arguments:${given}`]];
        }),
      ),
    ],
    ["outputs", Object.fromEntries(Object.entries(outputs).map(([name, reference]) => [name, ` ${scalar(reference)}`]))],
  ];
  return sections
    .filter(([, entries]) => Object.keys(entries).length > 0)
    .map(
      ([title, entries]) =>
        `${title}:\n${indented(
          Object.entries(entries)
            .map(([name, text]) => `${name}:${text}`)
            .join("\n"),
          "  ",
        )}`,
    )
    .join("\n");
};

function lines(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}:${isValues(value) ? `\n${indented(lines(value), "  ")}` : ` ${scalar(value)}`}`)
    .join("\n");
}

function scalar(value: Value): string {
  if (value instanceof Reference) return `\${${value.variable}.${value.property}}`;
  if (value instanceof SecretKey) return `\${${value.key}}`;
  if (isList(value)) return `[${value.map(scalar).join(", ")}]`;
  if (isValues(value)) throw new Error("an object within a list has no form here");
  return typeof value === "string" && /^[A-Za-z][\w./: -]*$/.test(value) && !/: |^(true|false|yes|no|null)$/.test(value)
    ? value
    : JSON.stringify(value);
}
