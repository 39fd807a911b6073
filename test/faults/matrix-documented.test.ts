import { isFull } from "../support/extent";
import { runMatrix } from "./matrix";

// `npm test` tries one adapter, because the differences of documented servers affect both adapters alike.
const adapters = isFull ? ["dynamic", "plugin"] : ["dynamic"];

test.each(adapters)(
  "with servers that are as documented, a share of the matrix is as the table says too (through the %s adapter)",
  async (adapter) => {
    expect(await runMatrix(adapter, "documented")).toEqual([]);
  },
  900_000,
);
