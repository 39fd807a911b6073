import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { unknownMarker } from "../provider/adapters/markers";
import { pluginToken } from "../provider/configuration/tokens";
import { fixture, fixtures } from "../test/previews/fixtures";
import { between, diff, exported, file, method, role, rule, useFolder } from "../test/support/diff";

useFolder();

test("the report has new and removed grants, and whether more or fewer logins get them", async () => {
  const before = exported("before.json", [rule]);
  const widened = { ...rule, selector: "releases in list.groups or contractors in list.groups" };
  expect((await between(before, before)).lines).toEqual(["Logins get what they got before."]);
  expect(await between(before, exported("more.json", [rule, { ...rule, selector: "contractors in list.groups" }]))).toEqual({
    status: 0,
    lines: ["- logins of `sso` with `contractors in list.groups` gain the role `deployers` (`deploy`) [widened]"],
  });
  expect((await between(before, exported("wider.json", [widened]))).lines).toEqual([
    "- logins of `sso` with `releases in list.groups or contractors in list.groups` instead of with `releases in list.groups` " +
      "(more logins than before) get the role `deployers` (`deploy`) [widened]",
  ]);
  expect((await between(exported("wide.json", [widened]), before)).lines).toEqual([
    expect.stringMatching(/ \(fewer logins than before\) get the role .* \[narrowed\]$/),
  ]);
  const pattern = { ...rule, selector: "any list.groups as g { g matches `^rel` }" };
  expect((await between(before, exported("pattern.json", [pattern]))).lines).toEqual([
    expect.stringMatching(/ \(whether that is more or fewer logins can't be decided\) get the role .* \[undecided\]$/),
  ]);
  expect((await between(before, exported("none.json", []))).lines).toEqual([
    "- logins of `sso` with `releases in list.groups` lose the role `deployers` (`deploy`) [narrowed]",
  ]);
});

test("the report has policies of roles, deleted roles with rules, tokens, and failing bind names", async () => {
  const before = exported("before.json", [rule]);
  expect((await between(before, exported("policies.json", [rule], [{ ...role, policies: ["read"] }]))).lines).toEqual([
    "- the role `deployers` also gives `read` to logins of `sso` with `releases in list.groups` [widened]",
    "- the role `deployers` no longer gives `deploy` to logins of `sso` with `releases in list.groups` [narrowed]",
  ]);
  expect((await between(before, exported("dangling.json", [rule], []))).lines).toEqual([
    "- the role `deployers` goes, while the rule `Releases` still binds it, and gives nothing [dangling]",
    "- logins of `sso` with `releases in list.groups` lose the role `deployers` (`deploy`) [narrowed]",
  ]);
  expect((await between(before, exported("token.json", [rule], [role], [{ ...method, tokenLocality: "global" }]))).lines).toEqual([
    "- auth method `sso`: tokenLocality is `global` instead of `local` [widened]",
  ]);
  const admins = { ...rule, bindType: "management", bindName: "" };
  const [local, global] = ["local", "global"].map((tokenLocality) =>
    exported(`${tokenLocality}.json`, [admins], [], [{ ...method, tokenLocality }]),
  );
  expect((await between(local ?? "", global ?? "")).lines).toEqual([
    "- auth method `sso`: tokenLocality is `global` instead of `local` [management, widened]",
  ]);
  const [short, long] = ["10m", "24h"].map((maxTokenTtl) => exported(`${maxTokenTtl}.json`, [rule], [role], [{ ...method, maxTokenTtl }]));
  expect([
    ...(await between(short ?? "", long ?? "")).lines,
    ...(await between(long ?? "", short ?? "")).lines,
    ...(await between(before, short ?? "")).lines,
  ]).toEqual([
    "- auth method `sso`: maxTokenTtl is `24h` instead of `10m` [widened]",
    "- auth method `sso`: maxTokenTtl is `10m` instead of `24h` [narrowed]",
    "- auth method `sso`: maxTokenTtl is `10m` instead of not set [undecided]",
  ]);
  const failing = { ...rule, bindName: "team-$" + "{value.team}" };
  expect((await between(before, exported("failing.json", [rule, failing]))).lines).toEqual([
    "- logins of `sso` with `releases in list.groups` now fail, because the bind name `team-$" +
      "{value.team}` can't become a valid name [failing, narrowed]",
  ]);
});

test("a deleted role may have a name that a rule computes", async () => {
  const teams = { ...rule, bindName: "team-$" + "{value.team}" };
  const mapped = { ...method, config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } } };
  const of = (name: string, ...roles: string[]) =>
    exported(
      name,
      [teams],
      roles.map((one) => ({ name: one, policies: ["deploy"] })),
      [mapped],
    );
  expect((await between(of("before.json", "team-a", "team-b", "ops"), of("after.json", "team-b"))).lines).toEqual([
    "- the role `ops` goes, or is renamed: exports with --full show which [undecided, management, narrowed]",
    "- the role `team-a` goes, or is renamed: exports with --full show which [undecided, management, narrowed]",
    "- the role `team-a` goes, while the rule `Releases` may still compute its name, and gives nothing then [dangling]",
    "- logins of `sso` with `releases in list.groups` lose the role `team-a` (`deploy`) [narrowed]",
  ]);
});

