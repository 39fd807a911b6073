import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { archiveOf } from "./archive";
import { runtimes, targets } from "./runtimes";

const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-archive-"));
afterAll(() => rmSync(folder, { recursive: true }));

const entries = [
  { path: "launcher", content: Buffer.from("#!/bin/sh\n"), isExecutable: true },
  { path: "empty", content: Buffer.alloc(0) },
  { path: "block", content: Buffer.alloc(512, "a") },
];

test("an archive has its files with their modes, and no owner and no time", async () => {
  const file = join(folder, "archive.tar.gz");
  writeFileSync(file, await archiveOf(entries));
  const found: unknown[] = [];
  const reads: Promise<unknown>[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      const { path, mode, uid, gid, uname, gname, mtime } = entry;
      reads.push(entry.concat().then((content) => found.push({ path, content, mode, uid, gid, uname, gname, mtime })));
    },
  });
  await Promise.all(reads);
  const alike = { uid: 0, gid: 0, uname: "", gname: "", mtime: new Date(0) };
  expect(found).toEqual(
    entries.map(({ path, content, isExecutable }) => ({ path, content, mode: isExecutable ? 0o755 : 0o644, ...alike })),
  );
});

test("the compressed form has neither a time nor the system that it was made on", async () => {
  const bytes = await archiveOf(entries);
  expect([...bytes.subarray(0, 4), ...bytes.subarray(4, 8), bytes[9]]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 255]);
});

test("every target's runtime is pinned, of one version with long-term support", () => {
  expect(Object.keys(runtimes.packages)).toEqual([...targets]);
  expect(Number(runtimes.version.split(".")[0]) % 2).toBe(0);
});
