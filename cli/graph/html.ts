import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../provider/configuration/package";
import type { AccessModel } from "../access/model";
import { scriptJson, xmlText } from "./escape";
import { firstView, pageData, pictureIn } from "./page-data";
import { colours } from "./palette";
import type { Shown } from "./picture";
import { pageStyle, pictureStyle } from "./style";
import { toSvg } from "./svg";

/** What runs in the page: `cli/graph/page` with all that it uses, as one file. `npm run emit` writes it. */
export const pageScript = join(packageRoot, "dist/cli/graph/page.js");

/**
 * A page of one file: the picture, and fields that show the way of a login. It loads nothing and sends nothing, and its policy forbids both.
 */
export function toHtml(model: AccessModel, shown: Shown = {}): string {
  const script = readFileSync(pageScript, "utf8");
  const style = `${colours}\n${pictureStyle}\n${pageStyle}`;
  const view = firstView(model);
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
<p>${xmlText(model.source)}</p>
</header>
<main>
<form id="login" aria-label="A login" autocomplete="off">
<label for="method">Auth method</label>
<select id="method" autocomplete="off"></select>
<label class="check"><input type="checkbox" id="alone" autocomplete="off"> Draw this method only</label>
<label for="claims">Claims of a login, as JSON or a token</label>
<textarea id="claims" rows="9" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="hint privacy"></textarea>
<p id="hint" class="hint" role="status"></p>
<p id="privacy" class="hint">Nothing leaves this page, and it keeps nothing.</p>
<section id="result" aria-label="What the login gets"><div id="outcome" role="status"></div><div id="reasons"></div></section>
</form>
<section id="picture" aria-label="The picture. Arrow keys lead from one object to the next.">
${toSvg(picture, { isFile: false })}
</section>
</main>
<noscript><p>The picture needs no script; the login does.</p></noscript>
<script type="application/json" id="data">${scriptJson(pageData(model, shown))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** By which a page's policy knows a script or a style. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