test("an added or removed mapping is reported as the change, if no rule changes", async () => {
  const mapped = { ...method, config: { ...method.config, claimMappings: { team: "team" } } };
  const teams = { ...rule, selector: "value.team == a" };
  const [without, with_] = [exported("without.json", [teams], [role], [method]), exported("with.json", [teams], [role], [mapped])];
  const line = (how: string) => `- logins of \`sso\` by other mappings of claims (${how}) get the role \`deployers\` (\`deploy\`)`;
  expect((await between(without, with_)).lines[0]).toBe(`${line("more logins than before")} [widened]`);
  expect((await between(with_, without)).lines).toContain(`${line("fewer logins than before")} [narrowed]`);
});

test("a line names a few of many selectors, rules and policies, and JSON names all", async () => {
  const letters = [..."abcdef"];
  const rules = letters.map((letter) => ({ ...rule, selector: `${letter} in list.groups`, description: letter }));
  const [before, after] = [exported("before.json", []), exported("after.json", rules, [{ ...role, policies: letters }])];
  expect((await between(before, after)).lines).toEqual([
    "- logins of `sso` with `a in list.groups` or `b in list.groups` or `c in list.groups` or `d in list.groups` or 2 more gain the role " +
      "`deployers` (`a`, `b`, `c`, `d` and 2 more) [widened]",
    expect.stringMatching(/^- the role `deployers` also gives .* and 2 more to logins of `sso` with .* and 2 more \[widened\]$/),
    "- the role `deployers` no longer gives `deploy`; no rule here gave this role [narrowed]",
  ]);
  const { out } = await diff("--before", before, "--after", after, "--json");
  const [grant] = JSON.parse(out).grants;
  expect([grant.after.length, grant.policies]).toEqual([6, letters]);
  expect((await between(after, exported("dangling.json", rules, []))).lines).toContainEqual(
    "- the role `deployers` goes, while the rules `a`, `b`, `c`, `d` and 2 more still bind it, and give nothing [dangling]",
  );
});

