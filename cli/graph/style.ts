import { nodeKinds } from "./picture";

const SANS = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const CODE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** The style of a picture. Boxes are computed with its text sizes. */
export const pictureStyle = `svg .page { fill: var(--page); }
svg text { font-family: ${SANS}; font-size: 12px; fill: var(--text); }
svg .name { font-size: 17px; font-weight: 600; }
svg .heading { font-size: 12px; font-weight: 600; fill: var(--muted); }
svg .note { fill: var(--muted); }
svg .title { font-size: 13px; font-weight: 600; }
svg .code { font-family: ${CODE}; }
svg .mark { font-weight: 600; }
svg .box { stroke-width: 1; }
svg .node.missing .box { stroke-dasharray: 5 4; }
svg .edge { fill: none; stroke: var(--line); stroke-width: 1.5; marker-end: url(#arrow-plain); }
svg .edge.computed { stroke-dasharray: 7 4; }
svg .edge.missing { stroke: var(--alarm); stroke-dasharray: 2 4; }
svg .edge.management { stroke: var(--management-border); stroke-width: 3; marker-end: url(#arrow-management); }
svg .arrow path { fill: var(--line); }
svg .arrow.management path { fill: var(--management-border); }
svg .arrow.way path { fill: var(--lit); }
${nodeKinds
  .map(
    (kind) => `svg .${kind} .box { fill: var(--${kind}-area); stroke: var(--${kind}-border); }
svg .${kind} .bar { fill: var(--${kind}-border); }
svg .${kind} text { fill: var(--${kind}-text); }`,
  )
  .join("\n")}
svg .management .bar { fill: var(--management-text); }
svg .node .mark.alarm { fill: var(--alarm); }
svg .node .mark.notice { fill: var(--notice); }
svg .node .mark.quiet { fill: var(--muted); font-weight: 400; }
svg .node { outline: none; }
svg .node:focus .box { stroke: var(--focus); stroke-width: 3; }`;

/** The style of the page around a picture, and of the highlighted path in it. */
export const pageStyle = `* { box-sizing: border-box; }
body { display: grid; grid-template-rows: auto minmax(0, 1fr); height: 100vh; margin: 0; font: 15px/1.45 ${SANS}; color: var(--text); background: var(--page); }
header { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; padding: 14px 24px; border-bottom: 1px solid var(--frame); }
h1 { margin: 0; font-size: 18px; }
header p { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
main { display: grid; grid-template-rows: minmax(0, 1fr); grid-template-columns: minmax(300px, 380px) minmax(0, 1fr); }
form { padding: 18px 24px; border-right: 1px solid var(--frame); overflow: auto; background: var(--panel); }
label { display: block; margin: 14px 0 5px; font-weight: 600; }
form > label:first-child { margin-top: 0; }
label.check { font-weight: 400; }
select, textarea, input[type="text"] { width: 100%; padding: 8px 10px; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--frame); border-radius: 6px; }
::placeholder { color: var(--muted); opacity: 1; }
textarea { font: 13px/1.5 ${CODE}; resize: vertical; }
input { accent-color: var(--focus); }
select:focus-visible, textarea:focus-visible, input:focus-visible, #picture:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
.hint { margin: 6px 0 0; font-size: 13px; color: var(--muted); min-height: 19px; }
#result h2 { margin: 20px 0 6px; font-size: 15px; }
#result h2.failed { color: var(--alarm); }
#result h2.management { color: var(--alarm); }
#result h3 { margin: 18px 0 4px; font-size: 13px; color: var(--muted); }
#result p { margin: 4px 0; overflow-wrap: anywhere; }
#result ul { margin: 0; padding: 0; list-style: none; }
#result li { padding: 7px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
#result strong { font-weight: 600; }
#result .why { display: block; color: var(--muted); font-size: 13px; }
#result code { font: 12.5px ${CODE}; }
/* The picture's size is independent of the page: otherwise, each typed letter would lay out thousands of objects. */
#picture { overflow: auto; contain: strict; }
#picture svg { display: block; min-width: 900px; max-width: 100%; height: auto; }
#picture.unfolded svg { min-width: 1300px; }
noscript p { padding: 0 24px; }
svg .node.lit .box { stroke: var(--lit); stroke-width: 3; }
svg .node.failed .box { stroke: var(--alarm); stroke-width: 4; }
svg .edge.lit { stroke: var(--lit); stroke-width: 3.5; stroke-dasharray: none; marker-end: url(#arrow-way); }
svg .node.perhaps .box { stroke-dasharray: 6 4; }
svg .edge.perhaps { stroke-dasharray: 6 4; }
svg.lights .edge:not(.lit, .legend) { opacity: .25; }
svg.lights .node:not(.lit, .failed) .box { fill: var(--page); stroke: var(--line); }
svg.lights .node:not(.lit, .failed) .bar { fill: var(--line); }
svg.lights .node:not(.lit, .failed) text { fill: var(--muted); }
svg .edge.near { stroke: var(--focus); stroke-width: 2.5; opacity: 1; }
svg .node:focus .box { stroke: var(--focus); stroke-width: 3; stroke-dasharray: none; }
@media (max-width: 860px), print { body, main { display: block; height: auto; } #picture { contain: none; } }
@media (max-width: 860px) { form { border-right: 0; border-bottom: 1px solid var(--frame); } }
@media print { form { display: none; } #picture { overflow: visible; } #picture svg { min-width: 0; width: 100%; } }`;
