/** `graph` draws the objects of a real scheduler, if the scheduler's executable is on PATH. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../support/commands";
import { makeOnCluster, randomObjects } from "../support/random-objects";
import { withAgent } from "../support/scheduler";
import { printedSeed } from "../support/seed";
import { elementsIn, parseXml } from "../support/xml";

const formats = ["mermaid", "dot", "svg", "html"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-graph-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("random objects of a real scheduler are drawn in every format, and stay unchanged", async () => {
  await withAgent(async ({ address, token }) => {
    const counts = { pools: 0, methods: 20, policies: 10, roles: 40, rules: 60 };
    await makeOnCluster({ address, token }, randomObjects(printedSeed("the random objects", "OBJECTS_SEED"), counts));
    const configured = ["--config-file", file("configuration.json", JSON.stringify({ clusterAddress: address, clusterToken: token }))];
    const exported = () => runCommand("export", "--full", ...configured);
    const before = await exported();
    for (const format of formats) {
      const { status, out } = await runCommand("graph", "--format", format, ...configured);
      expect(status).toBe(0);
      if (format !== "svg") continue;
      const nodes = elementsIn(parseXml(out), "g").map(({ attributes }) => attributes.class?.split(" ")[1]);
      const { AclAuthMethod, AclRole, AclBindingRule } = JSON.parse(before.out).objects;
      for (const [kind, objects] of Object.entries({ method: AclAuthMethod, role: AclRole, rule: AclBindingRule })) {
        expect(nodes.filter((name) => name === kind).length).toBeGreaterThanOrEqual(objects.length);
      }
    }
    expect(await exported()).toEqual(before);
  });
});
