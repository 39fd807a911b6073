/** What runs in the page of `graph --format html`: as somebody types claims, the way of their login lights up. */

import { ClaimsError, parseClaims } from "../../../access/claims-text";
import { methodAccess } from "../../../access/graph";
import { type Explanation, toExplanation } from "../../access/explanation";
import { printable } from "../../table";
import { lightsOf } from "../lights";
import { firstView, modelIn, type PageData, pictureIn } from "../page-data";
import { byId } from "./dom";
import { Drawing } from "./drawing";
import { outcomeOf, reasonsOf } from "./result";

// Written with this script, by the same version of the package.
const data: PageData = JSON.parse(byId("data", HTMLScriptElement).text);
const model = modelIn(data);
const form = byId("login", HTMLFormElement);
const method = byId("method", HTMLSelectElement);
const alone = byId("alone", HTMLInputElement);
const claims = byId("claims", HTMLTextAreaElement);
const hint = byId("hint", HTMLElement);

const first = firstView(model);
for (const { name } of model.methods.toSorted((a, b) => (a.name < b.name ? -1 : 1))) method.add(new Option(printable(name), name));
method.value = first.method ?? "";
alone.checked = first.isMethodAlone;
for (const field of [method, claims]) field.disabled = model.methods.length === 0;
alone.disabled = model.methods.length < 2;
claims.placeholder = exampleClaims();

const drawing = new Drawing(byId("picture", HTMLElement), pictureIn(model, data.shown, first));

function draw(): void {
  drawing.draw(pictureIn(model, data.shown, { method: method.value, isMethodAlone: alone.checked }));
}

function evaluate(): void {
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
    return { problem: error.isJson ? error.message : "This is no JSON yet." };
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

claims.addEventListener("input", evaluate);
method.addEventListener("change", () => {
  claims.placeholder = exampleClaims();
  if (alone.checked) draw();
  evaluate();
});
alone.addEventListener("change", () => {
  draw();
  evaluate();
});
form.addEventListener("submit", (event) => event.preventDefault());
