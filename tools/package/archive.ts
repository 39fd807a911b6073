import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Header } from "tar";

/** A file of an archive. */
export interface Entry {
  readonly path: string;
  readonly content: Buffer;
  readonly isExecutable?: boolean;
}

const blockBytes = 512;

/** A .tar.gz of the files, in this order, without times and owners, so the same files give the same bytes. */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const blocks = entries.flatMap(({ path, content, isExecutable }) => {
    const header = Buffer.alloc(blockBytes);
    new Header({ path, size: content.length, mode: isExecutable ? 0o755 : 0o644, type: "File", uid: 0, gid: 0, mtime: new Date(0) }).encode(
      header,
    );
    return [header, content, Buffer.alloc(-content.length & (blockBytes - 1))];
  });
  const compressed = await promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
  // The operating system in the gzip header: 255 for unknown.
  compressed[9] = 255;
  return compressed;
}
