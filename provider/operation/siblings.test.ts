import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { OperationObjects } from "./operation-objects";
import { EngineSiblings } from "./siblings";

const engine = "127.0.0.1:4711";
const server = "https://west.test:4646";
const role = { kind: "AclRole", id: "6e4dfb0c-0000-4000-8000-000000000001", server };
let folder: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-siblings-"));
});
afterEach(async () => {
  for (const other of others.splice(0)) await end(other);
  rmSync(folder, { recursive: true });
});

/** Another process of an engine, which publishes something and lives on. */
async function other(address: string, texts: readonly string[], on = server): Promise<ChildProcess> {
  const module = JSON.stringify(join(__dirname, "../../dist/provider/operation/siblings"));
  const script = `const siblings = new (require(${module}).EngineSiblings)(${JSON.stringify(address)}, ${JSON.stringify(folder)});
for (const text of ${JSON.stringify(texts)}) siblings.publish(text, ${JSON.stringify(on)});
console.log("published"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  others.push(child);
  await once(createInterface(child.stdout), "line");
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

function objects(): OperationObjects {
  return new OperationObjects(new EngineSiblings(engine, folder));
}
const claimed = `claimed: ${role.kind} ${role.id} `;

test("what one process of an engine holds, the others neither delete nor adopt", async () => {
  const one = objects();
  expect(one.isClaimed(role)).toBe(false);
  await other(engine, [claimed]);
  expect(one.isClaimed(role)).toBe(true);
  expect(one.isManaged(role)).toBe(true);
  expect(() => one.adopt(role)).toThrow("one object can't have two resources");
});

test("a process learns what another one publishes later", async () => {
  const one = objects();
  await other(engine, ["something else"]);
  expect(one.isIdAdopted(role)).toBe(false);
  await other(engine, [`taken over: ${role.kind} ${role.id} `]);
  expect(one.isIdAdopted(role)).toBe(true);
});

test("one decision reads once what others publish, the next one reads it again, and so does one that has published", async () => {
  const one = objects();
  await other(engine, ["something else"]);
  // Of each process that has a file it is asked whether it lives.
  const reads = jest.spyOn(process, "kill");
  try {
    expect(one.reasonToKeep(role, false)).toBeUndefined();
    expect(reads).toHaveBeenCalledTimes(1);
    await Promise.resolve();
    expect(one.isManaged(role)).toBe(false);
    expect(reads).toHaveBeenCalledTimes(2);
    one.adopt(role);
    expect(reads).toHaveBeenCalledTimes(3);
  } finally {
    reads.mockRestore();
  }
});

test("another engine's processes, and those that have ended, hold nothing", async () => {
  await other("127.0.0.1:4712", [claimed]);
  const ended = await other(engine, [claimed]);
  expect(objects().isClaimed(role)).toBe(true);
  await end(ended);
  expect(objects().isClaimed(role)).toBe(false);
  objects();
  const left = readdirSync(join(folder, readdirSync(folder)[0] ?? "")).filter((file) => file.startsWith("4711-"));
  expect(left.filter((file) => !file.endsWith(`-${process.pid}`))).toEqual([]);
});

test("a file of an ended process whose number this one has holds nothing", () => {
  objects();
  const left = join(folder, readdirSync(folder)[0] ?? "", `4711-00000000-0000-4000-8000-000000000000-${process.pid}`);
  writeFileSync(left, "");
  utimesSync(left, 0, 0);
  objects();
  expect(existsSync(left)).toBe(false);
});

test("an auth method of the same name on another cluster is another one", async () => {
  const method = { kind: "AclAuthMethod", id: "sso", server, createTime: "2026-01-01T00:00:00Z" };
  await other(engine, ["claimed: AclAuthMethod sso 2026-01-01T00:00:00Z"]);
  expect(objects().isClaimed(method)).toBe(true);
  expect(objects().isClaimed({ ...method, createTime: "2026-02-02T00:00:00Z" })).toBe(false);
  expect(objects().reasonToKeep({ ...method, server: "https://east.test", createTime: "2026-02-02T00:00:00Z" }, false)).toBeUndefined();
});

describe("an object of the same identity that another process holds", () => {
  test.each([
    ["another spelling of the address", "HTTPS://West.test:4646/"],
    ["another region", `${server} region eu`],
  ])("on the same server is the same one: %s", async (_, on) => {
    await other(engine, [claimed], on);
    expect(objects().reasonToKeep(role, false)).toBe("claimed");
    expect(() => objects().adopt(role)).toThrow("one object can't have two resources");
  });

  test("under another address is neither taken for this one nor for another, and the error names both and the way on", async () => {
    await other(engine, [claimed, `taken over: ${role.kind} ${role.id} `], "https://east.test:4646");
    const one = objects();
    expect(one.isClaimed(role)).toBe(false);
    const both = /AclRole 6e4dfb0c\S+ on https:\/\/west\.test:4646 .*on https:\/\/east\.test:4646\. .*same address.*--target/;
    expect(() => one.reasonToKeep(role, false)).toThrow(both);
    expect(() => one.isIdAdopted(role)).toThrow(both);
    expect(() => one.adopt(role)).toThrow(both);
  });

  test("after a look-up stays, other than when this process wants to replace it", async () => {
    await other(engine, [`looked up: ${role.kind} ${role.id} `]);
    const one = objects();
    one.recordUpdate();
    expect(one.reasonToKeep(role, false)).toBe("looked up");
    one.expectChange(role);
    expect(one.reasonToKeep(role, false)).toBeUndefined();
  });

  test("after a look-up stays in an update alone, which the check of any process shows: a destroy that runs the program deletes it", async () => {
    await other(engine, [`looked up: ${role.kind} ${role.id} `]);
    expect(objects().reasonToKeep(role, false)).toBeUndefined();
    await other(engine, [`looked up: ${role.kind} ${role.id} `], "https://east.test:4646");
    const updating = objects();
    updating.recordUpdate();
    expect(updating.reasonToKeep(role, false)).toBe("looked up");
    await other(engine, ["a resource is checked"], "");
    expect(objects().reasonToKeep(role, false)).toBe("looked up");
  });

  test("when that one has deleted it, is not there to be adopted here", async () => {
    await other(engine, [`deleted: ${role.kind} ${role.id} `]);
    expect(objects().isDeleted(role)).toBe(true);
  });
});

test("when the folder is removed in the middle of an operation, nothing is decided any more, and what is done stays done", async () => {
  const one = objects();
  await other(engine, [claimed]);
  rmSync(join(folder, readdirSync(folder)[0] ?? ""), { recursive: true });
  one.claim({ ...role, id: "b" });
  expect(() => one.isClaimed(role)).toThrow(/was cleared\. Run the update again, with TMPDIR/);
  objects();
  expect(() => one.adopt(role)).toThrow(/was cleared/);
});

test("the files are for the user alone, and hold no names", async () => {
  objects().claim({ kind: "AclAuthMethod", id: "company-sso", server });
  const [own = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(join(folder, own));
  expect(readFileSync(join(folder, own, file), "utf8")).not.toMatch(/company|Acl/);
});

test("where others may write to the folder, nothing is adopted, and everything else goes on", () => {
  objects();
  chmodSync(join(folder, readdirSync(folder)[0] ?? ""), 0o777);
  const one = objects();
  one.claim(role);
  expect(one.isClaimed(role)).toBe(true);
  expect(() => one.adopt({ ...role, id: "other" })).toThrow(/AclRole other was not taken over: .* is not for this user alone\. Set TMPDIR/);
});
