import { runMatrix } from "./matrix";

test("every request of every operation of every kind meets every fault as the table says (through the plugin adapter)", async () => {
  expect(await runMatrix("plugin")).toEqual([]);
}, 900_000);
