import { isFull } from "../support/extent";
import { runMatrix } from "./matrix";

// What documented servers do differently reaches both adapters alike.
const adapters = isFull ? ["dynamic", "plugin"] : ["dynamic"];

test.each(adapters)(
  "with servers that are as documented, a share of the matrix is as the table says too (through the %s adapter)",
  async (adapter) => {
    expect(await runMatrix(adapter, "documented")).toEqual([]);
  },
  900_000,
);
