import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { main, readArguments } from "../cli/command-line";
import { pageScript } from "../cli/graph/html";
import { root } from "./repository";

const usage = `usage: node dist/tools/page.js
Writes the script of the page of \`pulumi-agentpool-acl graph --format html\`: cli/graph/page with its dependencies, as one file.
  --help  prints this`;

main(usage, (args) => {
  readArguments({ args });
  writeFileSync(pageScript, pageCode());
  return 0;
});

/** @throws for code that a browser can't run, or that can't be embedded in a page */
function pageCode(): string {
  const licence = readFileSync(join(root, "node_modules/re2js/LICENSE"), "utf8").trim();
  const { outputFiles, warnings } = buildSync({
    absWorkingDir: root,
    entryPoints: ["cli/graph/page/main.ts"],
    tsconfig: "cli/graph/page/tsconfig.json",
    bundle: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    minify: true,
    banner: { js: `/* With re2js, of this licence:\n${licence}\n*/` },
    legalComments: "none",
    write: false,
    logLevel: "error",
  });
  const [output] = outputFiles;
  if (!output || warnings.length > 0) throw new Error(`the page's script is not whole: ${warnings.map(({ text }) => text).join("; ")}`);
  if (/<\/script|<!--/i.test(output.text)) throw new Error("the page's script has a text that would end it within a page");
  return output.text;
}
