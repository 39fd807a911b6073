import { runMatrix } from "./matrix";

test("every request of every operation of every kind meets every fault as the table says (through the dynamic adapter)", async () => {
  expect(await runMatrix("dynamic")).toEqual([]);
}, 900_000);
