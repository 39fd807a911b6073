import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { list } from "tar";
import { archiveOf } from "./archive";
import { runtimes, targets, withoutSymbols } from "./runtimes";

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

/** An ELF file: the header, the contents of its sections, and their table. */
function elf(sections: readonly { type: number; flags: bigint; content: string }[]): Buffer {
  const header = Buffer.alloc(64);
  Buffer.from("\x7fELF\x02\x01", "latin1").copy(header);
  const contents = sections.map(({ content }) => Buffer.from(content));
  const table = sections.map(({ type, flags }, index) => {
    const entry = Buffer.alloc(64);
    entry.writeUInt32LE(type, 4);
    entry.writeBigUInt64LE(flags, 8);
    entry.writeBigUInt64LE(BigInt(header.length + Buffer.concat(contents.slice(0, index)).length), 24);
    entry.writeBigUInt64LE(BigInt(contents[index]?.length ?? 0), 32);
    return entry;
  });
  header.writeBigUInt64LE(BigInt(header.length + Buffer.concat(contents).length), 0x28);
  header.writeUInt16LE(64, 0x3a);
  header.writeUInt16LE(sections.length, 0x3c);
  header.writeUInt16LE(sections.length - 1, 0x3e);
  return Buffer.concat([header, ...contents, ...table]);
}

test("of a runtime for Linux only the sections are blanked that are not loaded, and nothing moves", () => {
  const [progbits, symtab, strtab, nobits] = [1, 2, 3, 8];
  const sections = [
    { type: progbits, flags: 6n, content: "code" },
    { type: strtab, flags: 2n, content: "dynamic names" },
    { type: symtab, flags: 0n, content: "symbols" },
    { type: nobits, flags: 0n, content: "" },
    { type: strtab, flags: 0n, content: "names of sections" },
  ];
  const blanked = sections.map((section) => (section.type === symtab ? { ...section, content: "\0".repeat(7) } : section));
  expect(withoutSymbols(elf(sections))).toEqual(elf(blanked));
  expect(() => withoutSymbols(Buffer.from("MZ and more bytes"))).toThrow("the runtime is no ELF file of 64 bits");
});

test("every target's runtime is pinned, of one version with long-term support", () => {
  expect(Object.keys(runtimes.packages)).toEqual([...targets]);
  expect(Number(runtimes.version.split(".")[0]) % 2).toBe(0);
});
