/** Objects of two states that are looked up, or that may be older than their resources. */
import { between, useFolder } from "../test/support/diff";
import { exports, policy, stateOf, states, stored } from "../test/support/diff-sources";

useFolder();

const [admin, read] = ["write", "read"].map((level) => `operator { policy = "${level}" }`);

test("an object that the program only looks up from now on may stay on the server, or may have been deleted", async () => {
  const object = stored("AclRole", "r", { name: "r", policies: ["few"] });
  const few = policy("few", read);
  for (const urn of [object.urn, `${object.urn}-looked-up`])
    expect(await states([few, object], [few, { ...object, urn, external: true }])).toContainEqual(
      '- not checked: what `AclRole "r"` still gives, which is only looked up now [undecided, management]',
    );
  const got = { ...object, urn: `${object.urn}-looked-up`, external: true };
  expect((await states([few, object, got], [few, object, got]))[0]).toBe("Logins get what they got before.");
});

test("an object that the program looked up before, and manages now, is compared", async () => {
  const object = stored("AclRole", "r", { name: "r", policies: ["few"] });
  const [few, more] = [policy("few", read), policy("more", admin)];
  const got = (...policies: string[]) => ({ ...object, external: true, outputs: { name: "r", policies } });
  const sides = (one: object, other: object) => states([few, more, one], [few, more, other]);
  expect((await sides(got("few"), object))[0]).toBe("Logins get what they got before.");
  const grown = stored("AclRole", "r", { name: "r", policies: ["few", "more"] });
  expect((await sides(got("few"), grown)).join()).toMatch(/tokens with the role `r` may now do everything.*\[management, widened\]/);
  expect((await sides(got("more"), object)).join()).toMatch(/the role `r` no longer gives `more`.*\[narrowed\]/);
});

test("an object that both sides look up may change", async () => {
  const few = policy("few", read);
  const got = (id: string, policies: string[]) => stored("AclRole", "r", { name: "r", policies }, { id, external: true });
  expect(await states([few, got("1", ["few"])], [few, got("made-again", ["more"])])).toContainEqual(
    '- not checked: what `AclRole.get("r")` gives, which may have changed [undecided, management]',
  );
  const same = [got("1", ["few", "other"]), got("1", ["other", "few"])] as const;
  expect((await states([few, same[0]], [few, same[1]]))[0]).toBe("Logins get what they got before.");
  const pool = (agentCount: number) => stored("AgentPool", "p", { name: "p", organizationScoped: agentCount > 1 }, { external: true });
  expect((await states([few, pool(1)], [few, pool(2)]))[0]).toBe("Logins get what they got before.");
});

test.each([
  ["AclRole", { name: "x", policies: ["few"] }, "role"],
  ["AclPolicy", { name: "x", rules: admin }, "policy"],
  ["AclBindingRule", { authMethod: "x", selector: "", bindType: "policy", bindName: "few", description: "x" }, "binding rule"],
  ["AclAuthMethod", { name: "x", type: "JWT", tokenLocality: "local", config: {} }, "auth method"],
])("an %s that an import took into the stack had another content before, perhaps", async (kind, inputs, word) => {
  const [few, one] = [policy("few", read), stored(kind, "x", inputs, { importID: "x" })];
  expect(await states([few], [few, one])).toContainEqual(
    `- \`${word} "x"\` can't be compared: \`import\` took it over, and nothing here shows what it gave before [undecided, management]`,
  );
  expect((await states([few, one], [few, one]))[0]).toBe("Logins get what they got before.");
});

test.each([
  [{ createIndex: 5, modifyIndex: 12 }, true],
  [{ createIndex: 5, modifyIndex: 5 }, false],
])("a role with %j that comes into a stack had another content before, perhaps: %s", async (indexes, isSaid) => {
  const inputs = { name: "x", policies: ["few"] };
  const one = stored("AclRole", "x", inputs, { outputs: { ...inputs, ...indexes } });
  const said =
    '- `role "x"` can\'t be compared: `modifyIndex` differs from `createIndex`: it may be older than its resource, and nothing here shows what it gave before [undecided, management]';
  expect((await states([policy("few", read)], [policy("few", read), one])).includes(said)).toBe(isSaid);
  const exported = { AclPolicy: [policy("few", read).inputs] };
  const whole = { ...exported, AclRole: [{ id: "x", ...inputs, ...indexes }] };
  expect((await exports({ ...exported, AclRole: [] }, whole)).join()).not.toContain("older");
});

