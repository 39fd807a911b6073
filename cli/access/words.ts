import type { LoginRule } from "../../access/login";
import { table } from "../table";
import type { AccessModel, Undecided } from "./model";

/** The label of a rule. */
export function labelOf({ labels }: AccessModel, { id = "" }: Pick<LoginRule, "id">): string {
  return labels.get(id) ?? id;
}

/** The object that has this name, if another part of it is unknown. */
export function halfKnown({ undecided }: Pick<AccessModel, "undecided">, kind: Undecided["kind"], name: string): Undecided | undefined {
  return undecided.find((one) => one.kind === kind && one.name === name && !one.isNameHidden);
}

/** An object with an unknown name: it may be any missing object. */
export function nameless({ undecided }: Pick<AccessModel, "undecided">, kind: Undecided["kind"]): Undecided | undefined {
  return undecided.find((one) => one.kind === kind && one.isNameHidden);
}

/** The reason why an object is only partly known. */
export function doubtAbout({ part, isTwice }: Undecided): string {
  return isTwice ? "another one has its name, too" : `${part} is secret, or unknown before an update`;
}

export function selectorOf(selector = ""): string {
  return selector === "" ? "(every login)" : selector;
}

/** Objects with their unknown parts, as lines. */
export function undecidedTable(undecided: readonly Undecided[]): string[] {
  return table(
    undecided.map(({ object, part, isTwice }) => [object, isTwice ? `${part}: another one has it, too` : part]),
    "  ",
  );
}
