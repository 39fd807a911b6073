import * as z from "zod";
import type { ClusterKind } from "./requests";
import { keptObject, key, listOf, missing, object, text, toVersion, versions } from "./wire";

export type BindType = "role" | "policy" | "management";

const form = keptObject({
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
  rest: wire.rest,
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

/** The auth method of a rule can't change. */
export type BindingRuleUpdate = Omit<BindingRuleInput, "authMethod">;

function contentOf(input: BindingRuleUpdate) {
  return { Description: input.description, Selector: input.selector, BindType: input.bindType, BindName: input.bindName || undefined };
}

export const rules: ClusterKind<BindingRule, BindingRuleStub, BindingRuleInput, BindingRuleUpdate, BindingRule> = {
  path: "v1/acl/binding-rule",
  listPath: "v1/acl/binding-rules",
  listIs: "whole",
  refusals: missing("binding[- ]?rule"),
  form,
  list: listOf(stub),
  written: form,
  createBody: (input) => ({ AuthMethod: input.authMethod, ...contentOf(input) }),
  updateBody: (id, input) => ({ ID: id, ...contentOf(input) }),
  keyOf: ({ id }) => id,
  isKeyUuid: true,
  isRemembered: true,
};
