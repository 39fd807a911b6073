import { isRecord } from "../../provider/model/unknown";
import type { FaultRule, Simulator } from "../../provider/testing/simulator";
import { type Inputs, type Kind, only, type World } from "./harness";
import { oidc, pool, role, rule } from "./samples";

/** The look of the next create for a method of its name finds none, as one that came too early, or to a replica that lags. */
export const unseenMethods: FaultRule = { method: "GET", path: "/v1/acl/auth-methods", fault: { kind: "malformed", body: "[]" } };

/** All objects of all kinds that the simulator holds, as they are. */
export function everything({ cluster, pools }: Simulator): object[] {
  return [...cluster.methods.list(), ...cluster.roles.list(), ...cluster.rules.list(), ...pools.list()];
}

/** The same, without what tells versions apart: documented servers count an update that changes nothing as one. */
export function contents(simulator: Simulator): object[] {
  if (simulator.dialect === "measured") return everything(simulator);
  return everything(simulator).map((object) =>
    Object.fromEntries(Object.entries(object).filter(([key]) => key !== "ModifyIndex" && key !== "ModifyTime")),
  );
}

/** The state as an import leaves it: without the client secrets, which no response holds. */
export function forgetSecrets({ state }: World): void {
  for (const resource of state?.resources ?? []) {
    for (const properties of [resource.inputs, resource.outputs]) {
      if (isRecord(properties.config)) delete properties.config.oidcClientSecret;
    }
  }
}

/** A kind with the request that creates it, for what must hold for all four alike. */
export interface Sample {
  readonly kind: Kind;
  readonly inputs: Inputs;
  /** What an update may change in place. */
  readonly change: Inputs;
  readonly create: string;
  /** What a rule refers to. */
  readonly prepare: (world: World) => void;
  readonly objects: (simulator: Simulator) => { readonly id: string }[];
}

const noPreparation = () => {};

const samplePool: Sample = {
  kind: "AgentPool",
  inputs: pool(),
  change: { organizationScoped: false },
  create: "/api/v2/organizations/example-org/agent-pools",
  prepare: noPreparation,
  objects: ({ pools }) => pools.list().map(({ id }) => ({ id })),
};

const sampleMethod: Sample = {
  kind: "AclAuthMethod",
  inputs: oidc({ oidcClientSecret: "its-secret" }),
  change: { maxTokenTtl: "2h" },
  create: "/v1/acl/auth-method",
  prepare: noPreparation,
  objects: ({ cluster }) => cluster.methods.list().map(({ Name }) => ({ id: Name })),
};

const sampleRole: Sample = {
  kind: "AclRole",
  inputs: role(),
  change: { description: "new" },
  create: "/v1/acl/role",
  prepare: noPreparation,
  objects: ({ cluster }) => cluster.roles.list().map(({ ID }) => ({ id: ID })),
};

const sampleRule: Sample = {
  kind: "AclBindingRule",
  inputs: rule(),
  change: { description: "new" },
  create: "/v1/acl/binding-rule",
  prepare: ({ simulator }) => void simulator.cluster.methods.put({ Name: "sso" }),
  objects: ({ cluster }) => cluster.rules.list().map(({ ID }) => ({ id: ID })),
};

export const samples = [samplePool, sampleMethod, sampleRole, sampleRule] as const;

/** Another stack makes the object; this one knows nothing of it. @returns its id */
export async function madeByOthers(world: World, { kind, inputs, prepare }: Sample, more: Inputs = {}): Promise<string> {
  prepare(world);
  await world.up(only(kind, { ...inputs, ...more }));
  const { id } = world.entry();
  world.forget();
  return id;
}
