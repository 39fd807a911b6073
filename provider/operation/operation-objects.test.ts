import { OperationObjects } from "./operation-objects";

const server = "https://cluster.test";

test("a claim is for one kind and one ID", () => {
  const objects = new OperationObjects();
  objects.claim({ kind: "AclRole", id: "a", server });
  expect(objects.isClaimed({ kind: "AclRole", id: "a", server })).toBe(true);
  expect(objects.isClaimed({ kind: "AclBindingRule", id: "a", server })).toBe(false);
  expect(objects.isClaimed({ kind: "AclRole", id: "b", server })).toBe(false);
});

test("a deleted object that was made again under its name is another one, and not deleted", () => {
  const objects = new OperationObjects();
  const method = { kind: "AclAuthMethod", id: "sso", server, createTime: "2030-01-01T00:00:00Z" };
  objects.markDeleted(method);
  expect(objects.isDeleted({ ...method, server: `${server}/ region eu` })).toBe(true);
  expect(objects.isDeleted({ ...method, createTime: "2030-01-01T00:00:01Z" })).toBe(false);
  expect(objects.isDeleted({ ...method, server: "https://other.test" })).toBe(false);
});
