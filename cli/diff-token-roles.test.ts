/** The roles of tokens, which hold them by ID, while names of roles move. */
import { useFolder } from "../test/support/diff";
import { type Options, policy, previewed, type Stored, states, stored, unchanged } from "../test/support/diff-sources";

useFolder();

const [admin, read] = ["write", "read"].map((level) => `operator { policy = "${level}" }`);
const same = ["Logins get what they got before."];

describe("a token whose role was renamed while another role got its old name", () => {
  const role = (name: string, id: string, ...policies: string[]) => stored("AclRole", name, { name, policies }, { id });
  const roles = [role("old", "1", "few"), role("ops", "2", "a"), role("z", "3")];
  const kept = [policy("few", read), policy("a", admin), ...roles];
  const token = (held: readonly string[], ids: readonly string[], more: Options = {}) => {
    const inputs = { name: "t", type: "client", policies: [], roles: held, ...more };
    const linkedRoles = ids.map((id) => ({
      id,
      name: roles
        .find((one) => one.id === id)
        ?.urn.split("::")
        .at(-1),
    }));
    return stored("AclToken", "t", inputs, { id: "t", outputs: { ...inputs, linkedRoles } });
  };
  const updated = (old: Stored, { id: _, outputs: __, ...newState }: Stored) => ({ op: "update", urn: old.urn, oldState: old, newState });

  test("keeps its role if only the order or the number of its texts changes", async () => {
    const [before, after] = [
      ["ops", "z"],
      ["z", "ops", "ops"],
    ].map((held) => token(held, ["1", "3"]));
    if (!before || !after) throw new Error("there are two");
    expect(await previewed(...kept.map(unchanged), updated(before, after))).toEqual(same);
    expect(await states([...kept, before], [...kept, after])).toEqual(same);
  });

  test("keeps a role that no source shows if the text of another one is repeated", async () => {
    const [before, after] = [token(["ops", "foreign"], ["2"]), token(["foreign", "ops", "ops"], ["2"])];
    expect(await states([...kept, before], [...kept, after])).toEqual(same);
  });

  test("gains a role that its state names, but that the token has lost, by an update that writes its roles", async () => {
    const [lost, renamed, written] = [token(["ops"], []), token(["ops"], [], { name: "u" }), token(["ops", "z"], ["2", "3"])];
    const gains = expect.stringMatching(/^- the token `t` may now do everything, .*\[management, widened\]$/);
    expect(await states([...kept, lost], [...kept, written])).toContainEqual(gains);
    expect(await previewed(...kept.map(unchanged), updated(lost, written))).toContainEqual(gains);
    expect(await previewed(...kept.map(unchanged), updated(lost, renamed))).toEqual(same);
  });

  test("does not hold a role that is made again after its own one is gone, with the deny of that", async () => {
    const { id: _, outputs: __, ...made } = stored("AclRole", "d", { name: "d", policies: ["no"] });
    const inputs = { name: "t", type: "client", policies: [], roles: ["d"] };
    const before = stored("AclToken", "t", inputs, { id: "t", outputs: { ...inputs, linkedRoles: [{ id: "9", name: "d" }] } });
    const after = { ...before, inputs: { ...inputs, policies: ["a"] } };
    const others = [policy("no", 'operator { policy = "deny" }'), policy("a", admin)].map(unchanged);
    expect(await previewed(...others, { op: "create", urn: made.urn, newState: made }, updated(before, after))).toContainEqual(
      expect.stringMatching(/^- the token `t` .*\[management, widened\]$/),
    );
  });

  test("is not written again if its role stays on the cluster", async () => {
    const old = { ...role("old", "1", "few"), urn: "urn:pulumi:dev::p::agentpool-acl:index:AclRole::left", retainOnDelete: true };
    const steps = [...kept, token(["old"], ["1"])].map(unchanged);
    expect(await previewed(...steps, { op: "delete", urn: old.urn, oldState: old })).not.toContainEqual(
      expect.stringContaining("which role"),
    );
  });

  test("gets the other role by an update that writes its roles", async () => {
    const before = token(["ops", "z"], ["1", "3"]);
    const lines = await previewed(...kept.map(unchanged), updated(before, token(["ops"], [])));
    expect(lines).toContainEqual(expect.stringMatching(/^- the token `t` .*\[management, widened\]$/));
  });

  test("may get the other role if its own one is replaced, whether its step is same or update", async () => {
    const { id: _, outputs: __, ...made } = role("old", "1", "few");
    const steps = ["delete-replaced", "create-replacement"].map((op) => ({
      ...{ op, urn: made.urn, oldState: role("old", "1", "few") },
      ...(op === "create-replacement" && { newState: made }),
    }));
    const inputs = { name: "t", type: "client", policies: [], roles: ["ops"] };
    const token = stored("AclToken", "t", inputs, { id: "t", outputs: { ...inputs, linkedRoles: [{ id: "1", name: "ops" }] } });
    const others = kept.filter(({ urn }) => urn !== made.urn);
    const changed = updated(token, { ...token, inputs: { ...inputs, policies: ["few"] } });
    for (const step of [unchanged(token), changed])
      expect(await previewed(...others.map(unchanged), ...steps, step)).toContainEqual(
        expect.stringMatching(/^- not checked: .*which role `AclToken "t"` gets.* \[undecided, management\]$/),
      );
  });

  test("and a token that is written in the update that replaces its role may get either, unless it waits for the role", async () => {
    const { id: _, outputs: __, ...made } = role("ops", "2", "few");
    const old = role("ops", "2", "a");
    const steps = ["delete-replaced", "create-replacement"].map((op) => ({
      ...{ op, urn: made.urn, oldState: old },
      ...(op === "create-replacement" && { newState: made }),
    }));
    const inputs = { name: "t", type: "client", policies: [], roles: ["ops"] };
    const lines = (dependencies: readonly string[]) => {
      const { id: ___, outputs: ____, ...created } = stored("AclToken", "t", inputs, { dependencies });
      return previewed(...kept.filter((one) => one.urn !== made.urn).map(unchanged), ...steps, {
        ...{ op: "create", urn: created.urn, newState: created },
      });
    };
    const said = expect.stringMatching(/^- not checked: .*which role `AclToken "t"` gets.* \[undecided, management\]$/);
    expect(await lines([])).toContainEqual(said);
    expect(await lines([made.urn])).not.toContainEqual(said);
  });

  test("keeps its role by an update of something else, and after it", async () => {
    const [before, renamed] = [token(["ops"], ["1"]), token(["ops"], ["1"], { name: "u" })];
    expect(await previewed(...kept.map(unchanged), updated(before, renamed))).toEqual(same);
    expect(await states([...kept, before], [...kept, renamed])).toEqual(same);
  });
});

