import * as z from "zod";
import { selectorProblem } from "../../access/selector";
import { templateProblem } from "../../access/template";
import { isKnown } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import { uuid } from "../../common/uuid";
import type { BindingRule, BindingRuleStub, ClusterClient } from "../apis/cluster/client";
import { isApiError } from "../apis/http/errors";
import { getter, lister, nonEmpty } from "../functions/look-ups";
import { adopt } from "../lifecycle/adopt";
import { defineResource } from "../lifecycle/define";
import { readNamed, readOrMissing } from "../lifecycle/gone";
import type { Path } from "../model/check";
import { differences } from "../model/diff";
import { field, propertiesOf } from "../model/fields";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import type { StateOf } from "../model/state";
import { longInBytes, shortened, someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { clusterOutputs, times } from "./cluster-outputs";

const kind = "AclBindingRule";
const source = "Access-control interface, ACL binding rule";

const inputs = z.object({
  authMethod: field(
    z.string().min(1, "must be the name of an auth method"),
    "Name of the auth method whose logins the rule applies to. It must exist before the rule, and can't change.",
    { replaces: true, source },
  ),
  description: field(z.string().default(""), "Free text. Some servers accept at most 256 bytes.", { source }),
  selector: field(
    z.string().default(""),
    'Boolean expression over the claims of a login, like `engineering in list.groups` or `value.team == "ops"`. ' +
      "The empty selector matches every login of the method, and must be written out if bindType is `management`. " +
      `Put a claim's name with a dash in double quotes, as in \`value["my-claim"]\`.`,
    { form: selectorProblem, emptyMatters: true, source },
  ),
  bindType: field(
    z.enum(["role", "policy", "management"], 'must be "role", "policy" or "management"'),
    "Grant of a matching login: a role, a policy, or management. A change to `management` replaces the rule.",
    // The API accepts no empty BindName in an update, and no BindName with management.
    { replacesTo: "management", source },
  ),
  bindName: field(
    z.string().min(1, "must not be empty").optional(),
    `Name of the role or policy; values of claims are interpolated, like \`team-\${value.team}\`. Required unless bindType is \`management\`, and not allowed then.`,
    { form: templateProblem, source },
  ),
  adopt,
});

const outputs = clusterOutputs("rule", times("rule"));
const { createTime, modifyTime, ...version } = outputs.omit({ server: true }).shape;

const stub = {
  id: field(z.string(), "Identifier of the rule."),
  authMethod: field(z.string(), "Name of the auth method whose logins the rule applies to."),
  description: field(z.string(), "Free text."),
  ...version,
};

export const getBindingRule = getter(kind, {
  by: "its ID, or by its method and its description or selector",
  note: "It also fails when several match.",
  source: "Access-control interface, Binding rules",
  inputs: z.object({ id: field(nonEmpty(), "Identifier of the rule, METHOD/DESCRIPTION, or METHOD/SELECTOR.") }),
  outputs: z.object({
    ...stub,
    selector: field(z.string(), "Boolean expression over the claims of a login; the empty one matches every login."),
    bindType: field(z.string(), "Grant of a matching login: `role`, `policy` or `management`."),
    bindName: field(z.string(), "Name of the role or policy; empty for `management`."),
    createTime,
    modifyTime,
  }),
  async run(context, { id }) {
    const cluster = context.cluster();
    return cluster.rules.read(await idOfRule(cluster, id));
  },
});

export const listBindingRules = lister(kind, {
  many: "bindingRules",
  of: "of the cluster, without their selectors, bind types and bind names",
  source: "Access-control interface, Binding rules",
  inputs: z.object({}),
  item: z.object(stub),
  run: (context) => context.cluster().rules.list(),
});

type Inputs = z.output<typeof inputs>;
type State = StateOf<typeof inputs, typeof outputs>;

/** A binding rule: the grant of an auth method's logins, by their claims. */
export const aclBindingRule = defineResource<typeof inputs, typeof outputs, BindingRule, BindingRuleStub>({
  kind,
  label: "ACL binding rule",
  api: "cluster",
  description: `An ACL binding rule of a Nomad cluster: the grant of an auth method's logins, by their claims.

**Import** takes the rule's ID, METHOD/DESCRIPTION, or METHOD/SELECTOR. METHOD/ is the rule without a description, or, if all have one, the one with the empty selector.`,
  inputs,
  outputs,
  lookUps: [getBindingRule, listBindingRules],

  validate(given, fail, { olds }, written) {
    const wasForEveryone = olds.bindType === "management" && olds.selector === "";
    if (given.bindType === "management" && isLeftOut(written.selector) && !wasForEveryone) {
      fail(
        ["selector"],
        'is required when bindType is "management": without one, everyone who logs in gets management rights. If that is intended, write ""',
      );
    }
    if (given.bindType === "management" && isKnown(given.bindName)) {
      fail(["bindName"], `is not allowed when bindType is "management"`);
    }
    if ((given.bindType === "role" || given.bindType === "policy") && given.bindName === undefined) {
      fail(["bindName"], `is required when bindType is ${JSON.stringify(given.bindType)}`);
    }
  },

  warnings: (given, written, { olds }) => [
    ...everyoneIn(given, written, olds),
    ...idForName(given),
    ...longInBytes(`A binding rule of ${typeof given.authMethod === "string" ? given.authMethod : "an auth method"}`, given.description),
  ],

  // Servers accept equal rules, but a create of this provider refuses the second one.
  identity: { property: "description", names: ["authMethod", "selector", "bindType", "bindName", "description"], isUnique: false },
  mayLockOut: (method, { authMethod, bindType }) => authMethod === method && bindType === "management",

  errorProperties: [
    [/selector/i, "selector"],
    [/auth method/i, "authMethod"],
    [/bind name/i, "bindName"],
    [/bind type/i, "bindType"],
    [/description/i, "description"],
  ],

  requests: (context) => context.cluster().rules,
  nameOf: ({ id, description }) => description || id,
  labelOf,

  labelOfExisting: ({ authMethod }) => `An ACL binding rule of auth method ${JSON.stringify(authMethod)} that grants the same`,
  find: identicalTo,
  checksBeforeCreate: true,
  create: (context, news) => context.cluster().rules.create(news),

  toId: async (context, name) => ({ id: await idOfRule(context.cluster(), name) }),

  async update(context, id, { known, sent, whole: rule, remote, ignores }) {
    if (known) refuseMixture(labelOf(id, known), { known, sent, remote: remote.inputs, ignores });
    return { whole: await context.cluster().rules.update(id, sent, rule) };
  },
  afterWrite: warnOfMissingRole,
});

/**
 * The warning for a rule whose selector is left out. If the rule had a selector before, the checks of the whole program report that
 * instead.
 */
function everyoneIn(given: Properties, written: Properties, olds: Properties): string[] {
  const { bindType, authMethod } = given;
  if (typeof bindType !== "string" || bindType === "management" || olds.selector || !isLeftOut(written.selector)) return [];
  const everyone = `everyone who logs in with ${typeof authMethod === "string" ? authMethod : "its auth method"}`;
  return [`A binding rule without a selector gives its ${bindType} to ${everyone}. If that is intended, write selector: "".`];
}

/**
 * The warning for a role's ID where its name belongs: a program may pass the resource's `id`. It is not an error, because a role may have
 * such a name.
 */
function idForName({ bindType, bindName }: Properties): string[] {
  if (bindType !== "role" || typeof bindName !== "string" || !uuid.test(bindName)) return [];
  return [
    `bindName: ${bindName} looks like a role's ID. A rule names a role by its name: give the role's \`name\`, as in developers.name. A rule whose role does not exist grants nothing.`,
  ];
}

/**
 * Refuses a wrong merge of bind type and bind name: the program changes one of them, and others have changed the other.
 *
 * @throws before anything is written
 */
function refuseMixture(
  label: string,
  { known, sent, remote, ignores }: { known: State; sent: Inputs; remote: Properties; ignores: (path: Path) => boolean },
): void {
  const pair = ["bindType", "bindName"] as const;
  const ours = pair.filter((name) => sent[name] !== remote[name]);
  const theirs = pair.filter((name) => sent[name] === remote[name] && remote[name] !== known[name] && !ignores([name]));
  if (ours.length === 0 || theirs.length === 0) return;
  throw new UserError(
    "rights-would-mix",
    `${label}: ${theirs.map((name) => `${name} (now ${JSON.stringify(remote[name] ?? "")})`).join()} has changed on the server since the state was written, and this update changes ${ours.join()}. ` +
      "Together they would grant unintended rights, so nothing was written. Run `pulumi refresh` to see that change; the update after it writes the program's values.",
  );
}

/**
 * The rules with the same content. The list holds stubs, so rules that may match are read singly, unless they are known: each version of
 * a rule is read once.
 */
async function identicalTo(context: CallContext, news: Inputs): Promise<readonly BindingRule[]> {
  const { rules: requests } = context.cluster();
  const isAlike = (stub: BindingRuleStub) => stub.authMethod === news.authMethod && stub.description === news.description;
  const stubs = (await requests.list()).filter(isAlike);
  const rules = await Promise.all(
    stubs.map((stub) => requests.known(stub) ?? readNamed(context, () => labelOf(stub.id), requests, stub.id)),
  );
  return rules
    .filter((rule) => rule !== undefined)
    .filter(
      ({ selector, bindType, bindName }) =>
        differences(propertiesOf(inputs), news, { ...news, selector, bindType, bindName: bindName || undefined }).length === 0,
    );
}
function labelOf(id: string, known?: { readonly authMethod?: string | undefined }): string {
  return known?.authMethod ? `ACL binding rule ${id} of auth method ${JSON.stringify(known.authMethod)}` : `ACL binding rule ${id}`;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Warns about a rule for a role that neither the cluster has nor the program declares. Servers accept rules for any name. */
async function warnOfMissingRole(context: CallContext, label: string, { bindType, bindName }: Properties): Promise<void> {
  const isDeclared = () => context.operation.identities.has(identityText("AclRole", [bindName]));
  if (bindType !== "role" || typeof bindName !== "string" || bindName.includes("${") || isDeclared()) return;
  const { roles, server } = context.cluster();
  const isThere = (all: readonly { readonly name: string }[]) => all.some(({ name }) => name === bindName);
  try {
    // The program may have declared the role in the meantime.
    if (isThere(await roles.recentListIf(() => true)) || isDeclared()) return;
  } catch (error) {
    // The rule is already written. A token that may not list roles, or a failed list, is no reason for an error.
    if (isApiError(error)) return;
    throw error;
  }
  context.warn(
    `${label} gives the role ${JSON.stringify(bindName)}, which ${server} does not have: it gives nothing until there is one. ` +
      "Correct the name, or create the role; if this program declares it further down, give the rule the role's `name`, so the role is made first.",
  );
}

const forms = "Give the rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR.";

/** The maximal number of rules in an error. Each takes a request. */
const mostListed = 20;

/**
 * The ID of a rule from the text of an import, a `get` or a look-up: the ID itself, METHOD/DESCRIPTION, or METHOD/SELECTOR. A rule's
 * description is compared first, since lists have no selectors: METHOD/ is the rule without a description, or else the one with the empty
 * selector.
 *
 * @throws UserError with the rules that may be meant, if none or several have that description or selector
 */
async function idOfRule(cluster: ClusterClient, name: string): Promise<string> {
  if (uuid.test(name)) return name;
  const slash = name.indexOf("/");
  if (slash < 1) throw new UserError("rule-not-named", `There is no ACL binding rule ${quoted(name)}. ${forms}`);
  const [authMethod, text] = [name.slice(0, slash), name.slice(slash + 1)];
  const all = await cluster.rules.list();
  const stubs = all.filter((stub) => stub.authMethod === authMethod);
  const described = stubs.filter(({ description }) => description === text);
  if (described.length === 1 && described[0]) return described[0].id;
  const read = (described.length > 0 ? described.slice(0, mostListed) : stubs).map((stub) =>
    readOrMissing(() => cluster.rules.readListed(stub)),
  );
  const rules = (await Promise.all(read)).filter((rule) => rule !== undefined);
  const meant = described.length > 0 ? rules : rules.filter(({ selector }) => selector === text);
  if (meant.length === 1 && meant[0]) return meant[0].id;
  const what = text === "" ? "an empty description or selector" : `the description or the selector ${quoted(text)}`;
  const which = `auth method ${quoted(authMethod)} with ${what}`;
  const others = [...new Set(all.map((stub) => quoted(stub.authMethod)))];
  const found =
    stubs.length === 0
      ? `There is no ACL binding rule of an auth method ${quoted(authMethod)} on ${cluster.server}. ${others.length > 0 ? `There are rules of ${someOf(others)}` : "There is no rule at all"}`
      : meant.length === 0
        ? `There is no ACL binding rule of ${which}. Its rules are ${listed(rules)}`
        : `There are ${described.length || meant.length} ACL binding rules of ${which}: ${listed(meant, described.length)}`;
  throw new UserError("rule-not-named", `${found}. ${rules.length === 0 ? forms : "Give the ID of one."}`);
}

function listed(rules: readonly BindingRule[], count = 0): string {
  const texts = rules.slice(0, mostListed).map(({ id, description, selector, bindType, bindName }) => {
    const called = description === "" ? "" : `${quoted(description)}, `;
    const selects = selector === "" ? "the empty selector" : `selector ${quoted(selector)}`;
    return `${id} (${called}${selects}, binds ${bindName === "" ? bindType : `${bindType} ${quoted(bindName)}`})`;
  });
  const more = Math.max(count, rules.length) - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}
