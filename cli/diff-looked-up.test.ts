/** Objects of two states that are looked up, or that may be older than their resources. */
import { useFolder } from "../test/support/diff";
import { policy, states, stored } from "../test/support/diff-sources";

useFolder();

const [admin, read] = ["write", "read"].map((level) => `operator { policy = "${level}" }`);

test("an object that the program only looks up from now on stays on the server, and a looked-up one may change", async () => {
  const object = stored("AclRole", "r", { name: "r", policies: ["few"] });
  const few = policy("few", read);
  const got = { ...object, urn: `${object.urn}-looked-up`, external: true };
  expect(await states([few, object], [few, got])).toContainEqual(
    '- not checked: what `AclRole "r"` still gives, which is only looked up now [undecided, management]',
  );
  expect((await states([few, object, got], [few, object, got]))[0]).toBe("Logins get what they got before.");
  const changed = { ...got, id: "made-again", outputs: { name: "r", policies: ["more"] } };
  expect(await states([few, got], [few, changed])).toContainEqual(
    '- not checked: what `AclRole "r"` gives, which is looked up, and may have changed [undecided, management]',
  );
});

test.each([
  ["AclRole", { name: "x", policies: ["few"] }, "role"],
  ["AclPolicy", { name: "x", rules: admin }, "policy"],
  ["AclAuthMethod", { name: "x", type: "JWT", tokenLocality: "local", config: {} }, "auth method"],
])("an %s that an import took into the stack had another content before, perhaps", async (kind, inputs, word) => {
  const [few, one] = [policy("few", read), stored(kind, "x", inputs, { importID: "x" })];
  expect(await states([few], [few, one])).toContainEqual(
    `- \`${word} "x"\` can't be compared: \`import\` took it over, and nothing here shows what it gave before [undecided, management]`,
  );
  expect((await states([few, one], [few, one]))[0]).toBe("Logins get what they got before.");
});

test.each([
  [{ createIndex: 5, modifyIndex: 12 }, 10, true],
  [{ createIndex: 11, modifyIndex: 12 }, 10, false],
  [{ createIndex: 5, modifyIndex: 5 }, 10, false],
  [{ createIndex: 5, modifyIndex: 12 }, undefined, true],
])("a role with %j that comes into a stack last changed at %s had another content before, perhaps: %s", async (indexes, last, isSaid) => {
  const before =
    last === undefined ? [] : [policy("few", read, { outputs: { name: "few", rules: read, createIndex: 1, modifyIndex: last } })];
  const inputs = { name: "x", policies: ["few"] };
  const one = stored("AclRole", "x", inputs, { outputs: { ...inputs, ...indexes } });
  const said =
    '- `role "x"` can\'t be compared: `createIndex` may be older than its resource, and nothing here shows what it gave before [undecided, management]';
  expect((await states(before, [...before, one])).includes(said)).toBe(isSaid);
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
