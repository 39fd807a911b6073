import { relationOf } from "./servers";

const server = "https://cluster.example.com:4646";

test.each([
  ["the letter case of scheme and host", "HTTPS://Cluster.Example.COM:4646"],
  ["a slash at the end", `${server}/`],
])("%s does not make another server", (_, other) => {
  expect(relationOf(server, other)).toBe("same");
  expect(relationOf(`${server} region eu`, `${other} region eu`)).toBe("same");
});

test.each([
  ["https://a.test", "https://a.test:443"],
  ["http://a.test:80/", "http://A.test"],
  ["https://a.test/nomad", "https://a.test:443/nomad/"],
])("%s and %s are one server: the default port may be left out", (one, other) => {
  expect(relationOf(one, other)).toBe("same");
});

test.each([
  ["another port", "https://cluster.example.com:4647"],
  ["another scheme", "http://cluster.example.com:4646"],
  ["another host", "https://other.example.com:4646"],
  ["a path of a reverse proxy", `${server}/west`],
])("%s is another server, with and without a region", (_, other) => {
  expect(relationOf(server, other)).toBe("other server");
  expect(relationOf(`${server} region eu`, `${other} region eu`)).toBe("other server");
});

test("two names of this machine are two servers, and so are two letter cases of a path", () => {
  expect(relationOf("http://localhost:4646", "http://127.0.0.1:4646")).toBe("other server");
  expect(relationOf(`${server}/West`, `${server}/west`)).toBe("other server");
});

test("a new, removed or changed region is another region of the same server", () => {
  expect(relationOf(server, `${server} region eu`)).toBe("other region");
  expect(relationOf(`${server} region eu`, server)).toBe("other region");
  expect(relationOf(`${server} region eu`, `${server} region us`)).toBe("other region");
});

test("a text that is not an address is compared letter by letter", () => {
  expect(relationOf("nonsense", "nonsense")).toBe("same");
  expect(relationOf("nonsense", "Nonsense")).toBe("other server");
});
