import { poolDocument, poolPage } from "./wire";

const pool = {
  id: "apool-1",
  type: "agent-pools",
  attributes: { name: "a", "created-at": "2026-01-01T00:00:00.000Z", "organization-scoped": false },
  relationships: {
    workspaces: { data: [{ id: "ws-1", type: "workspaces" }] },
    "allowed-workspaces": { data: [{ id: "ws-2", type: "workspaces" }] },
  },
};

it.each([
  ["another type", { data: { ...pool, type: "agents" } }, "data.type"],
  ["no data", { data: null }, "data"],
  ["no scope", { data: { ...pool, attributes: { name: "a" } } }, "data.attributes.organization-scoped"],
])("a document with %s is refused with the place of the error", (_, document, place) => {
  expect(poolDocument.safeParse(document).error?.issues.map((issue) => issue.path.join("."))).toEqual([place]);
});

it("a list without the number of its next page is refused: it may be incomplete", () => {
  expect(poolPage.safeParse({ data: [pool] }).success).toBe(false);
  expect(poolPage.safeParse({ data: [pool], meta: {} }).success).toBe(false);
});
