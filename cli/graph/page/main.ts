/** The script of the page of `graph --format html`: highlights the path of a login while the user types claims, or the paths to a right. */

import { ClaimsError, parseClaims } from "../../../access/claims-text";
import { methodAccess } from "../../../access/graph";
import { knownAsks } from "../../../access/policy/allow";
import { type Explanation, toExplanation } from "../../access/explanation";
import { isPattern, placesOf, toQuestions } from "../../access/right-question";
import { type Target, waysTo } from "../../access/ways";
import { printable } from "../../table";
import { lightsOf, rightLights } from "../lights";
import { firstView, modelIn, type PageData, pictureIn } from "../page-data";
import { byId } from "./dom";
import { Drawing } from "./drawing";
import { outcomeOf, reasonsOf } from "./result";
import { rightOutcomeOf, rightReasonsOf } from "./right-result";

// The data needs no validation: the same version of the package wrote it and this script.
const data: PageData = JSON.parse(byId("data", HTMLScriptElement).text);
const model = modelIn(data);
const form = byId("questions", HTMLFormElement);
const method = byId("method", HTMLSelectElement);
const alone = byId("alone", HTMLInputElement);
const rights = byId("rights", HTMLInputElement);
const can = byId("can", HTMLSelectElement);
/** The fields for the place of a right. The right decides which of them are shown. */
const places = {
  namespace: { row: byId("in-namespace", HTMLElement), field: byId("namespace", HTMLInputElement) },
  path: { row: byId("of-path", HTMLElement), field: byId("path", HTMLInputElement) },
  name: { row: byId("of-name", HTMLElement), field: byId("name", HTMLInputElement) },
};
const claims = byId("claims", HTMLTextAreaElement);
const hint = byId("hint", HTMLElement);

const first = firstView(model, data.shown);
for (const { name } of model.methods.toSorted((a, b) => (a.name < b.name ? -1 : 1))) method.add(new Option(printable(name), name));
method.value = first.method ?? "";
alone.checked = first.isMethodAlone;
rights.checked = first.hasRights;
can.add(new Option("choose a right", ""));
for (const ask of knownAsks) can.add(new Option(ask, ask));
for (const field of [method, claims]) field.disabled = model.methods.length === 0;
alone.disabled = model.methods.length < 2;
claims.placeholder = exampleClaims();

const frame = byId("picture", HTMLElement);
const drawing = new Drawing(frame, pictureIn(model, data.shown, first));

function draw(): void {
  frame.classList.toggle("unfolded", rights.checked);
  drawing.draw(pictureIn(model, data.shown, { method: method.value, isMethodAlone: alone.checked, hasRights: rights.checked }));
}

function evaluate(): void {
  const { target, problem } = rightOfFields();
  byId("missing", HTMLElement).textContent = problem;
  if (can.value === "") evaluateLogin();
  else {
    const ways = target && waysTo(model, target);
    hint.textContent = "";
    drawing.light(target && rightLights(model, target));
    byId("outcome", HTMLElement).replaceChildren(...(ways ? rightOutcomeOf(model, target, ways) : []));
    byId("reasons", HTMLElement).replaceChildren(...(ways ? rightReasonsOf(model, target, ways) : []));
  }
}

/** The chosen right, or what is missing in the form. */
function rightOfFields(): { readonly target?: Target; readonly problem: string } {
  const ask = can.value;
  const taken = placesOf(ask);
  for (const place of ["namespace", "path", "name"] as const) places[place].row.hidden = ask === "" || !taken.includes(place);
  if (ask === "") return { problem: "" };
  const given = {
    namespace: places.namespace.field.value,
    path: places.path.field.value,
    name: places.name.field.value,
  };
  const { namespace, path, name } = given;
  if (taken.some((place) => isPattern(place, given[place]))) return { problem: 'Give a name without "*".' };
  if (taken.includes("namespace") && namespace === "") return { problem: "Name a namespace." };
  if (taken.includes("path") && namespace === "*") return { problem: "Choose a single namespace for a variable." };
  if (taken.includes("path") && path === "") return { problem: "Give the path of a variable." };
  if (taken.includes("name") && name === "") return { problem: "Give the name of a node pool or host volume." };
  const target: Target = ask === "management" ? { kind: ask } : { kind: "right", questions: toQuestions(ask, given) };
  return { target, problem: "" };
}

function evaluateLogin(): void {
  const { explanation, problem } = explanationOfFields();
  hint.textContent = problem;
  drawing.light(explanation && lightsOf(explanation));
  byId("outcome", HTMLElement).replaceChildren(...(explanation ? outcomeOf(explanation) : []));
  byId("reasons", HTMLElement).replaceChildren(...(explanation ? reasonsOf(model, explanation) : []));
}

function explanationOfFields(): { readonly explanation?: Explanation; readonly problem: string } {
  const text = claims.value.trim();
  const access = methodAccess(model, method.value);
  if (text === "" || !access) return { problem: "" };
  try {
    return { explanation: toExplanation(model, access, parseClaims(text, "The field"), new Date()), problem: "" };
  } catch (error) {
    if (!(error instanceof ClaimsError)) throw error;
    return { problem: error.isJson ? error.message : "This is not JSON yet." };
  }
}

/** Claims that the chosen method maps. */
function exampleClaims(): string {
  const chosen = model.methods.find(({ name }) => name === method.value);
  const texts = Object.keys(chosen?.claimMappings ?? {}).map((claim) => [claim, "..."]);
  const lists = Object.keys(chosen?.listClaimMappings ?? {}).map((claim) => [claim, ["..."]]);
  const plain = [...texts, ...lists].filter(([claim]) => !String(claim).startsWith("/"));
  return JSON.stringify(Object.fromEntries(plain), undefined, 2);
}

claims.addEventListener("input", () => {
  can.value = "";
  evaluate();
});
can.addEventListener("change", evaluate);
for (const { field } of Object.values(places)) field.addEventListener("input", evaluate);
method.addEventListener("change", () => {
  claims.placeholder = exampleClaims();
  if (alone.checked) draw();
  evaluate();
});
for (const box of [alone, rights]) {
  box.addEventListener("change", () => {
    draw();
    evaluate();
  });
}
// Scrolls sideways to the unfolded column.
rights.addEventListener("change", () => frame.scrollTo({ left: rights.checked ? frame.scrollWidth : 0 }));
form.addEventListener("submit", (event) => event.preventDefault());
