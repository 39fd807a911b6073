import { UserError } from "../../common/user-error";
import { aclAuthMethod } from "../resources/acl-auth-method";
import { aclRole } from "../resources/acl-role";
import { decideAdoption, differencesFrom, type Existing } from "./adopt";

const holder: Existing = { label: 'An ACL role named "dev"', id: "5e0c", differences: [] };
const different: Existing = { ...holder, differences: ["description", "policies[1]"] };
const unreadable: Existing = { ...holder, unreadable: ["config.oidcClientSecret"] };

test("without adopt, what exists stays untouched, and every way on is named", () => {
  expect(() => decideAdoption(false, holder)).toThrow(UserError);
  expect(() => decideAdoption(false, holder)).toThrow(
    'An ACL role named "dev" exists already: 5e0c. It was not touched. Others made it, or an earlier update that was interrupted. To manage it here, set adopt: true (takes it over if it equals the inputs) or adopt: "overwrite" ' +
      "(writes the inputs over it), or import it (with the plugin's resources). If the resource was renamed in the program, give it an alias to its old name. " +
      "If a replacement was forced, set deleteBeforeReplace: true.",
  );
});

test("without adopt, where a secret keeps it from being compared, the way on is to overwrite", () => {
  expect(() => decideAdoption(false, unreadable)).toThrow(
    /To manage it here, set adopt: "overwrite" \(writes the inputs over it\), or import it/,
  );
});

test("what another resource of the program holds stays untouched, whatever adopt says", () => {
  for (const adopt of [false, true, "overwrite"] as const) {
    expect(() => decideAdoption(adopt, { ...holder, isManaged: true })).toThrow(
      /It was not touched\. Another resource of this program manages it.* Give this one another name/,
    );
  }
});

test("with adopt, only what equals the inputs is taken", () => {
  expect(decideAdoption(true, holder)).toBe("take");
  expect(() => decideAdoption(true, different)).toThrow(
    /^An ACL role .* It was not touched\. .* it differs in description and policies\[1\]\. .*adopt: "overwrite"/,
  );
});

test("with adopt, inputs that the API does not return don't count as equal", () => {
  expect(() => decideAdoption(true, unreadable)).toThrow(
    /It was not touched\..* the API does not return config\.oidcClientSecret, so nobody can compare it\./,
  );
  expect(decideAdoption(true, { ...holder, unreadable: [] })).toBe("take");
});

test.each([holder, different, unreadable])("with overwrite, it is written over, whatever it holds (%#)", (one) => {
  expect(decideAdoption("overwrite", one)).toBe("overwrite");
});

test("differences are reported with the object's values, and without the program's", () => {
  const asked = { name: "dev", description: "ours", policies: ["read", "write"], adopt: true };
  expect(differencesFrom(aclRole.inputs, asked, { ...asked, adopt: false })).toEqual([]);
  expect(differencesFrom(aclRole.inputs, asked, { name: "dev", description: "theirs", policies: ["admin", "read"] })).toEqual([
    'description ("theirs" there)',
    'policies (["admin","read"] there)',
  ]);
  const config = { jwksUrl: "https://ours", claimMappings: { "a b": "c" } };
  const there = { config: { jwksUrl: `https://${"x".repeat(200)}`, claimMappings: {} } };
  expect(differencesFrom(new Map([...aclAuthMethod.inputs].filter(([name]) => name === "config")), { config }, there)).toEqual([
    `config.jwksUrl ("https://${"x".repeat(111)}... there)`,
    'config.claimMappings["a b"] (not set there)',
  ]);
});
