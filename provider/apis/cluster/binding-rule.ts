import * as z from "zod";
import type { Connection } from "./connection";
import { Requests, type SharedKind, type WireKind } from "./requests";
import { absenceOf, key, listOf, object, text, toVersion, versions } from "./wire";

export type BindType = "role" | "policy" | "management";

export const form = object({
  ID: key,
  AuthMethod: z.string(),
  Description: text,
  Selector: text,
  BindType: z.string(),
  BindName: text,
  CreateTime: text,
  ModifyTime: text,
  ...versions,
}).transform((wire) => ({
  id: wire.ID,
  authMethod: wire.AuthMethod,
  description: wire.Description,
  selector: wire.Selector,
  bindType: wire.BindType,
  /** "" for bind type `management`. */
  bindName: wire.BindName,
  createTime: wire.CreateTime,
  modifyTime: wire.ModifyTime,
  ...toVersion(wire),
}));

/** "ACL binding rule" in the document. */
export type BindingRule = z.output<typeof form>;

export interface BindingRuleInput extends Pick<BindingRule, "authMethod" | "description" | "selector"> {
  readonly bindType: BindType;
  /** Left out, or "", for bind type `management`. */
  readonly bindName?: string | undefined;
}

const stub = object({ ID: key, AuthMethod: z.string(), Description: text, ...versions }).transform((wire) => ({
  id: wire.ID,
  authMethod: wire.AuthMethod,
  description: wire.Description,
  ...toVersion(wire),
}));

export type BindingRuleStub = z.output<typeof stub>;

export const list = listOf(stub);

/** The auth method of a rule can't change. */
export type BindingRuleUpdate = Omit<BindingRuleInput, "authMethod">;

export function createBody(input: BindingRuleInput) {
  return { AuthMethod: input.authMethod, ...contentOf(input) };
}

export function updateBody(id: string, input: BindingRuleUpdate) {
  return { ID: id, ...contentOf(input) };
}

function contentOf(input: BindingRuleUpdate) {
  return { Description: input.description, Selector: input.selector, BindType: input.bindType, BindName: input.bindName || undefined };
}

export const keyOf = ({ id }: BindingRuleStub) => id;
export const isKeyUuid = true;
export const path = "binding-rule";
export const listPath = "binding-rules";
export const absence = absenceOf("binding[- ]?rule");

type RuleKind = WireKind<BindingRule, BindingRuleStub, BindingRuleInput, BindingRuleUpdate>;

/** The requests for binding rules. By the version in a list, the content of a rule may be known from an earlier response. */
export class RuleRequests extends Requests<BindingRule, BindingRuleStub, BindingRuleInput, BindingRuleUpdate> {
  /** @param versions the rules of earlier responses, by their versions */
  constructor(
    connection: Connection,
    kind: RuleKind,
    shared: SharedKind<BindingRuleStub>,
    readonly versions: Map<string, BindingRule>,
  ) {
    super(connection, kind, shared);
  }

  override create(input: BindingRuleInput): Promise<BindingRule> {
    return this.remembered(super.create(input));
  }

  override update(id: string, input: BindingRuleUpdate): Promise<BindingRule> {
    return this.remembered(super.update(id, input));
  }

  override read(id: string): Promise<BindingRule> {
    return this.remembered(super.read(id));
  }

  /** The whole rule of a stub: each version of a rule is requested once. */
  async readListed(stub: BindingRuleStub): Promise<BindingRule> {
    return this.known(stub) ?? this.read(stub.id);
  }

  /** The whole rule of a stub, if an earlier response had this version. */
  known(stub: BindingRuleStub): BindingRule | undefined {
    return this.versions.get(editionOf(stub));
  }

  private async remembered(response: Promise<BindingRule>): Promise<BindingRule> {
    const rule = await response;
    this.versions.set(editionOf(rule), rule);
    return rule;
  }
}

/** What tells the versions of all rules apart. It has the index of the creation, too, because regions have different indexes. */
function editionOf({ id, createIndex, modifyIndex }: BindingRuleStub | BindingRule): string {
  return `${id.toLowerCase()} ${createIndex} ${modifyIndex}`;
}
