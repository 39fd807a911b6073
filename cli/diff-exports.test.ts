/** Changes between exports that lack IDs, or objects that they leave out. */
import { between, useFolder } from "../test/support/diff";
import { exportOf, exports, policy } from "../test/support/diff-sources";

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

test("exports without IDs do not show whether a token that ends was made anew", async () => {
  const one = (id?: string) => ({ AclToken: [{ id, name: "ci", type: "client", policies: ["a"], expirationTtl: "10m" }] });
  const note = 'the token "ci" may have been made anew, and end later: exports show that with --full.';
  for (const [before, after] of [[], ["t"], [undefined, "t"]]) expect(await exports(one(before), one(after))).toEqual([...same, note]);
  expect(await exports(one("t"), one("t"))).toEqual(same);
  const whole = { AclToken: one("t").AclToken.map((token) => ({ ...token, expirationTime: "2027-01-01T00:00:00Z" })) };
  const { lines } = await between(exportOf("a.json", whole), exportOf("b.json", one()), "--json");
  expect(lines.join()).not.toContain("as long as before");
});

test("exports without IDs do not show whether a new role is a former one, whose tokens then get what it gives", async () => {
  const AclPolicy = [policy("a", admin), policy("d", deny), policy("f", read)].map(({ inputs }) => inputs);
  const of = (name: string, ...policies: string[]) => ({ AclPolicy, AclRole: [{ name, policies }] });
  const said = "- the role `s` may be `r` under a new name: then its tokens get what it gives now, and exports with --full show that";
  expect(await exports(of("r", "f"), of("s", "a"))).toContain(`${said} [undecided, management]`);
  expect(await exports(of("r", "d", "f"), of("s", "f"))).toContain(`${said} [undecided, management]`);
  const goes = ["- the role `r` goes, and its holders lose what it gave [narrowed]"];
  for (const now of [of("s", "f"), of("s")]) expect(await exports(of("r", "f"), now)).toEqual(goes);
  const withTokens = (one: object) => ({ ...one, AclToken: [{ name: "t", type: "client", policies: ["f"] }] });
  expect(await exports(withTokens(of("r", "f")), withTokens(of("s", "a")))).toEqual(goes);
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
