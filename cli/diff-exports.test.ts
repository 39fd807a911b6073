/** Changes between exports that lack IDs, or objects that they leave out. */
import * as fc from "fast-check";
import { policiesAllow } from "../access/policy/allow";
import { between, diff, useFolder } from "../test/support/diff";
import { exportOf, exports, policy } from "../test/support/diff-sources";
import { sizeOf } from "../test/support/extent";
import { cases } from "../test/support/seed";

useFolder();

const [admin, deny, read] = ["write", "deny", "read"].map((level) => `operator { policy = "${level}" }`);
const same = ["Logins get what they got before."];

test("an export of some names says nothing about the others", async () => {
  const all = { AclPolicy: [{ name: "p", rules: read }], AclRole: [{ name: "team-a", policies: ["p"] }] };
  const before = exportOf("before.json", all);
  const after = exportOf("after.json", { ...all, AclPolicy: [] }, { selection: "--match team-*" });
  const open = /^- not checked: the objects that --match `team-\*` left out of `.*after.json` \[undecided, management\]$/;
  expect((await between(before, after)).lines).toContainEqual(expect.stringMatching(open));
  const twice = await between(after, exportOf("again.json", { ...all, AclPolicy: [] }, { selection: "--match team-*" }));
  expect(twice.lines).toEqual([...same, expect.stringMatching(/again.json lacks the objects that --match team-\* leaves out\.$/)]);
});

test("a token keeps a role that gets a name outside of the export's choice", async () => {
  const of = (name: string) => ({
    AclPolicy: [{ name: "team-p", rules: read }],
    AclRole: name.startsWith("team-") ? [{ id: "1", name, policies: ["team-p"] }] : [],
    AclToken: [{ id: "2", name: "team-bot", type: "client", roles: [name], linkedRoles: [{ id: "1", name }] }],
  });
  const match = { selection: "--match team-*" };
  const { lines } = await between(exportOf("a.json", of("team-dev"), match), exportOf("b.json", of("ops"), match));
  expect(lines).toContain("- the token `team-bot` gains the role `ops` [widened]");
});

test("exports without IDs do not show whether a token that ends was made anew", async () => {
  const one = (id?: string) => ({ AclToken: [{ id, name: "ci", type: "client", policies: ["a"], expirationTtl: "10m" }] });
  const note = 'the token "ci" may have been made anew, and end later: exports show that with --full.';
  for (const [before, after] of [[], ["t"], [undefined, "t"]]) expect(await exports(one(before), one(after))).toEqual([...same, note]);
  expect(await exports(one("t"), one("t"))).toEqual(same);
  const whole = { AclToken: one("t").AclToken.map((token) => ({ ...token, expirationTime: "2027-01-01T00:00:00Z" })) };
  const { lines } = await between(exportOf("a.json", whole), exportOf("b.json", one()), "--json");
  expect(lines.join()).not.toContain("as long as before");
});

test("exports without IDs do not show whether a role goes, comes or is renamed, and then its tokens get what it gives now", async () => {
  const AclPolicy = [policy("a", admin), policy("f", read)].map(({ inputs }) => inputs);
  const of = (roles: Readonly<Record<string, readonly string[]>>, id?: string) => ({
    AclPolicy,
    AclRole: Object.entries(roles).map(([name, policies]) => ({ ...(id && { id: id + name }), name, policies })),
  });
  const goes = "- the role `r` goes, or is renamed: exports with --full show which [undecided, management, narrowed]";
  const comes = "- the role `s` is new, or was renamed: exports with --full show which [undecided, management]";
  const [old, now] = [{ r: ["f"] }, { s: ["a"] }];
  for (const [one, other] of [[], ["1"], [undefined, "1"]]) expect(await exports(of(old, one), of(now, other))).toEqual([goes, comes]);
  // A new role, or another one, may have the old name.
  expect(await exports(of(old), of({ ...old, ...now }))).toEqual([comes]);
  expect(await exports(of({ ...old, ...now }), of(now))).toEqual([goes]);
  const { out } = await diff("--before", exportOf("a.json", of(old)), "--after", exportOf("b.json", of({ ...old, ...now })), "--json");
  expect(JSON.parse(out).accounts).toMatchObject([{ name: "s", closedBy: { findings: [expect.stringMatching(/renamed/)] } }]);
  const lost = ["- the role `r` goes, and its holders lose what it gave [narrowed]"];
  expect(await exports(of(old, "1"), of(now, "2"))).toEqual(lost);
  expect(await exports(of(old), of({}))).toEqual(lost);
  const said = "Roles of one name count as one role (exports have their IDs with --full).";
  const limits = async (id?: string) =>
    (await diff("--before", exportOf("a.json", of(old, id)), "--after", exportOf("b.json", of(old, id)))).out;
  expect(await limits()).toContain(said);
  expect(await limits("1")).not.toContain(said);
  // An export has the tokens of one region: other ones may hold the role.
  const withTokens = (one: object) => ({ ...one, AclToken: [{ name: "t", type: "client", policies: ["f"] }] });
  expect(await exports(withTokens(of(old)), withTokens(of(now)))).toEqual([goes, comes]);
});

