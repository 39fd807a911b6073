/** The questions about permissions that users ask. */
import type { PolicyQuestion } from "../../access/policy/allow";

/** Permissions that newer servers have split, with the new one to ask about as well: a token that may register a job can run anything. */
const asksToo: { readonly [ask: string]: readonly string[] } = { "submit-job": ["register-job"] };

/** The place of a question: a namespace, a variable in it, or a node pool or host volume. */
export type Place = "namespace" | "path" | "name";

/** The places that a question takes. Questions without a namespace take none, or a name. */
export function placesOf(ask: string): readonly Place[] {
  if (ask.startsWith("variables:")) return ["namespace", "path"];
  if (/^(node_pool|host_volume):/.test(ask)) return ["name"];
  return ask === "management" || (ask.includes(":") && ask !== "namespace:read") ? [] : ["namespace"];
}

/** Whether a place is given as a pattern. Servers have no names with "*". The namespace "*" is no pattern: it asks about any namespace. */
export function isPattern(place: Place, given = ""): boolean {
  return given.includes("*") && !(place === "namespace" && given === "*");
}

/** The questions about the given places: one positive answer is enough. */
export function toQuestions(asked: string, given: Readonly<Partial<Record<Place, string | undefined>>>): readonly PolicyQuestion[] {
  const { namespace = "default", path = "", name = "" } = given;
  const places = placesOf(asked);
  const place = {
    ...(places.includes("namespace") && { namespace }),
    ...(places.includes("path") && { path }),
    ...(places.includes("name") && { name }),
  };
  return [asked, ...(asksToo[asked] ?? [])].map((ask) => ({ ask, ...place }));
}

/** Such as `submit-job in the namespace prod`. */
export function questionText({ ask, namespace, path, name }: PolicyQuestion): string {
  const of = path ?? name;
  const where = namespace === "*" ? " in any namespace" : namespace === undefined ? "" : ` in the namespace ${namespace}`;
  return ask + (of === undefined ? "" : ` of ${of}`) + where;
}
