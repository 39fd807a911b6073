import { packageVersion } from "../../provider/configuration/package";
import { wrapped } from "../markdown";
import type { Source } from "./source";

/** The width of the documents. */
const columns = 140;

const block = (...lines: readonly string[]) => ["```sh", ...lines, "```"].join("\n");
const paragraph = (text: string) => wrapped(text, columns).replace(/^ {2}/gm, "");

const plugin = `pulumi plugin install resource agentpool-acl ${packageVersion} --file`;
const archive = `pulumi-resource-agentpool-acl-v${packageVersion}-linux-amd64.tar.gz`;

/** The commands that install the plugin from a checkout, in the checkout's folder. */
const fromCheckout = block(
  "npm ci && npm run package -- --platform linux-amd64   # prints the path of the archive",
  `${plugin} ${archive}`,
);

const add = (source: Source) => `pulumi package add agentpool-acl@${packageVersion} --server ${source.pluginDownloadUrl}`;

/** The installation section of docs/installation-configuration.md, a page of Pulumi's registry. */
export function installation(source: Source | undefined): string {
  const classes =
    "The classes of `pulumi-agentpool-acl/plugin` use the plugin; the classes of `pulumi-agentpool-acl` are dynamic resources, without a plugin.";
  if (!source) {
    return [
      paragraph("The package is not published yet. Make it in a checkout: `npm ci && npm run build && npm pack`."),
      [
        wrapped(`- **TypeScript and JavaScript**: \`npm install FILE\`, with the file from \`npm pack\`. ${classes}`, columns),
        wrapped(
          "- **Python, Go, C# and YAML**: install the plugin from an archive, and generate the SDK (`pulumi_agentpool_acl`, `agentpoolacl`, `AgentpoolAcl.Sdk`) into the folder `sdks/` of the program.",
          columns,
        ),
      ].join("\n"),
      fromCheckout,
      block(`pulumi package add agentpool-acl@${packageVersion}   # in the program's folder`),
    ].join("\n\n");
  }
  return [
    [
      wrapped(`- **TypeScript and JavaScript**: \`npm install pulumi-agentpool-acl\`. ${classes}`, columns),
      wrapped(
        "- **Python, Go, C# and YAML**: this command in the program's folder downloads the plugin, and generates the SDK into `sdks/` (`pulumi_agentpool_acl`, `agentpoolacl`, `AgentpoolAcl.Sdk`):",
        columns,
      ),
    ].join("\n"),
    block(add(source)),
  ].join("\n\n");
}

/** The installation of the plugin and the SDK for programs in other languages. */
export function otherLanguages(source: Source | undefined): string {
  const sdks =
    "This generates the SDK into `sdks/`, makes the program depend on it, and writes the package into `packages` of Pulumi.yaml.";
  if (!source) {
    return [
      paragraph(
        "There is no release yet: install the plugin from an archive, which you make in a checkout. The first command takes about ten seconds with npm's cache, the second one two seconds:",
      ),
      fromCheckout,
      paragraph(
        "`npm run package` alone makes an archive for each system, which takes minutes. After the installation, run this in the folder of a program in [Python](../examples/python), [Go](../examples/go), C# or [YAML](../examples/yaml):",
      ),
      block(`pulumi package add agentpool-acl@${packageVersion}`),
      paragraph(
        `${sdks} **On another machine, as in a pipeline**, install the archive, and then run \`pulumi install\`, before the first preview.`,
      ),
      paragraph(
        "If the plugin is missing, the CLI tries to download it from Pulumi for several seconds, and fails: `failed all 5 attempts`. Then install the archive.",
      ),
    ].join("\n\n");
  }
  return [
    paragraph(
      "In the folder of a program in [Python](../examples/python), [Go](../examples/go), C# or [YAML](../examples/yaml), this downloads the plugin:",
    ),
    block(add(source)),
    paragraph(`${sdks} **On another machine, as in a pipeline**, run \`pulumi install\` before the first preview.`),
    [
      wrapped(
        "- **`--server` is needed.** Pulumi's own registry does not have this package. If the plugin is already installed, the command works without this option, but writes no address, and `pulumi install` fails on the next machine.",
        columns,
      ),
      wrapped(
        "- **Without a network**, install the archive of your system first. The commands above then download nothing, except for C#: its generator downloads the logo of the release.",
        columns,
      ),
    ].join("\n"),
    block(`${plugin} ${archive}`),
  ].join("\n\n");
}

/** Where to report vulnerabilities: never in public, and never at an address that nobody owns. */
export function vulnerabilityReports(source: Source | undefined): string {
  const where = source
    ? `Use [the private report of the repository](${source.homepage}/security/advisories/new).`
    : "The package is not published yet and has no public address: report to whoever gave it to you, in private. A release will name the private report of its repository here.";
  return paragraph(
    `${where} Give the version, and the steps to reproduce the problem. Leave out tokens, secrets and the addresses of real services. Only the latest version gets fixes.`,
  );
}
