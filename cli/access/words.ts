import type { LoginRule } from "../../provider/access/login";
import { table } from "../table";
import type { AccessModel, Undecided } from "./model";

/** What people call a rule. */
export function labelOf({ labels }: AccessModel, { id = "" }: LoginRule): string {
  return labels.get(id) ?? id;
}

export function selectorOf(selector = ""): string {
  return selector === "" ? "(every login)" : selector;
}

/** Objects with the part that is not known, as lines. */
export function undecidedTable(undecided: readonly Undecided[]): string[] {
  return table(
    undecided.map(({ object, part }) => [object, part]),
    "  ",
  );
}
