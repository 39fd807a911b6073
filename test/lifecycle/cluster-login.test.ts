/** Operations with a login instead of a token. */
import { endLogins } from "../../provider/configuration/cluster-login";
import type { Simulator } from "../../testing/simulator";
import { identityConfig, letIn, tokenOfJob } from "../support/identity-token";
import type { Program, RunOptions } from "./harness";
import { nothing, only, throughEveryAdapter } from "./harness";
import { jwt, role, rule } from "./samples";

const login = JSON.stringify({ authMethod: "pipeline", jwtVariable: "CI_TOKEN" });

/** The options of an operation that has this identity token, and no token of the cluster. */
const as = (CI_TOKEN: string | undefined, more: RunOptions = {}): RunOptions => ({
  config: { clusterLogin: login },
  env: { CI_TOKEN },
  withoutTokens: true,
  ...more,
});

const logins = ({ journal }: Simulator) => journal.requests({ path: "/v1/acl/login" });

const many: Program = (declare) => {
  for (let index = 0; index < 8; index++) declare("AclRole", `role-${index}`, role({ name: `dev-${index}` }));
};

throughEveryAdapter("a login", (start) => {
  // Deletes the tokens of logins, as a process does at its end.
  afterEach(() => endLogins());

  test("happens once for all resources of an operation, and its token is deleted at the end", async () => {
    const { simulator, ...stack } = await started();
    const { requests } = await stack.up(many, as(tokenOfJob()));
    expect(requests.filter(({ path }) => path === "/v1/acl/login")).toHaveLength(1);
    expect(simulator.cluster.roles.list()).toHaveLength(8);
    await endLogins();
    expect(simulator.cluster.tokens.list()).toEqual([]);
    expect(simulator.journal.requests({ method: "DELETE" })).toHaveLength(1);
    expect(JSON.stringify(stack.state())).not.toContain("eyJ");
  });

  test("happens again if its token ends during the operation, and no resource is created twice", async () => {
    const { simulator, ...stack } = await started();
    let created = 0;
    await stack.up(
      many,
      as(tokenOfJob(), {
        parallel: 2,
        wrapped: (host) =>
          Object.assign(Object.create(host), {
            create: async (...args: Parameters<typeof host.create>) => {
              created += 1;
              if (created === 4) for (const { AccessorID } of simulator.cluster.tokens.list()) simulator.cluster.tokens.delete(AccessorID);
              return host.create(...args);
            },
          }),
      }),
    );
    expect(logins(simulator)).toHaveLength(2);
    expect(
      simulator.cluster.roles
        .list()
        .map(({ Name }) => Name)
        .sort(),
    ).toEqual(Array.from({ length: 8 }, (_, index) => `dev-${index}`));
  });

  test("that is refused is explained once, and nothing is written", async () => {
    const { simulator, ...stack } = await started();
    const token = tokenOfJob("test");
    const { failures, requests } = await stack.fails("up", many, as(token, { parallel: 8 }));
    const [first = "", ...rest] = failures.map(({ message }) => message).filter((message) => message.includes("The login by"));
    expect(first).toMatch(/with the identity token of the environment variable CI_TOKEN .* failed: POST .*400 no role or policy bindings/);
    expect(first).toContain("Check agentpool-acl:clusterLogin");
    expect(rest.length).toBeGreaterThan(0);
    for (const message of rest) expect(message).toContain("Another error of this operation says why");
    expect(JSON.stringify(failures)).not.toContain(token);
    expect(requests.every(({ path }) => path === "/v1/acl/login" || path === "/v1/regions")).toBe(true);
  });

  test("that is impossible is a warning of the preview and an error of the update", async () => {
    const { simulator, ...stack } = await started();
    const why = "No login is possible: the environment variable CI_TOKEN (agentpool-acl:clusterLogin.jwtVariable) is not set.";
    const preview = await stack.preview(many, as(undefined));
    expect(preview.warnings).toEqual([expect.stringContaining(`an update fails at its first request: ${why}`)]);
    const { errors } = await stack.fails("up", many, as(undefined));
    expect(errors).toContain(why);
    expect(simulator.journal.entries.filter(({ path }) => path !== "/v1/regions")).toEqual([]);
  });

  test("together with a token in the configuration fails in the preview", async () => {
    const { simulator, ...stack } = await started();
    const { errors } = await stack.fails("preview", many, as(tokenOfJob(), { withoutTokens: false }));
    expect(errors).toMatch(/it has both agentpool-acl:clusterToken and agentpool-acl:clusterLogin\. Remove clusterToken to log in/);
    expect(simulator.journal.entries).toEqual([]);
  });

  test("warns of a change, a replacement and a delete of its own method and management rule, and of no others", async () => {
    const { simulator, ...stack } = await started();
    const ofAll =
      (names: readonly string[], ttl: string, selector: string, renamed = ""): Program =>
      (declare) => {
        for (const resource of names) {
          const name = resource + renamed;
          const config = {
            jwtValidationPubKeys: identityConfig.JWTValidationPubKeys,
            signingAlgs: ["ES256"],
            claimMappings: { job: "job" },
          };
          const method = declare(
            "AclAuthMethod",
            resource,
            jwt({ jwksUrl: undefined, ...config }, { name, maxTokenTtl: ttl, adopt: "overwrite" }),
          );
          const given = { authMethod: method.output("name"), selector: `${selector} or value.job == "deploy"` };
          declare("AclBindingRule", `admins-${resource}`, rule({ ...given, bindType: "management", bindName: undefined }));
          declare("AclBindingRule", `readers-${resource}`, rule({ ...given, bindType: "policy", bindName: "read" }));
        }
      };
    const both = ["pipeline", "other"];
    const own = (warnings: readonly string[]) => warnings.filter((one) => one.includes("agentpool-acl:clusterLogin"));
    const first = await stack.up(ofAll(both, "15m", "value.job == a"), as(tokenOfJob()));
    expect(own(first.warnings)).toEqual([]);
    const changed = await stack.preview(ofAll(both, "16m", "value.job == b"), as(tokenOfJob()));
    expect(own(changed.warnings).sort()).toEqual([
      expect.stringMatching(
        /ACL auth method "pipeline" changes, and this provider's login depends on it .* AGENTPOOL_ACL_CLUSTER_TOKEN\.$/,
      ),
      expect.stringMatching(/ACL binding rule .* of auth method "pipeline" changes, and this provider's login depends on it/),
    ]);
    const replaced = await stack.preview(ofAll(both, "15m", "value.job == a", "-2"), as(tokenOfJob()));
    expect(own(replaced.warnings).sort()).toEqual([
      expect.stringMatching(/ACL auth method "pipeline" is replaced, and this provider's login depends on it/),
      expect.stringMatching(/ACL binding rule .* of auth method "pipeline" is replaced, and this provider's login depends on it/),
    ]);
    const removed = await stack.up(ofAll(["other"], "15m", "value.job == a"), as(tokenOfJob()));
    expect(own(removed.warnings).sort()).toEqual([
      expect.stringMatching(/ACL auth method "pipeline" is deleted, and this provider's login depends on it/),
      expect.stringMatching(/ACL binding rule .* is deleted, and this provider's login depends on it/),
    ]);
    // The operation's own token still works after its auth method was deleted.
    expect(simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["other"]);
  });

  test("gives way to AGENTPOOL_ACL_CLUSTER_TOKEN, which can repair a broken login", async () => {
    const { simulator, ...stack } = await started();
    const env = { AGENTPOOL_ACL_CLUSTER_TOKEN: simulator.clusterToken };
    await stack.up(only("AclRole", role()), as(undefined, { env }));
    expect(logins(simulator)).toEqual([]);
    await stack.up(nothing, as(tokenOfJob()));
    expect(simulator.cluster.roles.list()).toEqual([]);
  });

  async function started() {
    const stack = await start();
    const { simulator } = stack;
    // The identity tokens of the test have the times of this machine's clock.
    simulator.cluster.clock = Date.now;
    letIn(simulator);
    simulator.journal.clear();
    return {
      simulator,
      up: stack.up.bind(stack),
      preview: stack.preview.bind(stack),
      fails: stack.fails.bind(stack),
      state: () => stack.state,
    };
  }
});
