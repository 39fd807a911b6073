/** A server or a proxy may report a missing object with other words than a scheduler. */
import type { DialectName, Fault } from "../../testing/simulator";
import { type Sample, sampleOf, samplesFor } from "../kinds";
import { everything } from "./contents";
import { only, type TestStack, toEveryServer } from "./harness";

const wordings = [
  { what: "JSON", body: '{"error":"Not Found"}', contentType: "application/json" },
  { what: "a list of errors", body: '{"errors":["object not found"]}', contentType: "application/json" },
  { what: "text", body: "404 page not found\n", contentType: "text/plain" },
];
/** Every kind with the first wording, and one kind with all wordings. */
const rowsFor = (dialect: DialectName) =>
  samplesFor(dialect)
    .filter(({ resource }) => resource.api === "cluster")
    .flatMap((sample) =>
      wordings.slice(0, sample.kind === "AclRole" ? undefined : 1).map((wording) => ({ ...sample, ...wording, sample })),
    );

/** Matches every request for the object itself, with any method. */
const aboutIt = (stack: TestStack) => new RegExp(`^/v1/.+/${stack.entry().id}$`);

toEveryServer("a 404 with other words for a missing object of the cluster", (start, dialect) => {
  const rows = rowsFor(dialect);
  const begin = async ({ prepare, kind, inputs }: Sample, fault: Omit<Fault & { kind: "status" }, "kind" | "status">) => {
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    stack.simulator.faults.add({ path: aboutIt(stack), fault: { kind: "status", status: 404, ...fault }, times: Number.POSITIVE_INFINITY });
    return stack;
  };

  test.each(rows)(
    "$kind: in $what: counts if the list lacks the object, for a refresh and for a destroy",
    async ({ sample, body, contentType }) => {
      for (const command of ["refresh", "destroy"] as const) {
        const stack = await begin(sample, { body, contentType });
        sample.remove(stack.simulator, stack.entry().id);
        await stack[command]({ config: { readSnapshotSeconds: "0" } });
        expect(stack.entries()).toEqual([]);
      }
    },
  );

  test.each(rows)("$kind: in $what: is an error if the list has the object", async ({ sample, body, contentType }) => {
    const stack = await begin(sample, { body, contentType });
    const before = everything(stack.simulator);
    const { id } = stack.entry();
    for (const command of ["refresh", "destroy"] as const) {
      const { errors } = await stack.fails(command, undefined, { config: { readSnapshotSeconds: "0" } });
      expect(errors).toContain("says nothing about the object");
    }
    expect(stack.entry().id).toBe(id);
    expect(everything(stack.simulator)).toEqual(before);
  });

  const pages = [
    { what: "a page", body: "<html><title>404 Not Found</title></html>", contentType: "text/html" },
    { what: "an empty body", body: "" },
  ];
  test.each(pages)("is an error with $what, although the list lacks the object", async ({ body, contentType }) => {
    const sample = sampleOf("AclRole");
    const stack = await begin(sample, { body, ...(contentType !== undefined && { contentType }) });
    const { id } = stack.entry();
    sample.remove(stack.simulator, id);
    for (const command of ["refresh", "destroy"] as const) await stack.fails(command, undefined, { config: { readSnapshotSeconds: "0" } });
    expect(stack.entry().id).toBe(id);
  });

  test.each(["AclRole", "AclPolicy"])("%s: is an error if the token may see only a part of the list", async (kind) => {
    const sample = sampleOf(kind);
    const stack = await begin(sample, { body: "not found", contentType: "text/plain" });
    const { id } = stack.entry();
    sample.remove(stack.simulator, id);
    stack.simulator.clusterTokens.add({ token: "client-token", type: "client", policies: ["read"] });
    const asClient = { config: { readSnapshotSeconds: "0" }, env: { AGENTPOOL_ACL_CLUSTER_TOKEN: "client-token" } };
    expect((await stack.fails("refresh", undefined, asClient)).errors).toContain("says nothing about the object");
    expect(stack.entry().id).toBe(id);
    await stack.refresh({ config: { readSnapshotSeconds: "0" } });
    expect(stack.entries()).toEqual([]);
  });
});
