import { edgeKey, type Lights } from "../lights";
import type { Picture } from "../picture";
import { edgeId, nodeId, toSvg } from "../svg";

/** An object of the picture, where it stands. */
interface Spot {
  readonly element: Element;
  readonly x: number;
  readonly y: number;
}

/** The picture in the page. */
export class Drawing {
  private picture: Picture;
  private spots: readonly Spot[] = [];
  /** The objects that an object leads to, and those that lead to it, by their places. */
  private readonly after = new Map<number, number[]>();
  private readonly before = new Map<number, number[]>();

  /** @param frame the element that holds the picture already */
  constructor(
    private readonly frame: HTMLElement,
    picture: Picture,
  ) {
    this.picture = picture;
    this.read();
    frame.addEventListener("keydown", (event) => this.move(event));
    frame.addEventListener("focusin", ({ target }) => this.enter(this.spots.findIndex(({ element }) => element === target)));
    frame.addEventListener("focusout", () => this.clear("near"));
  }

  draw(picture: Picture): void {
    this.picture = picture;
    this.frame.innerHTML = toSvg(picture, { isFile: false });
    this.frame.scrollTo(0, 0);
    this.read();
  }

  /** Lights up ways, and nothing without them. */
  light(lights: Lights | undefined): void {
    for (const name of ["lit", "failed", "perhaps"]) this.clear(name);
    this.frame.querySelector("svg")?.classList.toggle("lights", lights !== undefined);
    if (!lights) return;
    const { nodes, edges } = this.picture;
    for (const [place, { key }] of nodes.entries()) {
      this.mark(nodeId(place), "lit", lights.nodes.has(key));
      this.mark(nodeId(place), "failed", lights.failed.has(key));
      this.mark(nodeId(place), "perhaps", lights.perhaps.has(key));
    }
    for (const [place, { from, to }] of edges.entries()) {
      const key = edgeKey(nodes[from]?.key ?? "", nodes[to]?.key ?? "");
      this.mark(edgeId(place), "lit", lights.edges.has(key));
      this.mark(edgeId(place), "perhaps", lights.perhaps.has(key));
    }
    this.show();
  }

  private mark(id: string, name: string, isMarked: boolean): void {
    if (isMarked) document.getElementById(id)?.classList.add(name);
  }

  private clear(name: string): void {
    for (const element of this.frame.querySelectorAll(`.${name}`)) element.classList.remove(name);
  }

  /** Scrolls to the first rule of the way, if none of it can be seen. */
  private show(): void {
    const lit = [...this.frame.querySelectorAll(this.frame.querySelector(".rule.lit") ? ".rule.lit" : ".node.lit")].map((element) =>
      element.getBoundingClientRect(),
    );
    const [first] = lit;
    const room = this.frame.getBoundingClientRect();
    if (!first || lit.some(({ top, bottom }) => top >= room.top && bottom <= room.bottom)) return;
    this.frame.scrollBy(0, first.top - room.top - room.height / 3);
  }

  private read(): void {
    const { nodes, edges } = this.picture;
    this.spots = nodes.flatMap((_, place) => {
      const element = document.getElementById(nodeId(place));
      const box = element?.querySelector(".box");
      return element && box ? [{ element, x: Number(box.getAttribute("x")), y: Number(box.getAttribute("y")) }] : [];
    });
    this.after.clear();
    this.before.clear();
    for (const { from, to } of edges) {
      this.after.set(from, [...(this.after.get(from) ?? []), to]);
      this.before.set(to, [...(this.before.get(to) ?? []), from]);
    }
    // One stop for the tab key: arrow keys lead from there.
    for (const [place, { element }] of this.spots.entries()) element.setAttribute("tabindex", place === 0 ? "0" : "-1");
  }

  /** Shows what leads to and from the object that has the focus. */
  private enter(place: number): void {
    this.clear("near");
    if (place < 0) return;
    for (const [index, { element }] of this.spots.entries()) element.setAttribute("tabindex", index === place ? "0" : "-1");
    for (const [index, { from, to }] of this.picture.edges.entries()) this.mark(edgeId(index), "near", from === place || to === place);
  }

  private move(event: KeyboardEvent): void {
    const place = this.spots.findIndex(({ element }) => element === event.target);
    const next = place < 0 ? undefined : this.next(place, event.key);
    const element = next === undefined ? undefined : this.spots[next]?.element;
    if (!(element instanceof SVGElement)) return;
    event.preventDefault();
    element.focus();
  }

  private next(place: number, key: string): number | undefined {
    const here = this.spots[place];
    if (!here) return undefined;
    const nearest = (places: readonly number[] = []) => {
      const distance = (other: number) => Math.abs((this.spots[other]?.y ?? 0) - here.y);
      return places.toSorted((a, b) => distance(a) - distance(b))[0];
    };
    const column = [...this.spots.keys()].filter((other) => this.spots[other]?.x === here.x);
    const isAbove = (other: number) => (this.spots[other]?.y ?? 0) < here.y;
    const isBelow = (other: number) => (this.spots[other]?.y ?? 0) > here.y;
    switch (key) {
      case "ArrowRight":
        return nearest(this.after.get(place));
      case "ArrowLeft":
        return nearest(this.before.get(place));
      case "ArrowUp":
        return nearest(column.filter(isAbove));
      case "ArrowDown":
        return nearest(column.filter(isBelow));
      default:
        return undefined;
    }
  }
}