test("an auth method with other checks lets unknown logins in, with management if a rule gives it", async () => {
  const admins = { ...rule, bindType: "management", bindName: "", selector: "admins in list.groups", description: "Admins" };
  const checking = (config: object) => [{ ...method, config: { ...method.config, boundAudiences: ["a", "b"], ...config } }];
  const before = exported("before.json", [rule], [role], checking({}));
  const same = exported("same.json", [rule], [role], checking({ boundAudiences: ["b", "a"], verboseLogging: true, oidcScopes: [] }));
  expect((await between(before, same)).lines).toEqual(["Logins get what they got before."]);
  const after = exported("after.json", [rule], [role], checking({ boundAudiences: [], jwksUrl: "https://hidden.example.com" }));
  expect((await between(before, after)).lines).toEqual([
    "- auth method `sso`: `jwksUrl`, `boundAudiences` differ, so others may log in [undecided]",
  ]);
  const [one, two] = [{}, { oidcDiscoveryUrl: "https://idp.example.com" }].map((config, index) =>
    exported(`${index}.json`, [rule, admins], [role], checking(config)),
  );
  expect(await between(one ?? "", two ?? "", "--fail-on", "management")).toEqual({
    status: 3,
    lines: ["- auth method `sso`: `oidcDiscoveryUrl` differs, so others may log in [undecided, management]"],
  });
});

test("an issuer or a leeway of an OIDC method, which servers ignore, lets the same logins in", async () => {
  const of = (name: string, type: string, config: object) =>
    exported(name, [rule], [role], [{ ...method, type, config: { ...method.config, ...config } }]);
  const ignored = { boundIssuer: ["https://idp.example.com"], clockSkewLeeway: "1h", expirationLeeway: "1h", notBeforeLeeway: "1h" };
  const lines = async (type: string) => (await between(of("a.json", type, {}), of("b.json", type, ignored))).lines;
  expect(await lines("OIDC")).toEqual(["Logins get what they got before."]);
  expect(await lines("JWT")).not.toEqual(["Logins get what they got before."]);
});

test("an auth method that accepts fewer values lets fewer logins in", async () => {
  const admins = { ...rule, bindType: "management", bindName: "", selector: "" };
  const lines = async (...configs: readonly object[]) => {
    const [before = "", after = ""] = configs.map((config, index) =>
      exported(`${index}.json`, [admins], [], [{ ...method, type: "JWT", config }]),
    );
    return (await between(before, after)).lines;
  };
  const fewer = (name: string) => `- auth method \`sso\`: \`${name}\` accepts fewer values, so fewer may log in [narrowed]`;
  expect(await lines({ boundAudiences: ["a", "b"] }, { boundAudiences: ["b"] })).toEqual([fewer("boundAudiences")]);
  expect(await lines({ boundIssuer: [] }, { boundIssuer: ["https://idp.example.com"] })).toEqual([fewer("boundIssuer")]);
  const others = (name: string) => `- auth method \`sso\`: \`${name}\` differs, so others may log in [undecided, management]`;
  expect(await lines({ boundAudiences: ["a"] }, { boundAudiences: [] })).toEqual([others("boundAudiences")]);
  expect(await lines({ boundAudiences: ["a"] }, { boundAudiences: ["b"] })).toEqual([others("boundAudiences")]);
  expect(await lines({ allowedRedirectUris: [] }, { allowedRedirectUris: ["https://a"] })).toEqual([others("allowedRedirectUris")]);
  expect(await lines({ signingAlgs: [] }, { signingAlgs: ["ES256"] })).toEqual([others("signingAlgs")]);
});

test("a secret of the cluster's own login is no change, and other secrets can't be compared", async () => {
  const withConfig = (config: object) => exported("secret.json", [rule], [role], [{ ...method, config: { ...method.config, ...config } }]);
  const own = withConfig({ oidcClientSecret: "[secret]", oidcClientAssertion: { privateKey: { pemKey: "[secret]" } } });
  expect((await between(own, own)).lines).toEqual(["Logins get what they got before."]);
  const [pkce, none] = [{ oidcEnablePkce: true }, {}].map((config, index) =>
    exported(`own-${index}.json`, [rule], [role], [{ ...method, config: { ...method.config, ...config } }]),
  );
  expect((await between(pkce ?? "", none ?? "")).lines).toEqual([
    "- auth method `sso`: `oidcEnablePkce` differs, so logins may begin to fail, or stop failing [undecided]",
  ]);
  const hidden = withConfig({ jwksUrl: "[secret]" });
  expect((await between(hidden, hidden)).lines).toEqual([
    "- auth method `sso`: `jwksUrl` can't be compared: secret, or unknown before an update [undecided]",
  ]);
});

