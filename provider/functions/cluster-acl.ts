import * as z from "zod";
import { UserError } from "../../common/user-error";
import { readById, readByName } from "../apis/cluster/role";
import { field } from "../model/fields";
import { idOfRule } from "../resources/acl-binding-rule";
import { jobAcl } from "../resources/acl-policy";
import { configFromWire, readableConfig } from "../resources/auth-method/config";
import { defineFunction, orMissing, version } from "./definition";

const given = () => z.string().min(1, "must not be empty");
const createTime = field(z.string(), "Time of the object's creation (ISO 8601, UTC).");
const modifyTime = field(z.string(), "Time of the object's last change (ISO 8601, UTC).");

const methodStub = {
  name: field(z.string(), "Name of the method."),
  type: field(z.string(), "Kind of login: `OIDC` or `JWT`."),
  default: field(z.boolean(), "Whether this is the method of a login that names none."),
  ...version,
};

const role = {
  id: field(z.string(), "Identifier of the role."),
  name: field(z.string(), "Name of the role."),
  description: field(z.string(), "Free text."),
  policies: field(z.array(z.string()), "Names of the ACL policies that the role groups."),
  ...version,
};

const policyStub = {
  name: field(z.string(), "Name of the policy."),
  description: field(z.string(), "Free text."),
  ...version,
};

const ruleStub = {
  id: field(z.string(), "Identifier of the rule."),
  authMethod: field(z.string(), "Name of the auth method whose logins the rule applies to."),
  description: field(z.string(), "Free text."),
  ...version,
};

export const getAuthMethod = defineFunction({
  name: "getAuthMethod",
  description:
    "Looks up one ACL auth method by its name. It fails when there is none. The API does not return secrets, so they are left out.",
  source: "Access-control interface, Auth methods",
  inputs: z.object({ name: field(given(), "Name of the method.") }),
  outputs: z.object({
    ...methodStub,
    tokenLocality: field(z.string(), "Whether a login makes a token for the one region (`local`), or for all of them (`global`)."),
    maxTokenTtl: field(z.string(), 'Longest life of a token that a login makes, as a duration like "1h0m0s".'),
    tokenNameFormat: field(z.string(), "Template of the names of tokens that a login makes."),
    config: field(readableConfig, "Configuration of the identity provider, without its secrets."),
    createTime,
    modifyTime,
  }),
  async run(context, { name }) {
    const { config, ...method } = await orMissing("getAuthMethod", `ACL auth method named ${JSON.stringify(name)}`, () =>
      context.cluster().methods.read(name),
    );
    return { ...method, config: readableConfig.parse(configFromWire(config, undefined)) };
  },
});

export const listAuthMethods = defineFunction({
  name: "listAuthMethods",
  description: "Lists the ACL auth methods of the cluster, without their configurations.",
  source: "Access-control interface, Auth methods",
  inputs: z.object({}),
  outputs: z.object({ authMethods: field(z.array(field(z.object(methodStub), "An auth method, in short.")), "The methods.") }),
  run: async (context) => ({ authMethods: [...(await context.cluster().methods.list())] }),
});

export const getRole = defineFunction({
  name: "getRole",
  description: "Looks up one ACL role by its ID or its name. It fails when there is none.",
  source: "Access-control interface, Roles",
  inputs: z.object({
    id: field(given().optional(), "Identifier of the role. Either this or `name`."),
    name: field(given().optional(), "Name of the role. Either this or `id`."),
  }),
  outputs: z.object(role),
  async run(context, { id, name }) {
    const cluster = context.cluster();
    if (id !== undefined && name === undefined)
      return orMissing("getRole", `ACL role with the ID ${JSON.stringify(id)}`, () => readById(cluster.roles, id));
    if (id === undefined && name !== undefined)
      return orMissing("getRole", `ACL role named ${JSON.stringify(name)}`, () => readByName(cluster.roles, name));
    throw new UserError("arguments-unclear", "getRole: give either id or name.");
  },
});

export const listRoles = defineFunction({
  name: "listRoles",
  description: "Lists the ACL roles of the cluster that the token may see.",
  source: "Access-control interface, Roles",
  inputs: z.object({
    prefix: field(
      z
        .string()
        .regex(/^[0-9a-f-]*$/i, "must be hexadecimal digits and dashes")
        .optional(),
      "Beginning of the roles' IDs, not of their names: only roles whose ID begins with it, with or without dashes.",
    ),
  }),
  outputs: z.object({ roles: field(z.array(field(z.object(role), "A role.")), "The roles.") }),
  async run(context, { prefix = "" }) {
    const digits = prefix.replaceAll("-", "").toLowerCase();
    // Measured servers compare the text of an ID, whose first dash follows eight digits. Servers of the document take whole bytes.
    const sent = digits.slice(0, Math.min(8, digits.length - (digits.length % 2)));
    const roles = await context.cluster().roles.listOnly({ prefix: sent || undefined });
    return { roles: roles.filter(({ id }) => id.replaceAll("-", "").startsWith(digits)) };
  },
});

export const getBindingRule = defineFunction({
  name: "getBindingRule",
  description:
    "Looks up one ACL binding rule by its ID, or by its method and its description or selector. It fails when there is none, or several.",
  source: "Access-control interface, Binding rules",
  inputs: z.object({
    id: field(given(), "Identifier of the rule, METHOD/DESCRIPTION, or METHOD/SELECTOR."),
  }),
  outputs: z.object({
    ...ruleStub,
    selector: field(z.string(), "Boolean expression over the claims that a login brings; the empty one matches every login."),
    bindType: field(z.string(), "What a matching login gets: `role`, `policy` or `management`."),
    bindName: field(z.string(), "Name of the role or policy; empty for `management`."),
    createTime,
    modifyTime,
  }),
  run: (context, { id }) =>
    orMissing("getBindingRule", `ACL binding rule with the ID ${JSON.stringify(id)}`, async () => {
      const cluster = context.cluster();
      return cluster.rules.read(await idOfRule(cluster, id));
    }),
});

export const listBindingRules = defineFunction({
  name: "listBindingRules",
  description: "Lists the ACL binding rules of the cluster, without their selectors, bind types and bind names.",
  source: "Access-control interface, Binding rules",
  inputs: z.object({}),
  outputs: z.object({ bindingRules: field(z.array(field(z.object(ruleStub), "A binding rule, in short.")), "The rules.") }),
  run: async (context) => ({ bindingRules: [...(await context.cluster().rules.list())] }),
});

export const getPolicy = defineFunction({
  name: "getPolicy",
  description: "Looks up one ACL policy by its name. It fails when there is none.",
  source: "Public reference, ACL Policies",
  inputs: z.object({ name: field(given(), "Name of the policy.") }),
  outputs: z.object({
    ...policyStub,
    rules: field(z.string(), "What the policy allows, in the cluster's policy language."),
    jobAcl: field(jobAcl.optional(), "Job whose tasks have the policy by their own identities. Absent if there is none."),
  }),
  run: (context, { name }) =>
    orMissing("getPolicy", `ACL policy named ${JSON.stringify(name)}`, () => context.cluster().policies.read(name)),
});

export const listPolicies = defineFunction({
  name: "listPolicies",
  description: "Lists the ACL policies of the cluster that the token may see, without their rules.",
  source: "Public reference, ACL Policies",
  inputs: z.object({}),
  outputs: z.object({ policies: field(z.array(field(z.object(policyStub), "A policy, in short.")), "The policies.") }),
  run: async (context) => ({ policies: [...(await context.cluster().policies.list())] }),
});