test("a looked-up object is compared with the one of its resource, also at another address, but not its description", async () => {
  const few = policy("few", read);
  const got = (server: string, policies: string[], description: string) => {
    const outputs = { name: "r", policies, description, server };
    return stored("AclRole", "x", { name: "r" }, { external: true, outputs });
  };
  const [here, there] = ["http://127.0.0.1:4646", "http://localhost:4646"];
  const compare = async (one: object, other: object) => (await states([few, one], [few, other])).join();
  expect(await compare(got(here, ["few"], "a"), got(there, ["more"], "a"))).toContain("gives, which may have changed");
  expect(await compare(got(here, ["few"], "a"), got(here, ["few"], "b"))).not.toContain("may have changed");
});

test("a look-up of an object that is younger than the earlier state may give something to names in that state", async () => {
  const indexed = (createIndex: number, modifyIndex: number) => ({ outputs: { name: "few", rules: read, createIndex, modifyIndex } });
  const few = policy("few", read, indexed(1, 10));
  const got = (createIndex: number) => policy("x", admin, { external: true, ...indexed(createIndex, 20) });
  expect((await states([few], [few, got(11)])).join()).toContain("gives, which may have changed");
  expect((await states([few], [few, got(9)])).join()).not.toContain("may have changed");
});

test("each of several objects of @pulumi/nomad has one counterpart of its content", async () => {
  const type = "nomad:index/aclPolicy:AclPolicy";
  const theirs = (name: string, rulesHcl: string | undefined) => {
    return { urn: `urn:pulumi:dev::p::${type}::${name}`, type, id: "w", inputs: { name: "w", rulesHcl } };
  };
  const [staging, eu, us] = [theirs("staging", admin), theirs("eu", read), theirs("us", read)];
  const lines = await states([staging, eu, us], [staging, theirs("eu", admin), us]);
  expect(lines[0]).toMatch(/^- not checked: `AclPolicy "\w+"` of `@pulumi\/nomad`, which changes/);
});

test("an object that @pulumi/nomad looks up may change, too", async () => {
  const type = "nomad:index/aclPolicy:AclPolicy";
  const got = (rulesHcl: string | undefined) => {
    const outputs = { name: "theirs", rulesHcl };
    return { urn: `urn:pulumi:dev::p::${type}::theirs`, type, id: "theirs", external: true, inputs: {}, outputs };
  };
  const few = policy("few", read);
  expect(await states([few, got(read)], [few, got(admin)])).toContainEqual(
    '- not checked: `AclPolicy "theirs"` of `@pulumi/nomad`, which changes [undecided, management]',
  );
  expect((await states([few, got(read)], [few, got(read)]))[0]).toBe("Logins get what they got before.");
});

test("a policy that another one's resource imports had another content before, perhaps", async () => {
  const [old, now] = [policy("p", read), { ...policy("other", admin, { importID: "other" }), urn: policy("p", read).urn }];
  expect(await states([old], [now])).toContainEqual(
    '- `policy "other"` can\'t be compared: `import` took it over, and nothing here shows what it gave before [undecided, management]',
  );
});

test("objects whose address differs between two states may be on the chosen cluster", async () => {
  const role = (name: string, server: string, policies: string[]) => {
    const inputs = { name, policies };
    return stored("AclRole", name, inputs, { outputs: { ...inputs, server } });
  };
  const [here, there] = ["http://127.0.0.1:4646", "http://localhost:4646"];
  const before = stateOf("before.json", role("r", here, []), role("s", here, []));
  const after = stateOf("after.json", role("r", there, ["more"]), role("s", here, []));
  for (const cluster of [here, there])
    expect((await between(before, after, "--cluster", cluster)).lines).toContainEqual(
      '- not checked: what this cluster has of `AclRole "r"`, because the address differs between the states [undecided, management]',
    );
});