test("a token that names a role by a text gets either role whose name moves in the same update", async () => {
  const { outputs: _, ...renamed } = stored("AclRole", "x", { name: "old", policies: ["a"] }, { id: "1" });
  const { id: __, outputs: ___, ...made } = stored("AclRole", "y", { name: "ops", policies: [] });
  const { id: ____, outputs: _____, ...token } = stored("AclToken", "t", { name: "t", type: "client", policies: [], roles: ["ops"] });
  const server = "http://nomad.test:4646";
  const inputs = { name: "ops", policies: ["a"] };
  const was = stored("AclRole", "x", inputs, { id: "1", outputs: { ...inputs, server } });
  const steps = (dependencies: readonly string[]) => [
    unchanged(policy("a", admin)),
    { op: "update", urn: renamed.urn, oldState: was, newState: renamed },
    { op: "create", urn: made.urn, newState: made },
    { op: "create", urn: token.urn, newState: { ...token, dependencies } },
  ];
  const said = expect.stringMatching(/^- not checked: .*which role `AclToken "t"` gets.* \[undecided, management\]$/);
  expect(await previewed(...steps([]))).toContainEqual(said);
  const imports = { op: "import", urn: token.urn, newState: { ...token, importID: "t", dependencies: [made.urn] } };
  expect(await previewed(...steps([]).slice(0, -1), imports)).toContainEqual(said);
  // A token of another provider of the same server gets either role, too.
  const west = "urn:pulumi:dev::p::pulumi:providers:agentpool-acl::west";
  const provider = { urn: west, type: "pulumi:providers:agentpool-acl", id: "1", inputs: { clusterAddress: server } };
  const before = steps([]).slice(0, -1);
  const written = { op: "create", urn: token.urn, newState: { ...token, provider: `${west}::1` } };
  expect(await previewed({ op: "same", urn: west, oldState: provider, newState: provider }, ...before, written)).toContainEqual(said);
  expect(await previewed(...steps([made.urn]))).not.toContainEqual(said);
});

test("a replaced token may get a role by the name that the update takes from it", async () => {
  const { outputs: _, ...renamed } = stored("AclRole", "x", { name: "old", policies: ["a"] }, { id: "1" });
  const token = (roles: string[], global: boolean) => {
    const inputs = { name: "t", type: "client", policies: [], roles, global };
    return stored("AclToken", "t", inputs, { id: "t", outputs: { ...inputs, linkedRoles: [] } });
  };
  const [old, { id: __, outputs: ___, ...newState }] = [token([], false), token(["ops"], true)];
  const steps = [
    unchanged(policy("a", admin)),
    { op: "update", urn: renamed.urn, oldState: stored("AclRole", "x", { name: "ops", policies: ["a"] }, { id: "1" }), newState: renamed },
    { op: "create-replacement", urn: old.urn, oldState: old, newState },
    { op: "replace", urn: old.urn, oldState: old, newState },
    { op: "delete-replaced", urn: old.urn, oldState: old },
  ];
  expect(await previewed(...steps)).toContainEqual("- the token `t` gains the role `ops` [management, widened]");
});

