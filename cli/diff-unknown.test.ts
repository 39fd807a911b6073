import { pluginToken } from "../provider/configuration/tokens";
import { between, diff, exported, file, method, role, rule, useFolder } from "../test/support/diff";
import { previewed as linesOf, policy, states, stored, unchanged } from "../test/support/diff-sources";

useFolder();

describe("hidden values", () => {
  const step = (op: string, kind: string, name: string, state: object, before: object | undefined = state) => {
    const type = pluginToken(kind);
    const urn = `urn:pulumi:dev::p::${type}::${name}`;
    const newState = op === "delete" ? undefined : { urn, type, inputs: state };
    return { op, urn, ...(op !== "create" && { oldState: { urn, type, id: name, inputs: before } }), newState };
  };
  const previewed = async (steps: object[], ...args: string[]) => {
    const { status, out } = await diff("--preview", file("secret.json", { steps }), ...args);
    return { status, lines: out.split("\n").slice(0, -1) };
  };
  const secretly = { ...rule, selector: "[secret]" };
  const same = step("same", "AclAuthMethod", "sso", method);

  test("an unchanged rule with a secret selector gives a new role, or takes a deleted one away, for undecided logins", async () => {
    const stays = step("same", "AclBindingRule", "r", secretly);
    expect(await previewed([same, stays, step("same", "AclRole", "deployers", role)])).toEqual({
      status: 0,
      lines: ["Logins get what they got before."],
    });
    expect(await previewed([same, stays, step("create", "AclRole", "deployers", role)], "--fail-on", "widened")).toEqual({
      status: 3,
      lines: ["- logins of `sso` with `[secret]` gain the role `deployers` (`deploy`) [widened, undecided]"],
    });
    expect((await previewed([same, stays, step("delete", "AclRole", "deployers", role)])).lines).toEqual([
      "- logins of `sso` with `[secret]` lose the role `deployers` (`deploy`) [narrowed, undecided]",
      "- the role `deployers` goes, while the rule `Releases` still binds it, and gives nothing [dangling]",
    ]);
  });

  test("a rule with a secret bind name, type or method may give a new role, and is undecided then", async () => {
    for (const [property, kinds] of [
      ["bindName", "undecided"],
      ["bindType", "undecided, management"],
      ["authMethod", "undecided"],
    ] as const) {
      const hidden = step("same", "AclBindingRule", "r", { ...rule, [property]: "[secret]" });
      const roles = step("same", "AclRole", "readers", { name: "readers", policies: ["read"] });
      expect((await previewed([same, hidden, roles])).lines).toEqual(["Logins get what they got before."]);
      const steps = [same, hidden, roles, step("create", "AclRole", "deployers", role)];
      expect(await previewed(steps, "--fail-on", "undecided")).toEqual({
        status: 3,
        lines: [`- \`binding rule "Releases"\` can't be compared: \`${property}\` is secret, or unknown before an update [${kinds}]`],
      });
    }
  });

  test("a role with secret policies may do anything, and a method with a secret name is not identified by its name in the program", async () => {
    const hidden = { ...role, policies: "[secret]" };
    const roles = step("same", "AclRole", "deployers", hidden);
    const rules = step("create", "AclBindingRule", "r", rule);
    expect((await previewed([same, roles, rules])).lines).toEqual([
      "- logins of `sso` with `releases in list.groups` gain the role `deployers` (`[secret]`), which may do anything, because a part of it is unreadable " +
        "[management, widened, undecided]",
    ]);
    // The secret name of another method may differ from its resource's name in the program.
    const other = step("same", "AclAuthMethod", "ci", { ...method, name: "[secret]" });
    const ci = { ...method, name: "ci" };
    const narrowed = step("update", "AclAuthMethod", "x", { ...ci, tokenLocality: "global" }, ci);
    const everyone = step("same", "AclBindingRule", "r", { ...rule, bindType: "management", bindName: "", selector: "" });
    const opened = step("update", "AclAuthMethod", "ci", { ...ci, name: "[secret]", config: {} }, { ...ci, name: "[secret]" });
    expect((await previewed([opened, everyone])).lines).toEqual([expect.stringMatching(/`name` is secret.* \[undecided, management\]$/)]);
    expect((await previewed([other, narrowed])).lines).toEqual([
      "- auth method `ci`: tokenLocality is `global` instead of `local` [widened]",
    ]);
  });

  test("a new rule with a secret selector gives its role to undecided logins", async () => {
    expect(
      (await previewed([same, step("same", "AclRole", "deployers", role), step("create", "AclBindingRule", "r", secretly)])).lines,
    ).toEqual([
      "- logins of `sso` with `[secret]` gain the role `deployers` (`deploy`) [widened, undecided]",
      '- `binding rule "Releases"` can\'t be compared: `selector` is secret, or unknown before an update [undecided]',
    ]);
  });

  test("a rule with a part that was secret, or becomes secret, may give management", async () => {
    const admins = { ...rule, bindType: "management", bindName: "" };
    for (const secret of [secretly, { ...rule, bindName: "[secret]" }]) {
      for (const [before, after] of [
        [secret, admins],
        [admins, secret],
      ] as const) {
        const { status, lines } = await previewed([same, step("update", "AclBindingRule", "r", after, before)], "--fail-on", "management");
        expect({ status, lines }).toEqual({ status: 3, lines: [expect.stringMatching(/can't be compared.* \[undecided, management\]$/)] });
      }
    }
  });

  test("a rule with a secret bind name may bind the changed role", async () => {
    const hidden = step("same", "AclBindingRule", "r", { ...rule, bindName: "[secret]" });
    const more = step("update", "AclRole", "deployers", { ...role, policies: ["deploy", "admin"] }, role);
    expect((await previewed([same, hidden, more])).lines).toEqual([
      "- the role `deployers` also gives `admin`; no rule here gives this role, as far as that is known [widened]",
      '- `binding rule "Releases"` can\'t be compared: `bindName` is secret, or unknown before an update [undecided]',
    ]);
  });

  test("a method with secret mappings may be the default one", async () => {
    const secret = { ...method, config: { claimMappings: "[secret]" } };
    const other = step("update", "AclAuthMethod", "sso", { ...secret, default: false }, { ...secret, default: true });
    const ci = step("create", "AclAuthMethod", "ci", { ...method, name: "ci", default: true });
    expect((await previewed([other, ci])).lines).toContainEqual(
      "- logins that name no auth method are of `ci` instead of `sso` [undecided]",
    );
    const secretly = step("same", "AclAuthMethod", "sso", { ...secret, default: "[secret]" });
    const now = step("update", "AclAuthMethod", "ci", { ...method, name: "ci", default: true }, { ...method, name: "ci" });
    expect((await previewed([secretly, now])).lines).toEqual(["- the auth method of logins that name none can't be decided [undecided]"]);
  });

  test("a deleted method with secret mappings takes the grants of its rules away, and leaves the rules", async () => {
    const secret = { ...method, config: { claimMappings: "[secret]" } };
    const rest = [step("same", "AclBindingRule", "r", rule), step("same", "AclRole", "deployers", role)];
    const gone = [
      "- the auth method `sso` goes, while the rule `Releases` is still of it, and gives nothing [dangling]",
      "- logins of `sso` with `releases in list.groups` lose the role `deployers` (`deploy`) [narrowed]",
    ];
    const hidden = '- `auth method "sso"` can\'t be compared: `config.claimMappings` is secret, or unknown before an update [undecided]';
    expect((await previewed([step("delete", "AclAuthMethod", "sso", secret), ...rest])).lines).toEqual([hidden, ...gone]);
    const renamed = step("update", "AclAuthMethod", "sso", { ...secret, name: "ci" }, secret);
    expect((await previewed([renamed, ...rest])).lines).toEqual(expect.arrayContaining(gone));
    const last = step("update", "AclAuthMethod", "sso", { ...secret, default: false }, { ...secret, default: true });
    expect((await previewed([last, ...rest])).lines).toEqual([
      hidden,
      "- logins that name no auth method fail: `sso` is no longer the default [failing, narrowed]",
    ]);
    const open = step("update", "AclAuthMethod", "sso", { ...secret, default: "[secret]" }, { ...secret, default: true });
    expect((await previewed([open, ...rest])).lines).toEqual([
      "- the auth method of logins that name none can't be decided [undecided]",
      hidden,
      '- `auth method "sso"` can\'t be compared: `default` is secret, or unknown before an update [undecided]',
    ]);
  });

  test("two objects of one name, and unreadable kinds, are undecided", async () => {
    const roles = [role, { ...role, policies: ["admin"] }].map((one, index) => step("same", "AclRole", `r${index}`, one));
    const line = '- `role "deployers"` can\'t be compared: `name` also belongs to another object [undecided]';
    expect((await previewed([same, ...roles])).lines).toEqual([line]);
    const incomplete = [{ kind: "AclBindingRule", reason: "denied" }];
    const partly = file("partly.json", { format: 1, objects: { AclRole: [role] }, incomplete });
    expect((await between(partly, partly)).lines).toEqual([
      "- objects of the kind `AclBindingRule` could not be read, and can't be compared [undecided, management]",
    ]);
  });
});

describe("an error that ends logins", () => {
  const sso = { ...method, config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } } };
  const teams = { ...rule, selector: "", bindName: "team-$" + "{value.team}", description: "Teams" };
  const admins = { ...rule, bindType: "management", bindName: "", selector: "admins in list.groups", description: "Admins" };
  const of = (name: string, rules: object[], more: object = {}) => exported(name, rules, [role], [{ ...sso, ...more }]);

  test("by a computed bind name affects logins with certain claims, which get any grant after the rule's delete", async () => {
    const [without, with_] = [of("without.json", [rule, admins]), of("with.json", [rule, admins, teams])];
    const fails = "fail if `team-$" + "{value.team}` becomes a name that the server refuses";
    expect((await between(without, with_)).lines).toContainEqual(
      `- logins of \`sso\` with any claims now ${fails} [failing, undecided, narrowed]`,
    );
    expect((await between(with_, without)).lines).toContainEqual(
      `- logins of \`sso\` with any claims no longer ${fails} [management, undecided, widened]`,
    );
    expect((await diff("--before", without, "--after", with_, "--markdown")).out).toContain('["some logins fail"]');
    // Without another rule, a login has nothing to lose.
    expect((await between(of("none.json", []), of("only.json", [teams]))).lines).toEqual([
      expect.stringMatching(/gain the role `team-.*\[widened\]$/),
    ]);
  });

  test("appears if management, which came first for those logins, is removed", async () => {
    const invalid = { ...rule, selector: "", bindName: "no name", description: "Invalid", id: "5" };
    const ordered = [{ ...admins, id: "1" }, invalid];
    expect((await between(of("managed.json", ordered), of("failing.json", [invalid]))).lines).toEqual([
      "- logins of `sso` with `admins in list.groups` lose management, which may do everything; logins that match the rule `Invalid` " +
        "fail if a bind name becomes one that the server refuses [narrowed, failing]",
    ]);
  });

  test("by a token name with a claim that some logins lack is reported in both directions", async () => {
    const [fixed, computed] = [of("fixed.json", [rule, admins]), of("own.json", [rule, admins], { tokenNameFormat: "$" + "{value.team}" })];
    const [line] = (await between(fixed, computed)).lines;
    expect(line).toMatch(/^- auth method `sso`: tokenNameFormat is .*: logins fail that lack a claim of it.* \[failing, narrowed\]$/);
    const [back] = (await between(computed, fixed)).lines;
    expect(back).toMatch(/: logins no longer fail that lack a claim of it.* \[management, widened\]$/);
    const other = of("other.json", [rule, admins], { tokenNameFormat: "a-$" + "{value.team}" });
    expect((await between(computed, other)).lines).toEqual([
      expect.stringMatching(/: logins may fail .* \[failing, undecided, management\]$/),
    ]);
    const renamed = of("renamed.json", [rule], { tokenNameFormat: "login" });
    expect((await between(of("plain.json", [rule]), renamed)).lines).toEqual([
      expect.stringMatching(/tokenNameFormat is `login` instead of not set$/),
    ]);
  });

  test("comes before or after management by the order of rules, which a replaced rule changes", async () => {
    const ordered = (name: string, admin: string) =>
      of(name, [
        { ...admins, id: admin },
        { ...teams, id: "5" },
      ]);
    expect((await between(ordered("a.json", "1"), ordered("b.json", "1"))).lines).toEqual(["Logins get what they got before."]);
    expect((await between(ordered("a.json", "1"), ordered("b.json", "9"))).lines).toEqual([
      "- logins of `sso` that match several of the rules `Admins`, `Teams` get management or fail, depending on which one the server tries first, and " +
        "that order, or what they match, changes [management, failing, undecided]",
    ]);
    const unordered = of("without-ids.json", [admins, teams]);
    expect((await between(unordered, unordered)).lines).toEqual([
      expect.stringMatching(/tries first, and that order is unknown \[management, undecided\]$/),
    ]);
  });
});

test("another default method applies to logins without a method", async () => {
  const methods = (name: string, ...defaults: boolean[]) =>
    exported(
      `${name}.json`,
      [rule],
      [role],
      defaults.map((isDefault, index) => ({ ...method, name: index === 0 ? "sso" : "ci", default: isDefault })),
    );
  const [none, first, second] = [methods("none", false, false), methods("first", true, false), methods("second", false, true)];
  expect((await between(first, second)).lines).toEqual(["- logins that name no auth method are of `ci` instead of `sso` [undecided]"]);
  expect((await between(first, none)).lines).toEqual([
    "- logins that name no auth method fail: `sso` is no longer the default [failing, narrowed]",
  ]);
  expect((await between(none, first)).lines).toEqual(["- logins that name no auth method are of `sso`, and failed before [widened]"]);
});

describe("an import", () => {
  const imported = (ignoreChanges: string[], inputs: object) => {
    const { id, outputs: _, ...made } = stored("AclRole", "r", inputs, { ignoreChanges });
    return linesOf(unchanged(policy("few", 'node { policy = "read" }')), {
      op: "import",
      urn: made.urn,
      newState: { ...made, importID: id },
    });
  };

  const anywhere = ["*", "[*]", '["*"]', "*[0]", "[*][0]", "policies..0"];
  test.each([...anywhere, "policies", "policies[0]", "policies[*]", '["policies"]', '["policies"][0]'])(
    "keeps what the server has of properties that it ignores: %s",
    async (path) => {
      const open = '- `role "r"` can\'t be compared: `policies` is secret, or unknown before an update [undecided, management]';
      for (const inputs of [{ name: "r", policies: ["few"] }, { name: "r" }])
        expect(await imported([path], inputs)).toContainEqual(
          anywhere.includes(path) ? expect.stringMatching(/\[undecided, management\]$/) : open,
        );
    },
  );

  test("has the defaults of properties that the program does not give", async () => {
    expect(await imported([], { name: "r" })).toEqual(["Logins get what they got before."]);
  });
});
test("the delete of an auth method gives nothing, although its rules stay", async () => {
  const [few, all] = [policy("few", 'namespace "a" { policy = "read" }'), policy("all", 'namespace "*" { policy = "write" }')];
  const rules = ["few", "all"].map((bindName) =>
    stored("AclBindingRule", bindName, { authMethod: "sso", selector: `${bindName} in list.groups`, bindType: "policy", bindName }),
  );
  const rest = [few, all, ...rules];
  const sso = stored("AclAuthMethod", "sso", { ...method, config: { listClaimMappings: { groups: "groups" } } });
  const lines = await states([...rest, sso], rest);
  expect(lines.filter((line) => line.includes("widened"))).toEqual([]);
});

test.each(["before", "after"])(
  "an object whose name is secret only %s the change may gain management, or may have denied it",
  async (side) => {
    const [reads, manages] = ['node { policy = "read" }', 'operator { policy = "write" }'];
    const name = (of: string) => (of === side ? "[secret]" : "ops");
    const all = [policy("few", reads), policy("adm", manages), policy("no", 'operator { policy = "deny" }')];
    const role = (of: string, policies: string[]) => stored("AclRole", "r", { name: name(of), policies }, { id: "1" });
    const said = (what: string) =>
      `- \`${what}\` can't be compared: \`name\` is secret, or unknown before an update [undecided, management]`;
    for (const [was, is] of [
      [["few"], ["adm"]],
      [["no"], ["few"]],
    ] as const) {
      const lines = await states([...all, role("before", [...was])], [...all, role("after", [...is])]);
      expect(lines).toContainEqual(said('role "r"'));
    }
    const own = (of: string, rules: string) => stored("AclPolicy", "p", { name: name(of), rules });
    const lines = await states([own("before", reads)], [own("after", manages)]);
    expect(lines.filter((line) => [said('policy "p"'), said('policy "ops"')].includes(line))).toHaveLength(1);
  },
);
