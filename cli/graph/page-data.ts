import type { AccessModel } from "../access/model";
import { type Picture, type Shown, toPicture } from "./picture";
import { narrowed } from "./selection";

/** The data of a page. */
export interface PageData {
  readonly model: Omit<AccessModel, "labels"> & { readonly labels: readonly (readonly [id: string, label: string])[] };
  /** The drawn part of the model. */
  readonly shown: Shown;
}

export function pageData({ labels, ...model }: AccessModel, shown: Shown): PageData {
  return { model: { ...model, labels: [...labels] }, shown };
}

export function modelIn({ model }: PageData): AccessModel {
  return { ...model, labels: new Map(model.labels) };
}

/** The choices in a page's form. */
export interface View {
  /** The method of the login; undefined if there is none. */
  readonly method: string | undefined;
  /** Whether to draw only the rules of this method. */
  readonly isMethodAlone: boolean;
  /** Whether to show the column of rights. */
  readonly hasRights: boolean;
}

/** With more rules, the page shows a single method at first, because larger pictures are hard to read. */
const MOST_RULES = 40;

export function firstView({ methods, defaultMethod, rules }: AccessModel, { hasRights = false }: Shown): View {
  const names = methods.map(({ name }) => name).sort();
  return { method: defaultMethod ?? names[0], isMethodAlone: names.length > 1 && rules.length > MOST_RULES, hasRights };
}

/** The picture that a page draws. */
export function pictureIn(model: AccessModel, shown: Shown, { method, isMethodAlone, hasRights }: View): Picture {
  const all = { ...shown, hasRights, hasOthers: true };
  return isMethodAlone ? toPicture(narrowed(model, { method }), { ...all, isBound: true }) : toPicture(model, all);
}