test("a token keeps a role that is replaced by an adoption of its own object, or that another resource adopts", async () => {
  const [wide, narrow] = ["*", "default"].map((name) => `namespace "${name}" { policy = "${name === "*" ? "write" : "read"}" }`);
  const role = stored("AclRole", "r", { name: "r", policies: ["w"], adopt: true }, { id: "1" });
  const inputs = { name: "t", type: "client", policies: ["e"], roles: ["1"] };
  const token = stored("AclToken", "t", inputs, { id: "t", outputs: { ...inputs, linkedRoles: [{ id: "1", name: "r" }] } });
  const { id: _, outputs: __, ...made } = role;
  const { id: ___, outputs: ____, ...emptied } = policy("e", "");
  const others = [policy("w", wide ?? ""), token].map(unchanged);
  const emptying = { op: "update", urn: emptied.urn, oldState: policy("e", narrow ?? ""), newState: emptied };
  const create = { op: "create-replacement", urn: role.urn, oldState: role, newState: made };
  const remove = { op: "delete-replaced", urn: role.urn, oldState: role };
  const gains = expect.stringMatching(/^- (a|the) token `t` may also .*submit jobs.* \[.*widened\]$/);
  expect(await previewed(...others, create, emptying, remove)).toContainEqual(gains);
  expect(await previewed(...others, remove, create, emptying)).not.toContainEqual(gains);
  const leave = { ...remove, oldState: { ...role, retainOnDelete: true } };
  expect(await previewed(...others, leave, create, emptying)).toContainEqual(gains);
  const other = { op: "create", urn: `${role.urn}2`, newState: { ...made, urn: `${role.urn}2` } };
  expect(await previewed(...others, other, emptying, { op: "delete", urn: role.urn, oldState: role })).toContainEqual(gains);
});

test("a role that a token gains exists, also if it has left the stack", async () => {
  const role = stored("AclRole", "r", { name: "r", policies: ["adm"] }, { id: "1" });
  const adm = policy("adm", admin);
  const token = (roles: string[], linkedRoles: object[]) => {
    const inputs = { name: "t", type: "client", policies: [], roles };
    return stored("AclToken", "t", inputs, { outputs: { ...inputs, linkedRoles } });
  };
  expect(await states([adm, role, token([], [])], [adm, token(["1"], [{ id: "1", name: "r" }])])).toContain(
    "- the token `t` gains the role `r` [widened]",
  );
});

test("a token and its role may have several spellings of their cluster's address", async () => {
  const at = (server: string, state: Stored) => ({ ...state, outputs: { ...state.outputs, server } });
  const role = at("http://nomad.test:4646 region global", stored("AclRole", "r", { name: "r", policies: ["few"] }, { id: "1" }));
  const { id: _, outputs: __, ...made } = role;
  const inputs = { name: "t", type: "client", policies: [], roles: ["r"] };
  const token = at("http://nomad.test:4646", stored("AclToken", "t", inputs, { id: "t", outputs: inputs }));
  const { id: ___, outputs: ____, ...anew } = token;
  const lines = await previewed(
    unchanged(at("http://nomad.test:4646", policy("few", read))),
    { op: "delete-replaced", urn: role.urn, oldState: role },
    { op: "create-replacement", urn: role.urn, oldState: role, newState: made },
    { op: "create-replacement", urn: token.urn, oldState: token, newState: anew },
    { op: "delete-replaced", urn: token.urn, oldState: token },
  );
  expect(lines).toContainEqual(expect.stringMatching(/^- not checked: .*which role `AclToken "t"` gets.* \[undecided, management\]$/));
});

test("the line about a role's policies names its tokens, because the rules of a policy outside of the stack are unknown", async () => {
  const role = (...policies: string[]) => stored("AclRole", "devs", { name: "devs", policies }, { id: "1" });
  const tokens = ["ci", "cd"].map((name) => stored("AclToken", name, { name, type: "client", policies: [], roles: ["devs"] }));
  expect(await states([role("read"), ...tokens], [role("read", "ops"), ...tokens])).toEqual([
    "- the role `devs` also gives `ops` to the tokens `cd`, `ci`; no rule here gives this role [widened]",
  ]);
  const config = { listClaimMappings: { g: "g" } };
  const method = stored("AclAuthMethod", "sso", { name: "sso", type: "OIDC", tokenLocality: "local", config });
  const rule = stored("AclBindingRule", "r", { authMethod: "sso", bindType: "role", bindName: "devs", selector: "x in list.g" });
  const rest = [...tokens, method, rule];
  expect(await states([role("read", "ops"), ...rest], [role("read"), ...rest])).toContain(
    "- the role `devs` no longer gives `ops` to logins of `sso` with `x in list.g` and to the tokens `cd`, `ci` [narrowed]",
  );
});

test("a token or role that changes only in its name or description is compared, whatever changes in its policies", async () => {
  const sides = ["read", "write"].map((level) => [
    policy("p", `node { policy = "${level}" }`),
    stored("AclRole", "r", { name: "r", policies: ["p"], description: level }),
    stored("AclToken", "t", { name: level, type: "client", policies: [], roles: ["r"] }),
  ]);
  const gains = "- tokens with the role `r` may also use node:write (policy `p`) [widened]";
  for (const [before = [], after = []] of [sides]) expect(await states(before, after)).toEqual([gains]);
});
