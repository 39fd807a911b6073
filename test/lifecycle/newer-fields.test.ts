/** Servers of a later version have fields that this provider does not know. A server empties such a field if a write leaves it out. */
import * as z from "zod";
import { type Sample, samplesFor } from "../kinds";
import { only, type TestStack, toEveryServer } from "./harness";

const newer = { newerFields: ["Tier"] };

/** Sets the field by a write of the whole object, as others may. @returns a function that reads the field */
async function setTier({ simulator }: TestStack, { create, isUpsert }: Sample, id: string): Promise<() => Promise<unknown>> {
  const url = `${simulator.clusterAddress}${isUpsert ? create : `${create}/${id}`}`;
  const headers = { "X-Cluster-Token": simulator.clusterToken };
  const read = async () => z.looseObject({}).parse(await (await fetch(url, { headers })).json());
  const body = JSON.stringify({ ...(await read()), Tier: { Name: "gold" } });
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  return async () => (await read()).Tier;
}

toEveryServer("an unknown field of a newer server", (start, dialect) => {
  const kinds = samplesFor(dialect).filter(({ resource }) => resource.api === "cluster");

  test.each(kinds)("survives an update of its $kind", async (sample) => {
    const stack = await start(newer);
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const tier = await setTier(stack, sample, stack.entry().id);
    const { writes } = await stack.up(only(sample.kind, { ...sample.inputs, ...sample.change }), { refresh: true });
    expect(writes).toHaveLength(1);
    expect(await tier()).toEqual({ Name: "gold" });
    expect(JSON.stringify(stack.state)).not.toContain("gold");
  });

  const named = kinds.filter(({ resource, inputs }) => resource.inputs.has("adopt") && typeof inputs.name === "string");
  test.each(named)('survives an adoption of its $kind with "overwrite"', async (sample) => {
    const stack = await start(newer);
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const tier = await setTier(stack, sample, stack.entry().id);
    stack.forget();
    const { writes } = await stack.up(only(sample.kind, { ...sample.inputs, ...sample.change, adopt: "overwrite" }));
    expect(writes.filter((write) => write.startsWith("POST")).length).toBeGreaterThan(0);
    expect(await tier()).toEqual({ Name: "gold" });
  });
});
