/** Objects that an update leaves on the server, next to other objects of their names. */
import { pluginToken } from "../provider/configuration/tokens";
import { between, diff, file, useFolder } from "../test/support/diff";

useFolder();

type Options = Readonly<Record<string, unknown>>;

const stored = (kind: string, name: string, outputs: object, more: Options = {}) => {
  const type = pluginToken(kind);
  return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: `${name}-id`, inputs: outputs, outputs, ...more };
};

test("a management token that stays on the server counts in addition to its replacement of the same name", async () => {
  const token = stored("AclToken", "t", { name: "t", type: "management" }, { retainOnDelete: true });
  const { id: _, outputs: __, ...made } = token;
  const step = (op: string, states: object) => ({ op, urn: token.urn, ...states });
  const steps = [
    step("create-replacement", { oldState: token, newState: made }),
    step("replace", { oldState: token, newState: made }),
    step("delete-replaced", { oldState: token }),
  ];
  const { out } = await diff("--preview", file("preview.json", { steps }));
  expect(out).toMatch(/^- (the|a) token `t` is new, and is one of management, which may do everything \[management, widened\]$/m);
});

test("a token with a pending delete has the combined rights of its policies, also next to a token of the same name", async () => {
  const state = (name: string, ...words: string[]) => {
    const rules = `namespace "a" { capabilities = ${JSON.stringify(["read-job", ...words])} }`;
    const token = { name: "t", type: "client", policies: ["volumes"], roles: [] };
    const resources = [
      stored("AclToken", "t", token),
      stored("AclToken", "t", { ...token, policies: ["volumes", "plugins"] }, { id: "old", delete: true }),
      stored("AclPolicy", "volumes", { name: "volumes", rules }),
      stored("AclPolicy", "plugins", { name: "plugins", rules: 'plugin { policy = "read" }' }),
    ];
    return file(name, { deployment: { resources } });
  };
  expect((await between(state("before.json"), state("after.json", "csi-write-volume"))).lines).toEqual([
    "- a token `t` may also write CSI volumes in the namespace `a` (policy `volumes`) [widened]",
  ]);
});
