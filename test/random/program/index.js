/** Registers the resources in SOAK_DECLARATIONS with the classes of the adapter in SOAK_ADAPTER. */
const pulumi = require("@pulumi/pulumi");
const { register } = require("../../../dist/tools/soak/program");

const { SOAK_ADAPTER, SOAK_DECLARATIONS } = process.env;
const classes = SOAK_ADAPTER === "plugin" ? require("pulumi-agentpool-acl/plugin") : require("pulumi-agentpool-acl");

const stack = {
  resource(kind, name, inputs, { dependsOn = [], ...options }) {
    const resource = new classes[kind](name, inputs, { ...options, dependsOn: dependsOn.map((other) => other.resource) });
    return { resource, output: (property) => resource[property] };
  },
  secret: pulumi.secret,
};

register(stack, JSON.parse(SOAK_DECLARATIONS), { type: (kind) => kind, inputs: (_, given) => given });
