// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/** Binding rules with a deleted, missing or renamed role. */
import { nothing, only, type Program, throughEveryAdapter } from "./harness";
import { oidc, role, rule } from "./samples";

const lists = (requests: readonly { method: string; path: string }[]) => requests.filter(({ path }) => path === "/v1/acl/roles");

throughEveryAdapter("a role that rules name", (start) => {
  test("is deleted with a warning of the remaining rules, with a literal or a computed bind name", async () => {
    const stack = await start();
    const { cluster } = stack.simulator;
    cluster.methods.put({ Name: "sso" });
    const named = cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "dev" });
    const computed = cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "d${value.rest}" });
    cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "team-${value.team}" });
    cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: "dev" });
    await stack.up(only("AclRole", role()));
    const { warnings } = await stack.up(nothing);
    expect(cluster.roles.list()).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `ACL role "dev" .* is deleted, and leaves binding rules behind: 1 that name it \\(${named.ID}\\); ` +
            `1 whose computed bind name may be its name \\(${computed.ID}\\)\\. Such a rule gives nothing now`,
        ),
      ),
    ]);
  });

  test("and that is missing causes a warning, with one list for ten rules at least", async () => {
    const stack = await start();
    stack.simulator.cluster.roles.put({ Name: "there", Policies: [{ Name: "read" }] });
    const program: Program = (declare) => {
      const sso = declare("AclAuthMethod", "sso", oidc({ claimMappings: { n: "n" } }));
      for (let n = 0; n < 100; n++) {
        const bindName = n === 7 ? "nowhere" : "there";
        declare("AclBindingRule", `rule-${n}`, rule({ authMethod: sso.output("name"), bindName, selector: `value.n == "${n}"` }));
      }
    };
    const { warnings, requests } = await stack.up(program);
    expect(warnings).toEqual([
      expect.stringMatching(/gives the role "nowhere", which .* does not have: it gives nothing until there is one\./),
    ]);
    // One list serves for ten seconds. The clock counts the waits of a hundred creates, so there are several lists.
    expect(lists(requests).length).toBeLessThanOrEqual(10);
    expect(stack.simulator.cluster.rules.list()).toHaveLength(100);
  });

  test("and that the program declares, or that a claim decides, causes no request", async () => {
    const stack = await start();
    const program: Program = (declare) => {
      const sso = declare("AclAuthMethod", "sso", oidc({ claimMappings: { team: "team" } }));
      const dev = declare("AclRole", "dev", role());
      declare("AclBindingRule", "plain", rule({ authMethod: sso.output("name"), bindName: dev.output("name") }));
      declare("AclBindingRule", "computed", rule({ authMethod: sso.output("name"), bindName: "team-${value.team}" }));
      declare("AclBindingRule", "policy", rule({ authMethod: sso.output("name"), bindType: "policy", bindName: "read" }));
    };
    const { warnings, requests } = await stack.up(program, { parallel: 1 });
    expect(warnings).toEqual([]);
    // The one list gives the index before the first role.
    expect(lists(requests)).toHaveLength(1);
  });

  test("and that can't be listed causes no warning, and the rule is written", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    stack.simulator.faults.add({ method: "GET", path: /acl\/roles/, fault: { kind: "status", status: 403, body: "Permission denied" } });
    expect((await stack.up(only("AclBindingRule", rule()))).warnings).toEqual([]);
    expect(stack.simulator.cluster.rules.list()).toHaveLength(1);
  });

  test("and that is renamed causes a preview's warning of a rule with the old name as a text, before or after the role, without a request", async () => {
    const stack = await start();
    const program =
      (name: string, isRuleFirst: boolean, bindName = "dev"): Program =>
      (declare) => {
        const it = () => declare("AclBindingRule", "rule", rule({ bindName }));
        if (isRuleFirst) it();
        declare("AclRole", "dev", role({ name }));
        if (!isRuleFirst) it();
      };
    stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(program("dev", false), { parallel: 1 });
    for (const isRuleFirst of [true, false]) {
      const { warnings, requests } = await stack.preview(program("developers", isRuleFirst), { parallel: 1 });
      expect(warnings).toEqual([
        expect.stringMatching(/which gives the role "dev": it names the role "dev", but this program renames that role/),
      ]);
      expect(requests).toEqual([]);
      expect((await stack.preview(program("developers", isRuleFirst, "developers"), { parallel: 1 })).warnings).toEqual([]);
    }
  });
});
