/** Registers the resources in SOAK_DECLARATIONS with the classes of the adapter in SOAK_ADAPTER. */
const { register } = require("../../../dist/test/random/declarations");

const { SOAK_ADAPTER, SOAK_DECLARATIONS } = process.env;
const classes = SOAK_ADAPTER === "plugin" ? require("pulumi-agentpool-acl/plugin") : require("pulumi-agentpool-acl");

function declare(kind, name, inputs, { dependsOn = [], ...options }) {
  const resource = new classes[kind](name, inputs, { ...options, dependsOn: dependsOn.map((other) => other.resource) });
  return { resource, output: (property) => resource[property] };
}

register(declare, JSON.parse(SOAK_DECLARATIONS));