test("an object that a choice of names does not have any more may have another name", async () => {
  const rule = { authMethod: "sso", bindType: "policy", bindName: "p", selector: "", description: "team-rule" };
  const token = { id: "t", name: "team-bot", type: "client", policies: ["p"], roles: [] };
  const AclPolicy = [{ name: "p", rules: read }];
  const whole = {
    AclPolicy,
    AclBindingRule: [{ id: "b", ...rule }],
    AclRole: [{ id: "1", name: "team-a", policies: ["p"] }],
    AclToken: [token],
  };
  const nothing = { ...whole, AclBindingRule: [], AclRole: [], AclToken: [] };
  const chosen = (name: string, objects: object) => exportOf(name, objects as typeof whole, { selection: "--match team-*" });
  const gone = (await between(chosen("a.json", whole), chosen("b.json", nothing))).lines;
  const left = "goes, or is renamed to a name that `--match team-*` leaves out [undecided, management, narrowed]";
  for (const what of ["role `team-a`", "token `team-bot`", "rule `team-rule`"]) expect(gone).toContain(`- the ${what} ${left}`);
  const come = (await between(chosen("a.json", nothing), chosen("b.json", whole))).lines;
  const hidden = "is new, or was renamed from a name that `--match team-*` leaves out [undecided, management]";
  for (const what of ["role `team-a`", "token `team-bot`", "rule `team-rule`"]) expect(come).toContain(`- the ${what} ${hidden}`);
  // Another role has the name now.
  const other = { ...whole, AclRole: [{ id: "2", name: "team-a", policies: ["p"] }] };
  expect((await between(chosen("a.json", whole), chosen("b.json", other))).lines).toContain(`- the role \`team-a\` ${left}`);
});

test("exports without IDs do not show whether tokens with one name exchanged their permissions", async () => {
  const token = (id: string | undefined, policies: string[]) => ({ id, name: "ci", type: "client", policies });
  const of = (...tokens: object[]) => ({ AclPolicy: [policy("a", admin).inputs, policy("f", read).inputs], AclToken: tokens });
  const [one, other] = [["a"], ["f"]];
  const note = 'tokens that share a name ("ci") may have exchanged their permissions: exports show that with --full.';
  const unnamed = (...all: string[][]) => of(...all.map((policies) => token(undefined, policies)));
  expect(await exports(unnamed(one, other), unnamed(other, one))).toEqual([...same, note]);
  expect(await exports(unnamed(one, other), unnamed(one))).toContain(note);
  expect(await exports(unnamed(one), unnamed(one))).toEqual(same);
  const whole = (first: string[], second: string[]) => of(token("1", first), token("2", second));
  expect(await exports(whole(one, other), whole(one, other))).toEqual(same);
  expect(await exports(whole(one, other), whole(other, one))).toContainEqual(
    expect.stringMatching(/token `ci` .*\[management, widened\]$/),
  );
});

