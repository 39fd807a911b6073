// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
/** Warnings of a preview about binding rules and about the claims that their methods map. They need no request. */
import type { Declare, Inputs, Program } from "./harness";
import { throughEveryAdapter } from "./harness";
import { jwt, oidc, pool, rule } from "./samples";

const mappings = { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } };

/** A program of a method and its rules, which depend on the method. */
function program(rules: Record<string, Inputs>, config: Inputs = mappings, method: Inputs = {}): Program {
  return (declare) => {
    const sso = declare("AclAuthMethod", "sso", oidc(config, method));
    for (const [name, inputs] of Object.entries(rules))
      declare("AclBindingRule", name, rule({ authMethod: sso.output("name"), ...inputs }));
  };
}

/** Declares a rule before its method. The rule names the method by a text, so the engine may check the rule first. */
const byName = (declare: Declare, inputs: Inputs) => {
  declare("AclBindingRule", "it", rule(inputs));
  declare("AclAuthMethod", "sso", oidc(mappings));
};

const label = 'warning: ACL binding rule of auth method "sso", which gives the role "dev"';

throughEveryAdapter("a binding rule in a preview", (begin) => {
  const start = async () => {
    const stack = await begin();
    for (const Name of ["dev", "other"]) stack.simulator.cluster.roles.put({ Name, Policies: [{ Name: "read" }] });
    return stack;
  };

  test.each([
    [
      { selector: "value.tean == ops" },
      `${label}: selector looks at value.tean, which the method does not map: the selector matches no login, and the rule gives nothing. Did you mean value.team?`,
    ],
    [
      { selector: "tean not in value" },
      `${label}: selector looks at value.tean, which the method does not map: the selector matches every login of the method. Did you mean value.team?`,
    ],
    [
      { selector: "value.team == ops", bindName: "team-${value.tean}" },
      'warning: ACL binding rule of auth method "sso", which gives the role "team-${value.tean}": bindName interpolates value.tean, which the method does not map to a value: ' +
        "every login that the selector matches fails as a whole, whatever other rules give it. Did you mean value.team?",
    ],
  ])("with a claim that its method does not map causes one warning, without a request: %j", async (inputs, warning) => {
    const stack = await start();
    for (const command of ["preview", "up", "preview"] as const) {
      const { warnings, requests } = await stack[command](program({ it: inputs }));
      expect(warnings).toEqual([warning]);
      if (command === "preview") expect(requests).toEqual([]);
    }
    expect(stack.simulator.cluster.rules.list()).toHaveLength(1);
  });

  test("without a mistake causes no warning", async () => {
    const stack = await start();
    const right = program({
      groups: { selector: "ops in list.groups and value.team is not empty" },
      computed: { selector: "value.team == ops", bindName: "team-${value.team}" },
    });
    expect((await stack.up(right)).warnings).toEqual([]);
  });

  test("causes a warning if only its method changes and drops the mapping", async () => {
    const stack = await start();
    const rules = { it: { selector: "ops in list.groups" } };
    expect((await stack.up(program(rules))).warnings).toEqual([]);
    const { warnings, changes, requests } = await stack.preview(program(rules, { claimMappings: { team: "team" } }));
    expect(changes).toEqual(["update AclAuthMethod sso"]);
    expect(warnings).toEqual([expect.stringContaining("selector looks at list.groups, which the method does not map")]);
    expect(requests).toEqual([]);
  });

  test("with a selector on the whole map causes a warning if its method drops the last mapping", async () => {
    const stack = await start();
    const rules = { it: { selector: "value is empty" } };
    expect((await stack.up(program(rules))).warnings).toEqual([]);
    const said =
      "selector looks at value, which the method does not map: the selector matches every login of the method. Map claims in config.claimMappings.";
    const { warnings } = await stack.preview(program(rules, { listClaimMappings: { groups: "groups" } }));
    expect(warnings).toEqual([`${label}: ${said}`]);
  });

  const everyLogin = [
    ["", "becomes empty, so it matches"],
    ["value.team == ops or value.team != ops", "changes, and matches"],
    ["team in value or team not in value", "changes, and matches"],
  ] as const;

  test.each(everyLogin)(
    "whose selector becomes %j causes one warning in each preview and update, and none afterwards",
    async (selector, what) => {
      const stack = await start();
      const wider = program({ it: { selector } });
      expect((await stack.up(program({ it: { selector: "value.team == ops" } }))).warnings).toEqual([]);
      const warning = `${label}: the selector ${what} every login of the method from this update on. If that is not intended, let it ask for a claim.`;
      expect((await stack.preview(wider)).warnings).toEqual([warning]);
      expect((await stack.preview(wider, { refresh: true })).warnings).toEqual([warning]);
      expect((await stack.up(wider)).warnings).toEqual([warning]);
      expect(stack.simulator.cluster.rules.list()).toMatchObject([{ Selector: selector }]);
      expect((await stack.preview(wider)).warnings).toEqual([]);
    },
  );

  test("that becomes empty together with the mapping of its claim causes a warning", async () => {
    const stack = await start();
    await stack.up(program({ it: { selector: "value.team is empty" } }));
    const { warnings } = await stack.preview(program({ it: { selector: "" } }, { listClaimMappings: { groups: "groups" } }));
    expect(warnings).toEqual([expect.stringContaining(`${label}: the selector becomes empty, so it matches every login`)]);
  });

  test("that becomes empty and moves to a method without the mapping causes a warning", async () => {
    const stack = await start();
    const of = (method: string, selector: string): Program => {
      return (declare) => {
        const methods = ["sso", "ci"].map((name) => declare("AclAuthMethod", name, oidc(name === "ci" ? {} : mappings, { name })));
        declare("AclBindingRule", "it", rule({ authMethod: methods[method === "ci" ? 1 : 0]?.output("name"), selector }));
      };
    };
    await stack.up(of("sso", "value.team is empty"));
    expect((await stack.preview(of("ci", ""))).warnings).toContainEqual(expect.stringContaining("the selector becomes empty"));
  });

  test("that becomes empty causes a warning also if its method is another resource now", async () => {
    const stack = await start();
    await stack.up(program({ it: { selector: "value.team is empty" } }));
    const { warnings } = await stack.preview((declare) => {
      const again = declare("AclAuthMethod", "again", oidc({ listClaimMappings: { groups: "groups" } }, { adopt: "overwrite" }));
      declare("AclBindingRule", "it", rule({ authMethod: again.output("name"), selector: "" }));
    });
    expect(warnings).toContainEqual(expect.stringContaining("the selector becomes empty"));
  });

  test("that is replaced in the same update causes one warning, also with management for everyone", async () => {
    const stack = await start();
    await stack.up(program({ it: { selector: "value.team == ops" } }));
    const management = program({ it: { selector: "", bindType: "management", bindName: undefined } });
    expect((await stack.preview(management)).warnings).toEqual([
      expect.stringContaining('everyone who logs in with "sso" gets management'),
    ]);
    const always = program({
      it: { selector: "ops in list.groups or not ops in list.groups", bindType: "management", bindName: undefined },
    });
    const warnings = [
      'warning: ACL binding rule of auth method "sso", which gives management: selector matches every login, whatever its claims are',
    ];
    expect((await stack.up(always)).warnings).toEqual(warnings.map((text) => expect.stringContaining(text)));
  });

  test("causes no warning with a selector that matched everyone before, that is new, or that is not known yet", async () => {
    const stack = await start();
    expect((await stack.up(program({ it: { selector: "" } }))).warnings).toEqual([]);
    expect((await stack.preview(program({ it: { selector: "value.team == ops or value.team != ops" } }))).warnings).toEqual([]);
    await stack.up(program({ it: { selector: "value.team == ops" } }));
    const unknownSelector: Program = (declare) => {
      const made = declare("AgentPool", "pool", pool());
      const sso = declare("AclAuthMethod", "sso", oidc(mappings));
      declare("AclBindingRule", "it", rule({ authMethod: sso.output("name"), selector: made.id }));
    };
    expect((await stack.preview(unknownSelector)).warnings).toEqual([]);
  });

  test("causes a warning also if it is checked before its method", async () => {
    const stack = await start();
    const { warnings } = await stack.preview((declare) => byName(declare, { selector: "value.tean == ops" }));
    expect(warnings).toEqual([expect.stringContaining("selector looks at value.tean")]);
  });

  test("causes no warning without a declared method, or with mappings that are not known yet", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    const alone: Program = (declare) => void declare("AclBindingRule", "it", rule({ selector: "value.tean == ops" }));
    expect((await stack.preview(alone)).warnings).toEqual([]);
    const unknownName: Program = (declare) => {
      const made = declare("AgentPool", "pool", pool());
      declare("AclAuthMethod", "sso", oidc({ claimMappings: { team: made.id } }));
      declare("AclBindingRule", "it", rule({ selector: "value.tean == ops" }));
    };
    expect((await stack.preview(unknownName)).warnings).toEqual([]);
  });

  const github = { jwksUrl: "https://token.actions.githubusercontent.com/.well-known/jwks", boundAudiences: ["cluster"] };
  const pipelines = (selector: string, config: Inputs): Program => {
    return (declare) => {
      const ci = declare(
        "AclAuthMethod",
        "ci",
        jwt({ ...github, claimMappings: { ref: "branch", repository_id: "repository" }, ...config }),
      );
      declare("AclBindingRule", "it", rule({ authMethod: ci.output("name"), selector }));
    };
  };
  const onMain = 'value.branch == "refs/heads/main"';

  test("that every repository of a CI vendor can match causes a warning, and so does its method without an issuer", async () => {
    const stack = await start();
    for (const command of ["preview", "up", "preview"] as const) {
      const { warnings, requests } = await stack[command](pipelines(onMain, {}));
      expect(warnings).toEqual([
        expect.stringMatching(/"ci": config\.jwksUrl has keys of GitHub Actions, .* Give config\.boundIssuer, such as/),
        expect.stringMatching(/"ci", which gives the role "dev": selector does not identify the customer: GitHub Actions signs/),
      ]);
      if (command === "preview") expect(requests).toEqual([]);
    }
    const boundIssuer = ["https://token.actions.githubusercontent.com"];
    expect((await stack.preview(pipelines(onMain, { boundIssuer }))).warnings).toHaveLength(1);
    expect((await stack.preview(pipelines(`${onMain} and value.repository == "1296269"`, { boundIssuer }))).warnings).toEqual([]);
  });

  test("with the effect of another one causes a warning, and a replacement does not count as another one", async () => {
    const stack = await start();
    const [first, second] = [
      { selector: "ops in list.groups", description: "first" },
      { selector: "ops in list.groups", description: "second" },
    ];
    const { warnings, requests } = await stack.preview(program({ first, second }));
    expect(warnings).toEqual([
      expect.stringMatching(/has the same authMethod, selector, bindType and bindName, so one of them is redundant/),
    ]);
    expect(requests).toEqual([]);
    expect((await stack.preview(program({ first, other: { ...second, bindName: "other" } }))).warnings).toEqual([]);

    await stack.up(program({ first }));
    const replaced = await stack.preview(program({ first }), { replace: [stack.entry("first").urn] });
    expect(replaced.changes).toContain("replace AclBindingRule first");
    expect(replaced.warnings).toEqual([]);
  });

  test("is not named in the warning about an unmapped claim in the method's tokenNameFormat", async () => {
    const stack = await start();
    const { warnings } = await stack.preview(program({}, mappings, { tokenNameFormat: "${value.tean}" }));
    expect(warnings).toEqual([expect.stringMatching(/"sso": tokenNameFormat interpolates value.tean, .* every login of the method fails/)]);
  });
});
