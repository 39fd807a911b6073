/** The questions about rights that the command line takes. */
import { knownAsks, type PolicyQuestion } from "../../access/policy/allow";
import { nearest } from "../../common/nearest";
import { UsageError } from "../command-line";

export interface RightArguments {
  readonly can?: string | undefined;
  readonly namespace?: string | undefined;
  readonly path?: string | undefined;
  readonly name?: string | undefined;
}

/** What newer servers grant a part of by another name: who may register a job can run what it likes. */
const asksToo: { readonly [ask: string]: readonly string[] } = { "submit-job": ["register-job"] };

/** Which options a question takes. All that is of no namespace takes none, or a name. */
function placesOf(ask: string): readonly ("namespace" | "path" | "name")[] {
  if (ask.startsWith("variables:")) return ["namespace", "path"];
  if (/^(node_pool|host_volume):/.test(ask)) return ["name"];
  return ask === "management" || (ask.includes(":") && ask !== "namespace:read") ? [] : ["namespace"];
}

/** What is asked for by --can: nothing if it is missing. @throws UsageError for what can't be asked, and for options that it lacks or does not take */
export function questionsOf({ can, ...given }: RightArguments): readonly PolicyQuestion[] | undefined {
  const options = (["namespace", "path", "name"] as const).filter((option) => given[option] !== undefined);
  if (can === undefined) {
    if (options.length > 0) throw new UsageError(`--${options[0]} goes with --can`);
    return undefined;
  }
  if (!knownAsks.includes(can)) {
    const near = nearest(can, knownAsks);
    throw new UsageError(`--can ${can}: ${near ? `did you mean ${near}? ` : ""}It can be ${knownAsks.join(", ")}`);
  }
  const places = placesOf(can);
  const strange = options.find((option) => !places.includes(option));
  if (strange) throw new UsageError(`--${strange} does not go with --can ${can}`);
  for (const place of ["path", "name"] as const) {
    if (places.includes(place) && given[place] === undefined) throw new UsageError(`--can ${can}: give --${place}`);
  }
  const { namespace = "default", path = "", name = "" } = given;
  if (places.includes("path") && namespace === "*") throw new UsageError(`--can ${can}: variables are asked about in one namespace`);
  const place = {
    ...(places.includes("namespace") && { namespace }),
    ...(places.includes("path") && { path }),
    ...(places.includes("name") && { name }),
  };
  return [can, ...(asksToo[can] ?? [])].map((ask) => ({ ask, ...place }));
}

/** Such as `submit-job in the namespace prod`. */
export function questionText({ ask, namespace, path, name }: PolicyQuestion): string {
  const of = path ?? name;
  const where = namespace === "*" ? " in any namespace" : namespace === undefined ? "" : ` in the namespace ${namespace}`;
  return ask + (of === undefined ? "" : ` of ${of}`) + where;
}
