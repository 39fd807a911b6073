import { aclAuthMethod } from "../resources/acl-auth-method";
import { aclRole } from "../resources/acl-role";
import type { Path } from "./check";
import { Ignored } from "./ignored";

const covers = (ignored: string[], path: Path) => Ignored.of(ignored).coversPath(aclAuthMethod.inputs, path);

test.each<[string[], Path, boolean]>([
  [["config.oidcScopes"], ["config", "oidcScopes"], true],
  [['config["oidcScopes"]'], ["config", "oidcScopes", 0], true],
  [['["config"].oidcScopes'], ["config", "oidcScopes"], true],
  [["config.oidcScopes"], ["config", "oidcClientId"], false],
  [["config.oidcScopes"], ["config"], false],
  [["config"], ["config", "oidcClientAssertion", "privateKey", "pemKey"], true],
  [["*"], ["maxTokenTtl"], true],
  [["config.*"], ["config", "oidcClientId"], true],
  [["config[*]"], ["config", "oidcClientId"], true],
  [["config.*"], ["name"], false],
  // The engine keeps the state's item of a list, and the provider writes the list.
  [["config.oidcScopes[1]"], ["config", "oidcScopes", 1], false],
  [["config.oidcScopes[*]"], ["config", "oidcScopes"], false],
  [["maxTokenTtl.a"], ["maxTokenTtl"], false],
  [['config.claimMappings["https://idp/a.b"]'], ["config", "claimMappings", "https://idp/a.b"], true],
  [['config.claimMappings["say \\"hi\\""]'], ["config", "claimMappings", 'say "hi"'], true],
  [["config.claimMappings.a"], ["config", "claimMappings", "b"], false],
  [["config.oidcClientAssertion.privateKey.pemKey"], ["config", "oidcClientAssertion", "privateKey", "keyId"], false],
  // An invalid path ignores nothing, as in the engine.
  [["config.oidcScopes["], ["config", "oidcScopes"], false],
  [["config["], ["config", "oidcScopes"], false],
  [[""], ["name"], false],
  [["constructor"], ["constructor"], false],
])("%j covers %j: %s", (ignored, path, expected) => {
  expect(covers(ignored, path)).toBe(expected);
});

test("an empty list ignores nothing", () => {
  expect(Ignored.of([])).toBe(Ignored.nothing);
  expect(Ignored.nothing.coversPath(aclRole.inputs, ["name"])).toBe(false);
});
