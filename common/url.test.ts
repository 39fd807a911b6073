import { urlOf } from "./url";

test("an address with letters beyond ASCII is read every time, also by code that V8 has compiled", () => {
  const failures = Array.from({ length: 20_000 }).filter(() => urlOf("https://münchen.example/v1")?.hostname !== "xn--mnchen-3ya.example");
  expect(failures).toHaveLength(0);
  expect(urlOf("no address")).toBeUndefined();
});
