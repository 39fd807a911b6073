/** The import of a binding rule by its auth method and its description or selector: by the CLI's command, and by programs in each language. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Language, languages } from "../../cli/import/names";
import { goModule } from "../../provider/generated/source";
import { type CliScene, pluginModule, testOnCli } from "../support/cli";
import { goEnvironment } from "../support/languages";
import { installFor, withPluginHere } from "../support/program-languages";
import type { Files } from "../support/programs";

jest.setTimeout(600_000);

/** Rules of one auth method: one with a description, one that its selector names, and two that nothing but the ids tell apart. */
function rulesOf({ simulator: { cluster } }: CliScene) {
  cluster.methods.put({ Name: "sso" });
  const put = (Description: string, Selector: string) =>
    cluster.rules.put({ AuthMethod: "sso", Description, Selector, BindType: "policy", BindName: "read-only" });
  return {
    described: put("On call: ops/night", "a in list.b"),
    selected: put("", 'value.team == "x/y"'),
    twins: [put("twin", ""), put("twin", "")],
  };
}

const writes = ({ simulator }: CliScene) => simulator.journal.requests().filter(({ method }) => method !== "GET");

testOnCli(
  "the CLI imports a rule by its description or its selector, and lists the rules where several fit",
  { "index.js": "" },
  async (scene) => {
    const { cli } = scene;
    const { described, selected, twins } = rulesOf(scene);
    const importing = (name: string, id: string) => {
      const file = join(cli.folder, "import.json");
      writeFileSync(file, JSON.stringify({ resources: [{ type: "agentpool-acl:index:AclBindingRule", name, id }] }));
      return cli.command(["import", "--file", file, "--yes", "--protect=false", "--generate-code=false"]);
    };
    const several = await importing("twin", "sso/twin").catch(String);
    for (const text of ["There are 2 ACL binding rules", ...twins.map(({ ID }) => ID), "Give the ID of one"])
      expect(several).toContain(text);
    await importing("night", "sso/On call: ops/night");
    await importing("team", 'sso/value.team == "x/y"');
    expect((await cli.resources()).flatMap(({ id }) => id ?? []).sort()).toEqual([described.ID, selected.ID].sort());
    expect(writes(scene)).toEqual([]);
  },
);

/** A program that imports a rule by its description, and reads another one by its selector. */
const namingRules: Readonly<Record<Language, Files>> = {
  typescript: {
    "Pulumi.yaml": "name: trial\nruntime: nodejs\n",
    "package.json": '{"name":"trial","main":"index.ts"}',
    "tsconfig.json": '{"compilerOptions":{"target":"es2022","module":"node16","types":[],"strict":true},"files":["index.ts"]}',
    "index.ts": `import { AclBindingRule } from "${pluginModule}";
const more = { authMethod: "sso", selector: "a in list.b", bindType: "policy", bindName: "read-only" } as const;
new AclBindingRule("night", { description: "On call: ops/night", ...more }, { import: "sso/On call: ops/night" });
export const read = AclBindingRule.get("team", 'sso/value.team == "x/y"').selector;
`,
  },
  python: {
    "Pulumi.yaml": "name: trial\nruntime:\n  name: python\n  options:\n    virtualenv: venv\n",
    "__main__.py": `import pulumi
import pulumi_agentpool_acl as acl
more = dict(auth_method="sso", selector="a in list.b", bind_type="policy", bind_name="read-only")
options = pulumi.ResourceOptions(import_="sso/On call: ops/night")
acl.AclBindingRule("night", description="On call: ops/night", **more, opts=options)
pulumi.export("read", acl.AclBindingRule.get("team", 'sso/value.team == "x/y"').selector)
`,
  },
  go: {
    "Pulumi.yaml": "name: trial\nruntime: go\n",
    "main.go": `package main

import (
	"${goModule}"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := agentpoolacl.NewAclBindingRule(ctx, "night", &agentpoolacl.AclBindingRuleArgs{
			AuthMethod:  pulumi.String("sso"),
			Description: pulumi.String("On call: ops/night"),
			Selector:    pulumi.String("a in list.b"),
			BindType:    agentpoolacl.AclBindingRuleBindTypePolicy,
			BindName:    pulumi.String("read-only"),
		}, pulumi.Import(pulumi.ID("sso/On call: ops/night")))
		if err != nil {
			return err
		}
		team, err := agentpoolacl.GetAclBindingRule(ctx, "team", pulumi.ID("sso/value.team == \\"x/y\\""), nil)
		if err != nil {
			return err
		}
		ctx.Export("read", team.Selector)
		return nil
	})
}
`,
  },
  yaml: {
    "Pulumi.yaml": `name: trial
runtime: yaml
resources:
  night:
    type: agentpool-acl:AclBindingRule
    properties: { authMethod: sso, description: "On call: ops/night", selector: a in list.b, bindType: policy, bindName: read-only }
    options: { import: "sso/On call: ops/night" }
  team:
    type: agentpool-acl:AclBindingRule
    get: { id: 'sso/value.team == "x/y"' }
outputs: { read: "$\{team.selector}" }
`,
  },
};

describe.each(languages)("%s", (language) => {
  testOnCli(
    "a program imports a rule by its description and reads one by its selector",
    {},
    async (scene) => {
      const { cli, rewrite } = scene;
      const { described, selected } = rulesOf(scene);
      rewrite(withPluginHere(namingRules[language]));
      if (!(await installFor(language, cli.folder))) return;
      expect(await cli.run("up")).toMatchObject({ errors: [], changes: [{ op: "import", name: "night" }] });
      const resources = await cli.resources();
      expect(resources.flatMap(({ id }) => id ?? []).sort()).toEqual([described.ID, selected.ID].sort());
      expect(resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs).toEqual({ read: selected.Selector });
      expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
      expect(writes(scene)).toEqual([]);
    },
    { env: goEnvironment },
  );
});
