/** The secrets of tokens of the cluster: a create that does not return one, what an import is given, and faults that could show or lose one. */
import type { Fault } from "../../testing/simulator";
import { type Inputs, only, type Program, type TestStack, throughEveryAdapter } from "./harness";
import { token as client } from "./samples";

const options = { additionalSecretOutputs: ["secretId"] };
const token = (more: Inputs = {}): Program => only("AclToken", client(more), options);
const management: Inputs = { name: "admin", type: "management", policies: [], roles: [] };
const tokens = ({ simulator }: TestStack) => simulator.cluster.tokens.list();
const create = { method: "POST", path: "/v1/acl/token" };
const older = { takesChosenTokens: false };

/** The server refuses the read of a token, and says which. */
function refusal({ simulator }: TestStack): void {
  const [token] = simulator.cluster.tokens.list();
  const fault: Fault = { kind: "status", status: 403, body: `no right to ${token?.SecretID}` };
  simulator.faults.add({ method: "GET", path: new RegExp(`/token/${token?.SecretID}$`, "i"), times: 2, fault });
}

throughEveryAdapter("the secret of an ACL token", (start) => {
  test.each([
    ["of an older server", client(), older],
    ["of type management", management, {}],
  ])("%s whose create returns no secret is an error that names it, and the old one stays", async (_, inputs, server) => {
    const stack = await start(server);
    const program = (more: Inputs = {}) => only("AclToken", { ...inputs, ...more }, options);
    await stack.up(program());
    const { id } = stack.entry();
    // The first one of an older server is refused.
    stack.simulator.faults.add({ ...create, skip: server === older ? 1 : 0, fault: { kind: "null", property: "SecretID" } });
    const { errors, writes } = await stack.fails("up", program({ global: true }));
    const useless = tokens(stack).find(({ AccessorID }) => AccessorID !== id);
    const label = `ACL token "${String(inputs.name)}" (${useless?.AccessorID})`;
    expect(errors).toContain(`${label} on ${stack.simulator.clusterAddress} was created, but the response lacks its secret`);
    expect(errors).not.toContain(useless?.SecretID);
    expect(writes.filter((line) => line !== "POST /v1/acl/token")).toEqual([]);
    expect(tokens(stack)).toHaveLength(2);
    expect(stack.entry().id).toBe(id);
  });

  test("whose create returns no secret, though it has chosen it, is read", async () => {
    const stack = await start();
    stack.simulator.faults.add({ ...create, fault: { kind: "null", property: "SecretID" } });
    await stack.up(token());
    expect(tokens(stack)).toMatchObject([{ AccessorID: stack.entry().id, SecretID: stack.outputs().secretId }]);
  });

  test.each<[string, (stack: TestStack) => void, string]>([
    ["is no accessor", () => undefined, "There is no ACL token with that accessor."],
    ["meets a refusal that repeats it", refusal, "so something else refuses the request"],
    [
      "meets a server that is down",
      ({ simulator }) => simulator.faults.add({ path: /\/token\//, times: 20, fault: { kind: "status", status: 503 } }),
      "503",
    ],
  ])("given by its secret, which %s, shows it in no error and no line of the log", async (_, given, status) => {
    const stack = await start();
    const { SecretID } = stack.simulator.cluster.tokens.put({ Name: "ci", Policies: ["read"] });
    given(stack);
    const env = { AGENTPOOL_ACL_LOG: "debug" };
    for (const text of [SecretID, SecretID.toUpperCase()]) {
      const { errors, log } = await stack.fails("up", (declare) => void declare.get("AclToken", "it", text), { env });
      expect(errors).toContain(status);
      expect(errors).toContain("may be a secret, so it is not shown: import by the accessor");
      expect(log.join("\n")).toMatch(/GET http\S+\/v1\/acl\/token\/<secret>: \d+ in/);
      expect(`${errors}\n${log.join("\n")}`.toLowerCase()).not.toContain(SecretID);
    }
  });
});
