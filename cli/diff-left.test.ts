/** Objects that an update leaves on the server, next to other objects of their names. */
import { between, file, useFolder } from "../test/support/diff";
import { policy, previewed, stateOf, states, stored, unchanged } from "../test/support/diff-sources";

useFolder();

const [admin, read] = ["write", "read"].map((level) => `operator { policy = "${level}" }`);

test("a management token that stays on the server counts in addition to its replacement of the same name", async () => {
  const token = stored("AclToken", "t", { name: "t", type: "management" }, { retainOnDelete: true });
  const { id: _, outputs: __, ...made } = token;
  const step = (op: string, states: object) => ({ op, urn: token.urn, ...states });
  const steps = [
    step("create-replacement", { oldState: token, newState: made }),
    step("replace", { oldState: token, newState: made }),
    step("delete-replaced", { oldState: token }),
  ];
  expect(await previewed(...steps)).toContainEqual(
    expect.stringMatching(/^- (the|a) token `t` is new, and is one of management, which may do everything \[management, widened\]$/),
  );
});

test("a token with a pending delete has the combined rights of its policies, also next to a token of the same name", async () => {
  const state = (...words: string[]) => {
    const rules = `namespace "a" { capabilities = ${JSON.stringify(["read-job", ...words])} }`;
    const token = { name: "t", type: "client", policies: ["volumes"], roles: [] };
    return [
      stored("AclToken", "t", token),
      stored("AclToken", "t", { ...token, policies: ["volumes", "plugins"] }, { id: "old", delete: true }),
      stored("AclPolicy", "volumes", { name: "volumes", rules }),
      stored("AclPolicy", "plugins", { name: "plugins", rules: 'plugin { policy = "read" }' }),
    ];
  };
  expect(await states(state(), state("csi-write-volume"))).toEqual([
    "- a token `t` may also write CSI volumes in the namespace `a` (policy `volumes`) [widened]",
  ]);
});

test("a token with retainOnDelete may stay valid after it leaves the stack, or after it is replaced", async () => {
  const token = (id: string) => stored("AclToken", "t", { name: "t", type: "client", policies: ["few"] }, { id, retainOnDelete: true });
  const said = '- `token "t"` can\'t be compared: `retainOnDelete` may leave it on the cluster [undecided, management]';
  const few = policy("few", read);
  expect(await states([few, token("1")], [few])).toContainEqual(said);
  expect(await states([few, token("1")], [few, token("2")])).toContainEqual(said);
  expect(await states([few, token("1")], [few, token("1")])).toEqual(["Logins get what they got before."]);
});

