/**
 * The program of docs/reference/from-nothing.md, in each language whose host is on PATH: up, a login at the simulator, and destroy, on the
 * Pulumi CLI.
 */
import { projectFiles } from "../../cli/import/files";
import { type Language, languages } from "../../cli/import/names";
import { programs, languages as writers } from "../../tools/generate/examples";
import { testOnCli } from "../support/cli";
import { identityToken } from "../support/identity-token";
import { goEnvironment } from "../support/languages";
import { installFor, withPluginHere } from "../support/program-languages";
import type { Files } from "../support/programs";

jest.setTimeout(600_000);

const mainFiles: Readonly<Record<Language, string>> = { typescript: "index.ts", python: "__main__.py", go: "main.go", yaml: "Pulumi.yaml" };

/** The project of a language with the text of the documents as its program. */
function filesOf(language: Language): Files {
  const example = programs["from-nothing"];
  const write = writers[language];
  if (!example || !write) throw new TypeError(`there is no program in ${language}`);
  const files = projectFiles(example.program, { language, project: "trial", isDynamic: false, withImportOptions: false });
  const main = mainFiles[language];
  const [head = ""] = (files[main] ?? "").split("resources:\n");
  return withPluginHere({ ...files, [main]: `${language === "yaml" ? head : ""}${write(example)}\n` });
}

describe.each(languages)("%s", (language) => {
  testOnCli(
    "from an empty cluster to a login, and back",
    {},
    async ({ cli, rewrite, simulator: { cluster, clusterAddress, pools } }) => {
      rewrite(filesOf(language));
      if (!(await installFor(language, cli.folder))) return;
      expect(await cli.run("up")).toMatchObject({ ok: true, errors: [] });
      const [token] = pools.list().flatMap(({ id }) => pools.agentTokens(id));
      const stack = (await cli.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
      expect(stack?.outputs).toEqual({ agentToken: { secret: token?.token } });
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: "https://login.example.com", aud: "cluster", groups: ["operations"], iat: now, exp: now + 600 };
      const body = JSON.stringify({ AuthMethodName: "company", LoginToken: identityToken(claims) });
      const response = await fetch(`${clusterAddress}/v1/acl/login`, { method: "POST", body });
      expect(await response.json()).toMatchObject({ Type: "client", Roles: [{ Name: "operators" }] });
      expect(cluster.roles.list().find(({ Name }) => Name === "operators")).toMatchObject({ Policies: [{ Name: "operate" }] });
      expect(await cli.run("preview")).toMatchObject({ errors: [], changes: [] });
      expect(await cli.run("destroy")).toMatchObject({ ok: true, errors: [] });
      expect([cluster.roles, cluster.methods, cluster.rules, pools].flatMap((all): unknown[] => all.list())).toEqual([]);
    },
    { env: goEnvironment },
  );
});
