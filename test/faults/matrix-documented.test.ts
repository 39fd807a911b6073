import { runMatrix } from "./matrix";

test.each(["dynamic", "plugin"])(
  "with servers that are as documented, a share of the matrix is as the table says too (through the %s adapter)",
  async (adapter) => {
    expect(await runMatrix(adapter, "documented")).toEqual([]);
  },
  900_000,
);
