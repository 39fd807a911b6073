import { isRecord } from "../../common/unknown";
import type { FaultRule, Simulator } from "../../testing/simulator";
import { type Sample, samples } from "../kinds";
import { type Inputs, only, type TestStack } from "../support/stack";

/** The next list of methods is empty, so a create finds no method of its name, as if another program made one afterwards. */
export const unseenMethods: FaultRule = { method: "GET", path: "/v1/acl/auth-methods", fault: { kind: "malformed", body: "[]" } };

/** All objects of all kinds that the simulator holds, as they are. */
export function everything(simulator: Simulator): object[] {
  const { pools } = simulator;
  return [...samples.flatMap(({ rows }) => rows(simulator)), ...pools.list().flatMap(({ id }) => pools.agentTokens(id))];
}

/** The objects of {@link everything}. Those of documented servers lack their versions, because a write without a change gives a new one. */
export function contents(simulator: Simulator): object[] {
  if (simulator.dialect === "measured") return everything(simulator);
  return everything(simulator).map((object) =>
    Object.fromEntries(Object.entries(object).filter(([key]) => key !== "ModifyIndex" && key !== "ModifyTime")),
  );
}

/** Makes the state as an import leaves it: without the client secrets, which no response has. */
export function forgetSecrets({ state }: TestStack): void {
  for (const resource of state?.resources ?? []) {
    for (const properties of [resource.inputs, resource.outputs]) {
      if (isRecord(properties.config)) delete properties.config.oidcClientSecret;
    }
  }
}

/** Makes an object by another stack, so this stack does not know it. @returns the object's id */
export async function madeByOthers(
  stack: TestStack,
  { kind, inputs, prepare }: Pick<Sample, "kind" | "inputs" | "prepare">,
  more: Inputs = {},
): Promise<string> {
  prepare(stack);
  await stack.up(only(kind, { ...inputs, ...more }));
  const { id } = stack.entry();
  stack.forget();
  return id;
}