test("a token name that always fails ends all grants of a method, and a valid one restores them", async () => {
  const named = (tokenNameFormat: string) => exported(`${tokenNameFormat.length}.json`, [rule], [role], [{ ...method, tokenNameFormat }]);
  const [works, fails] = [named("login"), named("login-$" + "{value.team}")];
  expect((await between(works, fails)).lines).toEqual([
    expect.stringMatching(/tokenNameFormat is /),
    "- every login of `sso` fails, because the name of its token can't be computed [failing]",
    "- logins of `sso` with `releases in list.groups` lose the role `deployers` (`deploy`) [narrowed]",
  ]);
  expect((await between(fails, works)).lines).toEqual([
    "- logins of `sso` with `releases in list.groups` gain the role `deployers` (`deploy`) [widened]",
    expect.stringMatching(/tokenNameFormat is /),
  ]);
});

test("a new policy of a role has no effect on a rule that computes names of policies", async () => {
  const teams = { ...rule, bindType: "policy", bindName: "team-$" + "{value.team}" };
  const methods = [{ ...method, config: { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } } }];
  const before = exported("before.json", [teams], [role], methods);
  const after = exported("after.json", [teams], [role, { name: "spare", policies: ["team-a"] }], methods);
  expect((await between(before, after)).lines).toEqual([
    "- the role `spare` is new, or was renamed: exports with --full show which [undecided, management]",
  ]);
});

test("the report has the names of changed properties in an auth method's config, and no values", async () => {
  const config = (secret: string, claim: string) => ({
    oidcDiscoveryUrl: `https://${secret}`,
    oidcClientSecret: secret,
    listClaimMappings: { [claim]: "groups" },
  });
  const [before, after] = ["one", "two"].map((word) =>
    exported(`${word}.json`, [rule], [role], [{ ...method, config: config(`hidden-${word}`, `claim-${word}`) }]),
  );
  for (const how of [[], ["--json"], ["--markdown"]]) {
    const { status, out } = await diff("--before", before ?? "", "--after", after ?? "", ...how);
    expect(status).toBe(0);
    expect(out).toContain("listClaimMappings differ, so selectors may mean other claims");
    expect(out).toContain("oidcDiscoveryUrl");
    expect(out).not.toMatch(/hidden-|claim-/);
  }
});

