import type { Environment } from "../../common/environment";
import { ConfigurationError } from "../../common/user-error";
import { type Origin, resolveConfiguration } from "./config";

const resolve = (configured: Record<string, unknown>, env: Environment = {}, origin: Origin = "stack") =>
  resolveConfiguration((key) => configured[key], env, origin);

describe("a login", () => {
  const clusterLogin = { authMethod: "ci", jwtVariable: "CI_TOKEN" };
  const used = (configured: Record<string, unknown>, env: Environment, origin?: Origin) => {
    const { settings } = resolve({ clusterAddress: "https://a.test", clusterLogin, ...configured }, env, origin);
    return settings.clusterLogin ? "login" : settings.clusterToken;
  };

  test("takes precedence over NOMAD_TOKEN, and AGENTPOOL_ACL_CLUSTER_TOKEN over it, except for an explicit provider", () => {
    expect(used({}, { NOMAD_TOKEN: "usual" })).toBe("login");
    expect(resolve({ clusterLogin }, { NOMAD_TOKEN: "usual" }).settings.clusterToken).toBeUndefined();
    expect(used({}, { NOMAD_TOKEN: "usual", AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" })).toBe("for one run");
    expect(used({}, { AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" }, "program")).toBe("login");
  });

  test("together with a token in the configuration is an error with both remedies", () => {
    const message =
      "The configuration can't be used: it has both agentpool-acl:clusterToken and agentpool-acl:clusterLogin. Remove clusterToken to log in, or clusterLogin to use the token.";
    for (const env of [{}, { AGENTPOOL_ACL_CLUSTER_TOKEN: "for one run" }])
      expect(() => used({ clusterToken: "sesame" }, env)).toThrow(new ConfigurationError("configuration-invalid", message));
  });

  test("is reported with each wrong part, and without any value", () => {
    const wrong = () => resolve({ clusterLogin: { authMethod: "", jwtVariable: "ey.sesame.x" } });
    expect(wrong).toThrow(
      /clusterLogin\.authMethod must be the name.*clusterLogin\.jwtVariable must be the name of an environment variable/,
    );
    expect(wrong).not.toThrow(/sesame/);
  });
});
