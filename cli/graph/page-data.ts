import type { AccessModel } from "../access/model";
import { type Picture, type Shown, toPicture } from "./picture";
import { narrowed } from "./selection";

/** What a page holds of a model. */
export interface PageData {
  readonly model: Omit<AccessModel, "labels"> & { readonly labels: readonly (readonly [id: string, label: string])[] };
  /** What is drawn of it. */
  readonly shown: Shown;
}

export function pageData({ labels, ...model }: AccessModel, shown: Shown): PageData {
  return { model: { ...model, labels: [...labels] }, shown };
}

export function modelIn({ model }: PageData): AccessModel {
  return { ...model, labels: new Map(model.labels) };
}

/** What a page shows. */
export interface View {
  /** The method of the login; undefined if there is none. */
  readonly method: string | undefined;
  /** Whether only its rules are drawn. */
  readonly isMethodAlone: boolean;
  /** Whether the column of rights is unfolded. */
  readonly hasRights: boolean;
}

/** A picture with more rules is hard to read: one method's is drawn at first. */
const MOST_RULES = 40;

export function firstView({ methods, defaultMethod, rules }: AccessModel, { hasRights = false }: Shown): View {
  const names = methods.map(({ name }) => name).sort();
  return { method: defaultMethod ?? names[0], isMethodAlone: names.length > 1 && rules.length > MOST_RULES, hasRights };
}

/** What a page draws of its model. */
export function pictureIn(model: AccessModel, shown: Shown, { method, isMethodAlone, hasRights }: View): Picture {
  const all = { ...shown, hasRights, hasOthers: true };
  return isMethodAlone ? toPicture(narrowed(model, { method }), { ...all, isBound: true }) : toPicture(model, all);
}
