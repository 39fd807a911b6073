import { edgeKey, type Lights } from "../lights";
import type { Picture } from "../picture";
import { edgeId, nodeId, toSvg } from "../svg";

/** The place of an object in the picture. */
interface Spot {
  readonly element: Element;
  readonly x: number;
  readonly y: number;
}

/** The picture in the page. */
export class Drawing {
  private picture: Picture;
  private spots: readonly Spot[] = [];

  /** @param frame the element with the picture */
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

  /** Highlights paths, or removes all highlights. */
  light(lights: Lights | undefined): void {
    for (const name of ["lit", "failed", "perhaps"]) this.clear(name);
    this.frame.querySelector("svg")?.classList.toggle("lights", lights !== undefined);
    if (!lights) return;
    const { nodes, edges } = this.picture;
    const keys = new Map(nodes.map(({ key }, place) => [nodeId(place), key]));
    for (const [place, { from, to }] of edges.entries()) keys.set(edgeId(place), edgeKey(nodes[from]?.key ?? "", nodes[to]?.key ?? ""));
    const marks = { lit: new Set([...lights.nodes, ...lights.edges]), failed: lights.failed, perhaps: lights.perhaps };
    for (const [name, marked] of Object.entries(marks)) {
      for (const [id, key] of keys) if (marked.has(key)) document.getElementById(id)?.classList.add(name);
    }
    this.show();
  }

  private clear(name: string): void {
    for (const element of this.frame.querySelectorAll(`.${name}`)) element.classList.remove(name);
  }

  /** Scrolls to the first highlighted rule, unless one is visible. Without highlighted rules, other highlighted objects count. */
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
    this.spots = this.picture.nodes.flatMap((_, place) => {
      const element = document.getElementById(nodeId(place));
      const box = element?.querySelector(".box");
      return element && box ? [{ element, x: Number(box.getAttribute("x")), y: Number(box.getAttribute("y")) }] : [];
    });
    this.stopAt(0);
  }

  /** The picture has one tab stop; arrow keys lead on from there. */
  private stopAt(place: number): void {
    for (const [index, { element }] of this.spots.entries()) element.setAttribute("tabindex", index === place ? "0" : "-1");
  }

  /** Shows the lines to and from the focused object. */
  private enter(place: number): void {
    this.clear("near");
    if (place < 0) return;
    this.stopAt(place);
    for (const [index, { from, to }] of this.picture.edges.entries()) {
      if (from === place || to === place) document.getElementById(edgeId(index))?.classList.add("near");
    }
  }

  private move(event: KeyboardEvent): void {
    const place = this.spots.findIndex(({ element }) => element === event.target);
    const here = this.spots[place];
    const next = here && this.next(place, here, event.key);
    if (!(next?.element instanceof SVGElement)) return;
    event.preventDefault();
    next.element.focus();
  }

  /** The nearest object in the direction of an arrow key: along a line, or in the same column. */
  private next(place: number, { x, y }: Spot, key: string): Spot | undefined {
    const { edges } = this.picture;
    const spotsAt = (places: readonly number[]) => places.flatMap((other) => this.spots[other] ?? []);
    const directions = new Map([
      ["ArrowRight", spotsAt(edges.flatMap(({ from, to }) => (from === place ? [to] : [])))],
      ["ArrowLeft", spotsAt(edges.flatMap(({ from, to }) => (to === place ? [from] : [])))],
      ["ArrowUp", this.spots.filter((other) => other.x === x && other.y < y)],
      ["ArrowDown", this.spots.filter((other) => other.x === x && other.y > y)],
    ]);
    return directions.get(key)?.toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0];
  }
}
