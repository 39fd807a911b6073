import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../provider/internal";
import type { AccessModel } from "../access/model";
import { scriptJson, xmlText } from "./escape";
import { firstView, pageData, pictureIn } from "./page-data";
import { colours } from "./palette";
import { type Shown, sourceOf } from "./picture";
import { pageStyle, pictureStyle } from "./style";
import { toSvg } from "./svg";

/** The script of the page: `cli/graph/page` with its dependencies, bundled by `npm run emit`. */
export const pageScript = join(packageRoot, "dist/cli/graph/page.js");

/**
 * A page in one file: the picture, and a form that shows the path of a login, or the paths to a right. The page loads and sends nothing,
 * and its Content-Security-Policy forbids both.
 */
export function toHtml(model: AccessModel, shown: Shown = {}): string {
  const script = readFileSync(pageScript, "utf8");
  const style = `${colours}\n${pictureStyle}\n${pageStyle}`;
  const view = firstView(model, shown);
  const picture = pictureIn(model, shown, view);
  const policy = ["default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "base-uri 'none'", "form-action 'none'"];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${xmlText(picture.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Who may do what</h1>
<p>${xmlText(sourceOf(model))}</p>
</header>
<main>
<form id="questions" aria-label="A login, or a right" autocomplete="off">
<label for="method">Auth method</label>
<select id="method" autocomplete="off"></select>
<label class="check"><input type="checkbox" id="alone" autocomplete="off"> Draw this method only</label>
<label class="check"><input type="checkbox" id="rights" autocomplete="off"> Show what policies allow</label>
<label for="claims">Claims of a login, as JSON or a token</label>
<textarea id="claims" rows="9" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="hint privacy"></textarea>
<p id="hint" class="hint" role="status"></p>
<p id="privacy" class="hint">Nothing leaves this page, and it keeps nothing.</p>
<label for="can">Or: who may</label>
<select id="can" autocomplete="off"></select>
<div id="in-namespace" hidden><label for="namespace">In the namespace (* is any)</label><input type="text" id="namespace" value="default" spellcheck="false" autocomplete="off" autocapitalize="off"></div>
<div id="of-path" hidden><label for="path">Path of the variable</label><input type="text" id="path" spellcheck="false" autocomplete="off" autocapitalize="off"></div>
<div id="of-name" hidden><label for="name">Name of the pool or volume</label><input type="text" id="name" spellcheck="false" autocomplete="off" autocapitalize="off"></div>
<p id="missing" class="hint" role="status"></p>
<section id="result" aria-label="What the login gets, or who has the right"><div id="outcome" role="status"></div><div id="reasons"></div></section>
</form>
<section id="picture"${view.hasRights ? ' class="unfolded"' : ""} aria-label="The picture. Arrow keys lead from one object to the next.">
${toSvg(picture, { isFile: false })}
</section>
</main>
<noscript><p>The picture needs no script; its questions do.</p></noscript>
<script type="application/json" id="data">${scriptJson(pageData(model, shown))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The hash by which a page's policy allows a script or a style. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