describe("a preview", () => {
  const step = (op: string, kind: string, name: string, states: { old?: object; new?: object }) => {
    const type = pluginToken(kind);
    const urn = `urn:pulumi:dev::p::${type}::${name}`;
    const state = (inputs: object | undefined) => inputs && { urn, type, id: name, inputs };
    return { op, urn, oldState: state(states.old), newState: state(states.new) };
  };
  const admins = { ...rule, bindType: "management", bindName: "", selector: "`</code>` in list.groups" };
  const preview = () =>
    file("preview.json", {
      steps: [
        step("same", "AclAuthMethod", "sso", { old: method, new: method }),
        step("same", "AclRole", "deployers", { old: role, new: role }),
        step("update", "AclBindingRule", "r", { old: { ...rule, selector: "[secret]" }, new: rule }),
        step("create", "AclBindingRule", "admins", { new: admins }),
        step("same", "AclBindingRule", "hidden", { old: { ...rule, selector: "[secret]" }, new: { ...rule, selector: "[secret]" } }),
      ],
    });

  test("may give management if a rule of management is of a method with mappings that are unknown before the update", async () => {
    const after = { ...method, config: { claimMappings: unknownMarker } };
    const rules = { ...admins, selector: "value.role == admin" };
    const steps = [
      step("update", "AclAuthMethod", "sso", { old: method, new: after }),
      step("same", "AclBindingRule", "admins", { old: rules, new: rules }),
    ];
    const { status, out } = await diff("--preview", file("unknown.json", { steps }), "--fail-on", "management");
    expect([status, out]).toEqual([
      3,
      expect.stringMatching(/`config.claimMappings` .* unknown before an update \[undecided, management\]/),
    ]);
  });

  test("ends with 3 for unwanted kinds of changes, and can't compare changed secrets", async () => {
    const { status, out, errors } = await diff("--preview", preview(), "--fail-on", "management,failing");
    expect([status, errors]).toEqual([3, "--fail-on: the change is management"]);
    expect(out).toContain("gain management, which may do everything [management, widened]");
    expect(out).toContain('`binding rule "Releases"` can\'t be compared: `selector` is secret');
    expect(out).toMatch(
      / This only covers the compared objects, as the files have them\. .* and results of lookups in the update, are not known here\.$/m,
    );
    expect(JSON.parse((await diff("--preview", preview(), "--json")).out)).toMatchObject({
      kinds: ["management", "widened", "undecided"],
      limits: expect.stringContaining("results of lookups in the update"),
    });
  });

  test("reports no gain or loss of an object with a secret or unknown side", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const path = file("unknown.json", {
      steps: [
        step("update", "AclAuthMethod", "sso", { old: method, new: { ...method, config: { listClaimMappings: unknown } } }),
        step("update", "AclRole", "deployers", { old: role, new: { ...role, policies: [unknown] } }),
        step("update", "AclBindingRule", "r", { old: { ...rule, selector: "[secret]" }, new: rule }),
        step("same", "AclBindingRule", "s", { old: rule, new: rule }),
      ],
    });
    const { out } = await diff("--preview", path);
    expect(out.split("\n").slice(0, -1)).toEqual([
      expect.stringMatching(/^- `role "deployers"` can't be compared: `policies` is secret.* \[undecided, management\]$/),
      expect.stringMatching(/^- `binding rule "Releases"` can't be compared: `selector` is secret/),
      expect.stringMatching(/^- `auth method "sso"` can't be compared: `config.listClaimMappings` is secret/),
    ]);
  });

  const selected = z.object({ selector: z.string() });
  const written = (name: string, which: "preview" | "brief" = "preview") => {
    const recording = fixture.parse(JSON.parse(readFileSync(join(fixtures, name), "utf8")));
    return file(name, recording[which]);
  };

  test.each(["plugin", "dynamic"])(
    "reports the losses by replacements, but no delete of kept objects, in a recording of the CLI with the %s",
    async (adapter) => {
      const path = written(`${adapter}-changes.json`);
      const { status, out } = await diff("--preview", path, "--json", "--fail-on", "narrowed");
      expect(status).toBe(3);
      const sides = z.object({ grants: z.array(z.object({ before: z.array(selected), after: z.array(selected) })) });
      const { grants } = sides.parse(JSON.parse(out));
      const groups = (side: "before" | "after") => grants.flatMap((grant) => grant[side].map(({ selector }) => selector.split('"')[1]));
      expect(groups("before")).toEqual(
        expect.arrayContaining(["replaced", "deleted-first", "goes-with-first", "forced", "gone", "read-instead"]),
      );
      expect(groups("after")).toEqual(expect.arrayContaining(["replaced-now", "deleted-first-now", "made"]));
      for (const group of ["kept-half", "kept-first", "gone-kept", "let-go", "hosted"]) expect(groups("before")).not.toContain(group);
    },
  );

  test("refuses a preview that lacks the steps of a replacement", async () => {
    const path = written("plugin-changes.json", "brief");
    const { status, errors } = await diff("--preview", path);
    expect([status, errors]).toEqual([
      1,
      expect.stringMatching(/ lacks the steps of replacements: write it by .*--show-replacement-steps/),
    ]);
  });

  test("names the resources that --target leaves out, and does not count them", async () => {
    const path = written("plugin-target.json");
    const { out } = await diff("--preview", path);
    expect(out).toContain('AclBindingRule "made" is not part of this update.');
    expect(out).not.toContain('"made" in list.groups');
    expect((await diff("--preview", path, "--markdown")).out).toContain('`AclBindingRule "made"` is not part of this update.');
    expect(JSON.parse((await diff("--preview", path, "--json")).out).notes).toEqual([
      'AclBindingRule "made" is not part of this update',
      expect.stringMatching(/^a preview with --target or --exclude does not show/),
    ]);
  });

  test("is Markdown with a graph for a pull request", async () => {
    const { out } = await diff("--preview", preview(), "--markdown");
    expect(out).toContain("### What this change grants: management, widened, undecided");
    expect(out).toContain('```mermaid\nflowchart LR\n  method0(["sso"])\n  target1["management"]');
    expect(out).toContain('method0 ==>|"#96;#60;#47;code#62;#96; in list#46;groups"| target1');
  });
});

test("a cluster that only one side has is reported as new or removed as a whole", async () => {
  const [one, two] = ["https://one.example.com:4646", "https://two.example.com:4646"];
  const stateOf = (name: string, ...servers: string[]) => {
    const resources = servers.flatMap((server) =>
      Object.entries({ AclAuthMethod: method, AclRole: role, AclBindingRule: rule }).map(([kind, outputs]) => {
        const type = pluginToken(kind);
        return { urn: `urn:pulumi:dev::p::${type}::${server}`, type, id: kind, outputs: { ...outputs, server } };
      }),
    );
    return file(name, { version: 3, deployment: { resources } });
  };
  const [none, first, both] = [stateOf("none.json"), stateOf("first.json", one), stateOf("both.json", one, two)];
  const logins = "- logins of `sso` with `releases in list.groups`";
  const gained = { status: 0, lines: [`${logins} gain the role \`deployers\` (\`deploy\`) [widened]`] };
  const lost = { status: 0, lines: [`${logins} lose the role \`deployers\` (\`deploy\`) [narrowed]`] };
  expect((await diff("--before", none, "--after", both)).errors).toContain(
    `both.json has objects of 2 clusters: give --cluster with one of`,
  );
  expect(await between(none, both, "--cluster", two)).toEqual(gained);
  expect(await between(both, first, "--cluster", two)).toEqual(lost);
  expect(await between(both, first, "--cluster", one)).toEqual({ status: 0, lines: ["Logins get what they got before."] });
  // An export does not name its cluster, which may be this one.
  const ofSome = exported("some.json", [rule]);
  for (const [before, after, cluster, names] of [
    [none, both, "https://three", "none"],
    [ofSome, both, one, "(not known)"],
  ] as const) {
    const { status, errors } = await diff("--before", before, "--after", after, "--cluster", cluster);
    expect([status, errors]).toEqual([2, expect.stringContaining(`--cluster ${cluster}: ${before} has objects of ${names}\nusage:`)]);
  }
  expect((await diff("--before", ofSome, "--after", both, "--cluster", "(not known)")).status).toBe(2);
});

test("each mistake is one error that names it", async () => {
  const some = exported("a.json", []);
  for (const [args, message] of [
    [[], /^give --preview, or both --before and --after\nusage:/],
    [["--before", some], /^give --preview, or both/],
    [["--preview", some, "--fail-on", "wider"], /^--fail-on wider: give management or widened/],
    [["--before", some, "--after", some, "--fail-on", "widened", "--fail-on", "management"], /^--fail-on is given twice: give it once\n/],
    [["--before", some, "--before", some, "--after", some], /^--before is given twice/],
    [["--before", some, "--after", file("b.json", {})], /b\.json is the output of neither `pulumi stack export` nor/],
  ] as const) {
    expect((await diff(...args)).errors).toMatch(message);
  }
});