describe("a policy that leaves the stack may stay on the server", () => {
  const role = (...policies: string[]) => stored("AclRole", "r", { name: "r", policies });
  const few = policy("few", read);

  test("by deletedWith with a resource of another package", async () => {
    const urn = "urn:pulumi:dev::p::kubernetes:core/v1:Namespace::n";
    const p = policy("p", admin, { deletedWith: urn });
    const other = { urn, type: "kubernetes:core/v1:Namespace", id: "n", inputs: {}, outputs: {} };
    const steps = [
      unchanged(few),
      { op: "update", urn: role().urn, oldState: role("few"), newState: { ...role("few", "p"), outputs: undefined } },
      { op: "delete", urn: p.urn, oldState: p },
      { op: "delete", urn, oldState: other },
    ];
    expect(await previewed(...steps)).toContainEqual(expect.stringMatching(/use operator:write.*\[management, widened\]$/));
  });

  test("by deletedWith with a looked-up resource that leaves the program, too", async () => {
    const urn = "urn:pulumi:dev::p::agentpool-acl:index:AclPolicy::x";
    const p = policy("p", admin, { deletedWith: urn });
    const x = { urn, type: "agentpool-acl:index:AclPolicy", id: "x", external: true, inputs: {}, outputs: { name: "x", rules: "" } };
    const steps = [
      unchanged(few),
      { op: "update", urn: role().urn, oldState: role("few"), newState: { ...role("few", "p"), outputs: undefined } },
      { op: "delete", urn: p.urn, oldState: p },
      { op: "discard", urn, oldState: x },
    ];
    expect(await previewed(...steps)).toContainEqual(expect.stringMatching(/operator:write.*\[management, widened\]$/));
  });

  test("by deletedWith, which depends on the order of the engine's steps, so it is undecided", async () => {
    const urn = "urn:pulumi:dev::p::my:index:Component::x";
    const guard = policy("guard", 'operator { policy = "deny" }', { deletedWith: urn });
    const { id: _, outputs: __, ...made } = policy("other", "");
    const token = stored("AclToken", "t", { name: "t", type: "client", policies: ["all", "guard"], roles: [] });
    const steps = [
      ...[policy("all", admin), token].map(unchanged),
      { op: "delete-replaced", urn: guard.urn, oldState: guard },
      { op: "replace", urn: guard.urn, oldState: guard, newState: { ...made, urn: guard.urn } },
      { op: "create-replacement", urn: guard.urn, oldState: guard, newState: { ...made, urn: guard.urn } },
      { op: "delete", urn, oldState: { urn, type: "my:index:Component", inputs: {} } },
    ];
    expect(await previewed(...steps)).toContainEqual(
      '- not checked: whether `AclPolicy "guard"` stays on the server, because of its option deletedWith [undecided, management]',
    );
  });

  test.each([
    ["retainOnDelete", { retainOnDelete: true }],
    ["deletedWith", { deletedWith: "urn:pulumi:dev::p::kubernetes:core/v1:Namespace::n" }],
  ])("by %s, between two states", async (option, more) => {
    const lines = await states([few, role("few"), policy("p", admin, more)], [few, role("few", "p")]);
    expect(lines).toContainEqual(`- \`policy "p"\` can't be compared: \`${option}\` may leave it on the cluster [undecided, management]`);
  });
});

test("a replaced object may stay on the server, too", async () => {
  const role = (...policies: string[]) => stored("AclRole", "r", { name: "r", policies });
  const [old, now] = ["p", "q"].map((name) => stored("AclPolicy", "x", { name, rules: admin }, { id: name, retainOnDelete: true }));
  if (!old || !now) throw new Error("there are two");
  const lines = await states([policy("few", read), role("few"), old], [policy("few", read), role("few", "p"), now]);
  expect(lines).toContainEqual('- `policy "p"` can\'t be compared: `retainOnDelete` may leave it on the cluster [undecided, management]');
});

test("an object whose replacement is pending may be on the server or not, if the update deletes it", async () => {
  const old = policy("d", admin, { pendingReplacement: true });
  const { id: _, outputs: __, ...made } = policy("d", admin);
  const token = stored("AclToken", "t", { name: "t", type: "client", policies: ["d"], roles: [] });
  const steps = [
    unchanged(token),
    { op: "create-replacement", urn: old.urn, oldState: old, newState: made },
    { op: "replace", urn: old.urn, oldState: old, newState: made },
    { op: "delete-replaced", urn: old.urn, oldState: old },
  ];
  expect(await previewed(...steps)).toContainEqual(
    '- not checked: whether `AclPolicy "d"` is on the server, because its replacement is pending [undecided, management]',
  );
});

