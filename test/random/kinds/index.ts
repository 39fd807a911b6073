import { resources } from "../../../provider/resources";
import { aclAuthMethod, type MethodDeclaration } from "./acl-auth-method";
import { aclBindingRule, type ResolvedRule, type RuleDeclaration } from "./acl-binding-rule";
import { aclPolicy, type PolicyDeclaration } from "./acl-policy";
import { aclRole, type RoleDeclaration } from "./acl-role";
import { aclToken, type ResolvedToken, type TokenDeclaration } from "./acl-token";
import { agentPool, type PoolDeclaration } from "./agent-pool";
import type { RandomKind, Resolved } from "./kind";

export type Declaration = PoolDeclaration | MethodDeclaration | PolicyDeclaration | RoleDeclaration | RuleDeclaration | TokenDeclaration;
/** A declaration with its names resolved. The names depend on the other declarations. */
export type Declared =
  | ((PoolDeclaration | MethodDeclaration | PolicyDeclaration | RoleDeclaration) & Resolved)
  | ResolvedRule
  | ResolvedToken;
export type RandomKindName = Declaration["kind"];

/** The only list of the kinds that random lifecycles declare. */
const randomKinds: Readonly<Record<RandomKindName, RandomKind<Declaration, Declared>>> = {
  AgentPool: agentPool,
  AclAuthMethod: aclAuthMethod,
  AclPolicy: aclPolicy,
  AclRole: aclRole,
  AclBindingRule: aclBindingRule,
  AclToken: aclToken,
};

const isDeclared = (kind: string): kind is RandomKindName => kind in randomKinds;

/** The kinds in the provider's order: each comes after the kinds that it refers to. */
export const kinds: readonly RandomKindName[] = resources.map(({ kind }) => kind).filter(isDeclared);

export function randomKind(kind: RandomKindName): RandomKind<Declaration, Declared> {
  return randomKinds[kind];
}
