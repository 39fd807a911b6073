/** Values of a preview that the update computes anew, because the program asks the server for something that the update changes. */
import { useFolder } from "../test/support/diff";
import { policy, previewed, type Stored, stored, unchanged } from "../test/support/diff-sources";

useFolder();

const nothing = "Logins get what they got before.";
const [few, more] = [policy("few", 'node { policy = "read" }'), policy("more", 'operator { policy = "write" }')];
const role = (name: string, policies: string[], description?: string) => stored("AclRole", name, { name, policies, description });
const updated = (old: Stored, now: Stored) => ({ op: "update", urn: now.urn, oldState: old, newState: { ...now, outputs: undefined } });
const base = updated(role("base", ["few", "more"]), role("base", ["few"]));
/** The unchanged step of a resource, a property of which waits for others. */
const waiting = (one: Stored, property: string, ...urns: string[]) =>
  unchanged({ ...one, ...{ propertyDependencies: { name: [], [property]: urns } } });
const said = (property: string, one: string, other: string) =>
  `- not checked: what \`${property}\` of \`${one}\` will be, because the program computes it from \`${other}\`, which changes [undecided, management]`;

test("the policies of a role that a function looks up are the old ones in a preview", async () => {
  const steps = [few, more].map(unchanged);
  const lines = await previewed(...steps, base, waiting(role("copy", ["few", "more"]), "policies", base.urn));
  expect(lines).toContainEqual(said("policies", 'AclRole "copy"', 'AclRole "base"'));
});

test("a list of policies lacks a new one", async () => {
  const made = { op: "create", urn: more.urn, newState: { ...more, id: undefined, outputs: undefined } };
  const lines = await previewed(unchanged(few), made, waiting(role("all", ["few", "no-more"]), "policies", few.urn, more.urn));
  expect(lines).toEqual([said("policies", 'AclRole "all"', 'AclPolicy "more"')]);
});

test("a get reads the object before the update changes it", async () => {
  const got = { ...role("base", ["few", "more"]), urn: `${base.urn}-looked-up`, external: true };
  const read = { op: "read", urn: got.urn, newState: got };
  const copy = (urn: string) => waiting(role("copy", ["few", "more"]), "policies", urn);
  const steps = [few, more].map(unchanged);
  expect(await previewed(...steps, base, read, copy(got.urn))).toContainEqual(
    said("policies", 'AclRole "copy"', 'AclRole "base-looked-up"'),
  );
  expect((await previewed(...steps, unchanged(role("base", ["few", "more"])), read, copy(got.urn)))[0]).toBe(nothing);
});

test("a name or an ID of the changed object explains a value, and so does a part of a text", async () => {
  const changed = updated(few, policy("few", 'node { policy = "deny" }'));
  const rule = (bindName: string) => stored("AclBindingRule", "b", { authMethod: "sso", selector: "", bindType: "policy", bindName });
  const named = waiting(rule(`few-\${value.team}`), "bindName", few.urn);
  const described = waiting(role("r", ["more"], "computed"), "description", few.urn);
  const lines = await previewed(changed, waiting(role("r2", ["few"]), "policies", few.urn), named, described);
  expect(lines.join()).not.toContain("not checked");
});
