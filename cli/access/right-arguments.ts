/** The questions about permissions on the command line. */
import { knownAsks, type PolicyQuestion } from "../../access/policy/allow";
import { nearest } from "../../common/nearest";
import { UsageError } from "../command-line";
import { isPattern, placesOf, toQuestions } from "./right-question";

export interface RightArguments {
  readonly can?: string | undefined;
  readonly namespace?: string | undefined;
  readonly path?: string | undefined;
  readonly name?: string | undefined;
}

/** The questions of --can; undefined without this option. @throws UsageError for an unknown question, and for missing or surplus options */
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
  const pattern = options.find((option) => isPattern(option, given[option]));
  if (pattern) throw patternError(pattern, given[pattern] ?? "");
  const places = placesOf(can);
  const strange = options.find((option) => !places.includes(option));
  if (strange) throw new UsageError(`--${strange} does not go with --can ${can}`);
  for (const place of ["path", "name"] as const) {
    if (places.includes(place) && given[place] === undefined) throw new UsageError(`--can ${can}: give --${place}`);
  }
  if (places.includes("path") && given.namespace === "*") throw new UsageError(`--can ${can}: variables are asked about in one namespace`);
  return toQuestions(can, given);
}

export function patternError(option: string, given: string): UsageError {
  return new UsageError(`--${option} ${given}: must be a name, because servers have no names with "*"`);
}