describe("tokens that exports leave out", () => {
  interface Side {
    readonly policies: Readonly<Record<string, string | undefined>>;
    readonly roles: readonly { readonly id: string; readonly name: string; readonly policies: readonly string[] }[];
    readonly hasIds: boolean;
    /** Whether the export has a choice of the cluster's objects. */
    readonly isChosen: boolean;
  }

  const asks = ["operator:write", "operator:read", "read-job", "submit-job"].map((ask) => ({ ask, namespace: "default" }));
  const ofJobs = { name: "j", rules: admin, jobAcl: { namespace: "default" } };
  const names = ["a", "b", "c"];
  const left = "t";
  const namespaces = ['namespace "default" { policy = "read" }', 'namespace "*" { policy = "write" }', 'namespace "*" { policy = "deny" }'];
  const texts = [admin, deny, read, ...namespaces];
  const role = fc.record({ id: fc.constantFrom("1", "2"), name: fc.constantFrom("r", "s", "t"), policies: fc.subarray(names) });
  const side: fc.Arbitrary<Side> = fc.record({
    policies: fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...texts)),
    roles: fc.uniqueArray(role, { comparator: (one, other) => one.id === other.id || one.name === other.name }),
    hasIds: fc.boolean(),
    isChosen: fc.boolean(),
  });

  function fileOf(name: string, { policies, roles, hasIds, isChosen }: Side): string {
    const objects = {
      AclPolicy: [ofJobs, ...Object.entries(policies).map(([policyName, rules]) => ({ name: policyName, rules }))],
      AclRole: roles.flatMap(({ id, ...rest }) => (isChosen && rest.name === left ? [] : [{ ...(hasIds && { id }), ...rest }])),
      ...(isChosen && { AclToken: [{ name: "x", type: "client", policies: ["a"], roles: [] }] }),
    };
    return exportOf(name, objects, isChosen ? { selection: `--exclude ${left}` } : {});
  }

  const allowed = ({ policies }: Side, held: readonly string[], others: readonly string[]) => {
    const rules = [...others, ...held.flatMap((name) => policies[name] ?? [])];
    return asks.filter((one) => policiesAllow(rules, one) === true).map(({ ask }) => ask);
  };

  test("gain nothing by a role without a line about the role or its policies", async () => {
    let gains = 0;
    const judged = fc.asyncProperty(side, side, async (before, after) => {
      const { lines } = await between(fileOf("before.json", before), fileOf("after.json", after));
      const alarms = lines.filter((line) => /\[.*(?:undecided|widened|management).*\]$/.test(line));
      for (const old of before.roles) {
        const now = after.roles.find(({ id }) => id === old.id);
        const isUnseen = [before, after].every(({ isChosen }) => isChosen) && old.name === left;
        if (!now || (isUnseen && now.name === left)) continue;
        // Exports without IDs may look the same if other roles have the names. The limits say so.
        const isSeen = ({ isChosen }: Side, roleName: string) => !isChosen || roleName !== left;
        const has = (side: Side, roleName: string) => isSeen(side, roleName) && side.roles.some(({ name }) => name === roleName);
        const isHidden = [has(after, old.name) || !isSeen(before, old.name), has(before, now.name) || !isSeen(after, now.name)];
        if (now.name !== old.name && !(before.hasIds && after.hasIds) && isHidden.every(Boolean)) continue;
        for (const others of [[], ['operator { policy = "write" }']]) {
          const was = allowed(before, old.policies, others);
          const gained = allowed(after, now.policies, others).filter((ask) => !was.includes(ask));
          const named = [old.name, now.name, ...old.policies, ...now.policies].map((name) => `\`${name}\``);
          const about = alarms.filter((line) => line.startsWith("- not checked") || named.some((name) => line.includes(name)));
          if (gained.length > 0 && about.length === 0) throw new Error(`${gained.join()} of ${JSON.stringify(now)}: ${lines.join("\n")}`);
          if (gained.some((ask) => ask === "operator:write" || ask === "submit-job")) expect(about.join()).toContain("management");
          gains += gained.length;
        }
      }
    });
    await fc.assert(judged, cases({ numRuns: sizeOf({ quick: 300, full: 2_000 }) }));
    expect(gains).toBeGreaterThan(0);
  });
});
