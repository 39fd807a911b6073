/**
 * The content of the stack: 100 auth methods and 100 binding rules for 1,000 roles. The programs of all providers declare the same objects.
 */

export const kinds = ["AclRole", "AclAuthMethod", "AclBindingRule"] as const;
export type Kind = (typeof kinds)[number];
export type Properties = Record<string, unknown>;

/** The policies of the roles. They exist before the first update. */
export const policies = ["read-only", "deploy"];

export const clientSecret = "a-client-secret-of-the-bench";

/** The number of objects of each kind for a size. */
function countsAt(size: number): Record<Kind, number> {
  const tenth = Math.max(1, Math.round(size / 10));
  return { AclRole: size, AclAuthMethod: tenth, AclBindingRule: tenth };
}

export function totalAt(size: number): number {
  return kinds.reduce((sum, kind) => sum + countsAt(size)[kind], 0);
}

/** The declarations of a program: the number of roles, and whether every tenth object has the values of the update. */
export interface Workload {
  readonly size: number;
  readonly isRevised: boolean;
  readonly clientSecret: unknown;
  readonly classes: Readonly<Record<Kind, new (name: string, inputs: Properties) => { readonly name?: unknown }>>;
}

/** Declares the stack. Rules refer to the names of a method and a role, so they come after these. */
export function declareStack({ size, isRevised, clientSecret: oidcClientSecret, classes }: Workload): void {
  const numbers = (kind: Kind) =>
    Array.from({ length: countsAt(size)[kind] }, (_, index) => {
      const number = String(index + 1).padStart(5, "0");
      return { number, isNew: isRevised && index % 10 === 0 };
    });
  const roles = numbers("AclRole").map(
    ({ number, isNew }) =>
      new classes.AclRole(`role-${number}`, {
        name: `team-${number}`,
        description: `${isNew ? "Former members" : "Members"} of team ${number}`,
        policies,
      }),
  );
  const methods = numbers("AclAuthMethod").map(
    ({ number, isNew }) =>
      new classes.AclAuthMethod(`method-${number}`, {
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
    new classes.AclBindingRule(`rule-${number}`, {
      authMethod: methods[index]?.name,
      description: `${isNew ? "Former logins" : "Logins"} of team ${number}`,
      selector: `"team-${number}" in list.groups`,
      bindType: "role",
      bindName: roles[index]?.name,
    });
  }
}
