/** The element with an ID. @throws if it is missing, or of another kind */
export function byId<T extends Element>(id: string, kind: new () => T): T {
  const node = document.getElementById(id);
  if (node instanceof kind) return node;
  throw new Error(`the page has no ${kind.name} with the ID ${id}`);
}

/** A new element. Texts among its parts are never markup. */
export function element(name: string, className: string, ...parts: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.append(...parts);
  return made;
}