describe("an object that one provider takes over while another one deletes it", () => {
  const of = (name: string) => `urn:pulumi:dev::p::pulumi:providers:agentpool-acl::${name}::4711`;
  const server = "http://nomad.test:4646";
  const at = (name: string) => ({ ...policy("p", read), provider: of(name), outputs: { name: "p", rules: read, server } });
  const [old, now] = [at("default"), at("west")];
  const west = {
    urn: of("west").replace("::4711", ""),
    type: "pulumi:providers:agentpool-acl",
    id: "4711",
    inputs: { clusterAddress: server },
  };
  const moved = { ...now, urn: `${now.urn}-moved` };
  const said =
    '- `policy "p"` can\'t be compared: `provider` differs, so the delete of the old object may delete what the create takes over [undecided, management]';
  const step = (op: string, states: object) => ({ op, urn: moved.urn, ...states });
  const { id: _, outputs: __, ...created } = moved;

  test("may be gone afterwards, in states and in a preview", async () => {
    expect(await states([old], [moved])).toContainEqual(said);
    const steps = [
      { op: "same", urn: west.urn, oldState: west, newState: west },
      step("create", { newState: created }),
      { op: "delete", urn: old.urn, oldState: old },
    ];
    expect(await previewed(...steps)).toContainEqual(said);
  });

  test("may be gone after a forced replacement in the update that upgrades the package", async () => {
    const replacement = (adopt: boolean) => {
      const newState = { ...created, urn: old.urn, inputs: { ...created.inputs, adopt } };
      const steps = [
        { op: "create-replacement", urn: old.urn, oldState: old, newState },
        { op: "delete-replaced", urn: old.urn, oldState: old },
      ];
      return previewed({ op: "same", urn: west.urn, oldState: west, newState: west }, ...steps);
    };
    expect(await replacement(true)).toContainEqual(said);
    expect(await replacement(false)).not.toContainEqual(said);
  });

  test("stays with retainOnDelete, or if both resources have the same provider", async () => {
    const kept = { ...old, retainOnDelete: true };
    const steps = [
      { op: "same", urn: west.urn, oldState: west, newState: west },
      step("create", { newState: created }),
      { op: "delete", urn: old.urn, oldState: kept },
    ];
    for (const lines of [
      await states([kept], [moved]),
      await states([{ ...old, provider: now.provider }], [moved]),
      await previewed(...steps),
    ])
      expect(lines).toEqual(["Logins get what they got before."]);
  });

  test("may be gone if it is a rule, or if the resource has the option deletedWith", async () => {
    const inputs = { authMethod: "sso", selector: "", bindType: "policy", bindName: "p", description: "" };
    const rule = { ...stored("AclBindingRule", "r", inputs), provider: old.provider, outputs: { ...inputs, server } };
    const taker = {
      ...stored("AclBindingRule", "r2", { ...inputs, adopt: true }),
      provider: now.provider,
      id: undefined,
      outputs: undefined,
    };
    const steps = [
      { op: "same", urn: west.urn, oldState: west, newState: west },
      { op: "create", urn: taker.urn, newState: taker },
      { op: "delete", urn: rule.urn, oldState: rule },
    ];
    const lines = await previewed(...steps);
    expect(lines).toContainEqual(expect.stringMatching(/^- `binding rule "r2"` can't be compared: `provider` differs, .*management\]$/));
    expect(await states([{ ...old, deletedWith: "urn:pulumi:dev::p::x::y" }], [moved])).toContainEqual(said);
  });

  test("may be gone if the provider itself is replaced, because the new one is another process", async () => {
    const again = { ...moved, provider: old.provider.replace("4711", "4712") };
    expect(await states([old], [again])).toContainEqual(said);
    const { id: __, outputs: ___, ...made } = again;
    const steps = [step("create", { newState: made }), { op: "delete", urn: old.urn, oldState: old }];
    expect(await previewed(...steps)).toContainEqual(said);
  });

  test("may be gone after a delete that is pending since an earlier update", async () => {
    const left = { ...old, delete: true };
    const twice = '- `policy "p"` can\'t be compared: `name` also belongs to another object [undecided]';
    const taken = { ...now, urn: old.urn };
    const steps = [unchanged(taken), { op: "delete-replaced", urn: old.urn, oldState: left }];
    expect(await previewed(...steps)).toEqual([twice]);
    expect(await states([taken, left], [taken])).toEqual([twice]);
    // The resource moves to the other provider in the update that deletes the left entry.
    const [was, { id: __, outputs: ___, ...is }] = [{ ...taken, provider: old.provider }, taken];
    expect(await previewed({ op: "same", urn: old.urn, oldState: was, newState: is }, ...steps.slice(1))).toEqual([twice]);
    expect(await states([was, left], [taken])).toContainEqual(said);
    expect(await states([taken, { ...left, provider: now.provider }], [taken])).toEqual(["Logins get what they got before."]);
  });
});

test("the delete of a policy counts, although the program looks it up under another name", async () => {
  const guard = policy("guard", 'operator { policy = "deny" }');
  const urn = guard.urn.replace(/guard$/, "look-up");
  const { inputs: _, outputs: __, ...lookedUp } = { ...guard, urn, external: true };
  const steps = [
    { op: "read", urn, newState: lookedUp },
    { op: "delete", urn: guard.urn, oldState: guard },
  ];
  expect(await previewed(...steps)).toContainEqual(
    expect.stringMatching(/^- with other grants, the policy `guard` no longer denies .* \[management, widened\]$/),
  );
});

test("nothing changes if the program no longer looks an object up", async () => {
  const { inputs: _, ...lookedUp } = { ...policy("guard", read), external: true };
  expect(await previewed({ op: "discard", urn: lookedUp.urn, oldState: lookedUp })).toEqual(["Logins get what they got before."]);
});

test("a pending delete counts, although the program now looks the object up", async () => {
  const guard = policy("guard", 'operator { policy = "deny" }');
  const { inputs: _, outputs: __, ...lookedUp } = { ...guard, external: true };
  const steps = [
    { op: "read", urn: guard.urn, oldState: guard, newState: lookedUp },
    { op: "delete-replaced", urn: guard.urn, oldState: { ...guard, delete: true } },
  ];
  expect(await previewed(...steps)).toContainEqual(
    expect.stringMatching(/^- with other grants, the policy `guard` no longer denies .* \[management, widened\]$/),
  );
});

test("a pending delete is not forgotten if its name and the name of its replacement are secret", async () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  const [now, left] = ["new", "old"].map((id) => stored("AclPolicy", "x", { name: secret, rules: 'operator { policy = "deny" }' }, { id }));
  const lines = await states([{ ...now }, { ...left, delete: true }], [{ ...now }]);
  expect(lines).toContainEqual(expect.stringMatching(/\[undecided, management\]$/));
});

describe("an ACL object of @pulumi/nomad that changes is said to be unknown", () => {
  const urn = "urn:pulumi:dev::p::nomad:index/aclPolicy:AclPolicy::d";
  const theirs = (rulesHcl: string | undefined) => ({
    urn,
    type: "nomad:index/aclPolicy:AclPolicy",
    id: "d",
    inputs: { rulesHcl },
    outputs: {},
  });
  const role = stored("AclRole", "r", { name: "r", policies: ["d"] });
  const said = '- not checked: `AclPolicy "d"` of `@pulumi/nomad`, which changes [undecided, management]';

  test("in a preview, also if this package imports the object that the other one deletes", async () => {
    const { outputs: _, ...made } = policy("d", read, { importID: "d" });
    const steps = [{ op: "import", urn: made.urn, newState: made }, unchanged(role)];
    expect(await previewed(...steps, { op: "delete", urn, oldState: theirs(read) })).toContain(said);
    const kept = { op: "same", urn, oldState: theirs(read), newState: theirs(read) };
    expect(await previewed(unchanged(role), kept)).toContain("Logins get what they got before.");
  });

  test("in a preview, but not if its object stays as it is on the server", async () => {
    const old = theirs(read);
    const described = { ...old, inputs: { ...old.inputs, description: "new" } };
    const quiet = [
      [{ op: "import", urn, newState: old }],
      [{ op: "delete", urn, oldState: { ...old, retainOnDelete: true } }],
      [{ op: "update", urn, oldState: old, newState: described }],
    ];
    for (const steps of quiet) expect(await previewed(unchanged(role), ...steps)).toContain("Logins get what they got before.");
    expect(await previewed(unchanged(role), { op: "update", urn, oldState: old, newState: theirs(admin) })).toContain(said);
    expect(await previewed(unchanged(role), { op: "create", urn, newState: old })).toContain(said);
  });

  test("with at most ten names", async () => {
    const many = Array.from({ length: 13 }, (_, index) => ({ ...theirs(read), urn: `${urn}${index}`, inputs: { name: `${index}` } }));
    const lines = await states([role], [role, ...many]);
    expect(lines.join("\n")).toMatch(
      /`AclPolicy "d9"` of `@pulumi\/nomad`, which changes; 3 more ACL objects of `@pulumi\/nomad` \[undecided, management\]$/m,
    );
  });

  test("between two states", async () => {
    expect(await states([role, theirs(read)], [role, theirs(admin)])).toContain(said);
    expect(await states([role, theirs(read)], [role])).toContain(said);
    expect(await states([role, theirs(read)], [role, theirs(read)])).toContain("Logins get what they got before.");
  });

  test("between two states, if an update was interrupted while it changed the object", async () => {
    const resources = [role, theirs(read)];
    const interruptedBy = (type: string) => {
      const deployment = { resources, pending_operations: [{ type, resource: theirs(read) }] };
      return between(stateOf("before.json", ...resources), file("after.json", { deployment }));
    };
    expect((await interruptedBy("updating")).lines).toContain(
      '- not checked: `AclPolicy "d"` of `@pulumi/nomad`, which may have changed [undecided, management]',
    );
    expect((await interruptedBy("reading")).lines).toContain("Logins get what they got before.");
  });

  const secret = (ciphertext: string) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext });

  test("between two states, but not if only its options, its name in the program or a secret of its login differ", async () => {
    const method = (ciphertext: string) => ({
      urn: "urn:pulumi:dev::p::nomad:index/aclAuthMethod:AclAuthMethod::m",
      type: "nomad:index/aclAuthMethod:AclAuthMethod",
      id: "m",
      inputs: { name: "m", config: { oidcClientId: "c", oidcClientSecret: secret(ciphertext) } },
    });
    const token = (ciphertext: string, more = {}) => ({
      urn: "urn:pulumi:dev::p::nomad:index/aclToken:AclToken::t",
      type: "nomad:index/aclToken:AclToken",
      id: "t",
      inputs: { name: "t", policies: ["d"] },
      outputs: { name: "t", policies: ["d"], secretId: secret(ciphertext), ...more },
    });
    const renamed = { ...theirs(read), urn: urn.replace(/d$/, "e"), protect: true, retainOnDelete: true };
    const [before, after] = [
      [role, theirs(read), method("v1:a"), token("v1:b")],
      [role, renamed, method("v1:c"), token("v1:d", { jobAcl: null })],
    ];
    expect(await states(before, after)).toContain("Logins get what they got before.");
    const other = { ...method("v1:c"), inputs: { name: "m", config: { oidcClientId: "other" } } };
    const about = '- not checked: `AclAuthMethod "m"` of `@pulumi/nomad`, which changes [undecided, management]';
    expect(await states(before, [role, theirs(read), other, token("v1:b")])).toContain(about);
  });

  test("between two states, by its ID: another object may have the same content", async () => {
    const other = { ...theirs(read), id: "other", urn: `${urn}2` };
    expect(await states([role, theirs(admin), other], [role, { ...theirs(read) }, other])).toContain(said);
    expect(await states([role, theirs(read)], [role, { ...theirs(read), id: "anew" }])).toContain(said);
  });

  test("between two states, if a secret hides a part of it", async () => {
    const hidden = (ciphertext: string) => ({ ...theirs(undefined), inputs: { rulesHcl: secret(ciphertext) } });
    const about = '- not checked: `AclPolicy "d"` of `@pulumi/nomad`, which may have changed [undecided, management]';
    expect(await states([role, hidden("v1:a")], [role, hidden("v1:a")])).toContain(about);
    const method = { ...theirs(undefined), type: "nomad:index/aclAuthMethod:AclAuthMethod", inputs: { config: secret("v1:a") } };
    expect(await states([role, method], [role, method])).toContain(about);
  });
});
