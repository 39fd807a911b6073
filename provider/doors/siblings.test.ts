import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Memory } from "../memory";
import { ImpatientClock } from "../test/support/session";
import { EngineSiblings } from "./siblings";

const engine = "127.0.0.1:4711";
const role = { kind: "AclRole", id: "6e4dfb0c-0000-4000-8000-000000000001" };
let folder: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-siblings-"));
});
afterEach(async () => {
  for (const other of others.splice(0)) await end(other);
  rmSync(folder, { recursive: true });
});

/** Another process of an engine, which tells something and lives on. */
async function other(address: string, texts: readonly string[]): Promise<ChildProcess> {
  const module = JSON.stringify(join(__dirname, "../../dist/doors/siblings"));
  const script = `const siblings = new (require(${module}).EngineSiblings)(${JSON.stringify(address)}, ${JSON.stringify(folder)});
for (const text of ${JSON.stringify(texts)}) siblings.tell(text);
console.log("told"); setInterval(() => {}, 1000);`;
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

const memory = () => new Memory(new ImpatientClock(), new EngineSiblings(engine, folder));
const claimed = `claimed: ${role.kind} ${role.id} `;

test("what one process of an engine holds, the others neither delete nor adopt", async () => {
  const one = memory();
  expect(one.isClaimed(role)).toBe(false);
  await other(engine, [claimed]);
  expect(one.isClaimed(role)).toBe(true);
  expect(one.isManaged(role)).toBe(true);
  expect(() => one.takeOver(role)).toThrow("one object can't have two resources");
});

test("a process learns what another one tells later", async () => {
  const one = memory();
  await other(engine, ["something else"]);
  expect(one.isTakenOver(role)).toBe(false);
  await other(engine, [`taken over: ${role.kind} ${role.id} `]);
  expect(one.isTakenOver(role)).toBe(true);
});

test("another engine's processes, and those that have ended, hold nothing", async () => {
  await other("127.0.0.1:4712", [claimed]);
  const ended = await other(engine, [claimed]);
  expect(memory().isClaimed(role)).toBe(true);
  await end(ended);
  expect(memory().isClaimed(role)).toBe(false);
  expect(readdirSync(join(folder, readdirSync(folder)[0] ?? "")).filter((file) => file.startsWith("4711-"))).toEqual([]);
});

test("an auth method of the same name on another cluster is another one", async () => {
  const method = { kind: "AclAuthMethod", id: "sso", createTime: "2026-01-01T00:00:00Z" };
  await other(engine, ["claimed: AclAuthMethod sso 2026-01-01T00:00:00Z"]);
  expect(memory().isClaimed(method)).toBe(true);
  expect(memory().isClaimed({ ...method, createTime: "2026-02-02T00:00:00Z" })).toBe(false);
});

test("the files are for the user alone, and hold no names", async () => {
  memory().claim({ kind: "AclAuthMethod", id: "company-sso" });
  const [own = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(join(folder, own));
  expect(readFileSync(join(folder, own, file), "utf8")).not.toMatch(/company|Acl/);
});

test("where others may write to the folder, nothing is adopted, and everything else goes on", () => {
  memory();
  chmodSync(join(folder, readdirSync(folder)[0] ?? ""), 0o777);
  const one = memory();
  one.claim(role);
  expect(one.isClaimed(role)).toBe(true);
  expect(() => one.takeOver({ ...role, id: "other" })).toThrow(
    /AclRole other was not taken over: .* is not for this user alone\. Set TMPDIR/,
  );
});
