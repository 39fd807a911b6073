/**
 * The content of the stack: per 1,000 roles 100 auth methods and 100 binding rules. Programs and the measurement without an engine declare
 * the same.
 */

export const kinds = ["AclRole", "AclAuthMethod", "AclBindingRule"] as const;
export type Kind = (typeof kinds)[number];
export type Properties = Record<string, unknown>;

/** The policies that the roles name; they exist before. */
export const policies = ["read-only", "deploy"];

export const clientSecret = "a-client-secret-of-the-bench";

/** How many objects of each kind there are at a size. */
export function countsAt(size: number): Record<Kind, number> {
  const tenth = Math.max(1, Math.round(size / 10));
  return { AclRole: size, AclAuthMethod: tenth, AclBindingRule: tenth };
}

export function totalAt(size: number): number {
  return kinds.reduce((sum, kind) => sum + countsAt(size)[kind], 0);
}

/** How many objects of each kind an update of 10 % changes. */
export function revisedAt(size: number): Record<Kind, number> {
  const { AclRole, AclAuthMethod, AclBindingRule } = countsAt(size);
  return { AclRole: tenthOf(AclRole), AclAuthMethod: tenthOf(AclAuthMethod), AclBindingRule: tenthOf(AclBindingRule) };
}

const tenthOf = (count: number) => Math.ceil(count / 10);

export interface Declaring<R> {
  readonly size: number;
  /** Whether every tenth object has the values of the update. */
  readonly isRevised: boolean;
  readonly clientSecret: unknown;
  declare(kind: Kind, name: string, inputs: Properties): R;
  /** The name that another resource refers to this one by. */
  nameOf(resource: R): unknown;
}

/** Declares the stack. Rules take their names from a method and a role, so that they come after them. */
export function declareStack<R>({ size, isRevised, clientSecret: oidcClientSecret, declare, nameOf }: Declaring<R>): void {
  const numbers = (kind: Kind) =>
    Array.from({ length: countsAt(size)[kind] }, (_, index) => {
      const number = String(index + 1).padStart(5, "0");
      return { number, isNew: isRevised && index % 10 === 0 };
    });
  const roles = numbers("AclRole").map(({ number, isNew }) =>
    declare("AclRole", `role-${number}`, {
      name: `team-${number}`,
      description: `${isNew ? "Former members" : "Members"} of team ${number}`,
      policies,
    }),
  );
  const methods = numbers("AclAuthMethod").map(({ number, isNew }) =>
    declare("AclAuthMethod", `method-${number}`, {
      name: `sso-${number}`,
      type: "OIDC",
      tokenLocality: "global",
      maxTokenTtl: isNew ? "7h0m0s" : "8h0m0s",
      config: {
        oidcDiscoveryUrl: "https://login.example.com",
        oidcClientId: `cluster-${number}`,
        oidcClientSecret,
        allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
        listClaimMappings: { groups: "groups" },
      },
    }),
  );
  for (const [index, { number, isNew }] of numbers("AclBindingRule").entries()) {
    const [method, role] = [methods[index], roles[index]];
    if (method === undefined || role === undefined) throw new Error("a rule without a method or a role");
    declare("AclBindingRule", `rule-${number}`, {
      authMethod: nameOf(method),
      description: `${isNew ? "Former logins" : "Logins"} of team ${number}`,
      selector: `"team-${number}" in list.groups`,
      bindType: "role",
      bindName: nameOf(role),
    });
  }
}
