import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../model/user-error";
import type { Siblings } from "./object-set";

/** How often a process checks that its file is still there, and writes it again if not. */
const lookMs = 500;
/** How long a process whose file was removed waits until the others have written theirs again, too. */
const rewrittenMs = 3 * lookMs;

/**
 * The processes that one engine has started: a plugin for each provider, and the host of dynamic resources. The engine passes nothing
 * between them, so each process publishes in its own file, in a folder of this user, under the engine's port. The others read it as long as
 * the writer runs. The files have hashes, and the servers' addresses.
 *
 * The folder may be cleaned up while the operation runs. Every process then writes its file again, and one that notices while it reads or publishes waits until
 * the others have done so, too.
 */
export class EngineSiblings implements Siblings {
  readonly unavailableReason: string | undefined;
  private readonly folder: string;
  private readonly port: string;
  /** The name of this process's file. */
  private readonly name: string;
  private readonly files = new Map<string, PublishedFile>();
  /** What the others have published, read once for the synchronous code of one decision, which looks up to seven times. */
  private published: PublishedFile["servers"][] | undefined;
  /** What this process has published: the lines of its file. */
  private readonly lines: string[] = [];
  /** The file of this process, open as long as it runs. */
  private own: { readonly file: number; readonly ino: number } | undefined;
  private readonly timer: NodeJS.Timeout | undefined;

  /** @param engineAddress the engine's address, the same for all processes that it starts */
  constructor(engineAddress: string, parent = tmpdir()) {
    this.port = engineAddress.split(":").at(-1) ?? "";
    this.folder = join(parent, `agentpool-acl-${process.getuid?.() ?? "providers"}`);
    this.name = `${this.port}-${randomUUID()}-${process.pid}`;
    this.unavailableReason = this.writeFile();
    if (this.unavailableReason) return;
    // Also while this process is idle. The timer alone does not keep it alive.
    this.timer = setInterval(() => this.isWhole() || this.writeFile(), lookMs).unref();
  }

  publish(text: string, server: string): void {
    if (this.unavailableReason) return;
    const line = `${hash(text)} ${server}\n`;
    this.lines.push(line);
    // Read again after this: of two processes that publish and then look, at least one must see the other's object.
    this.published = undefined;
    if (this.own && this.isWhole()) appendFileSync(this.own.file, line);
    else this.restore();
  }

  serversOf(text: string): readonly string[] {
    if (this.unavailableReason) return [];
    this.published ??= this.readOthers();
    if (this.published.length === 0) return [];
    const wanted = hash(text);
    return this.published.flatMap((servers) => servers.get(wanted) ?? []);
  }

  /** Removes the file, in a process that keeps running, because another engine may get the port later. */
  close(): void {
    clearInterval(this.timer);
    if (!this.own) return;
    if (this.isWhole()) rmSync(join(this.folder, this.name), { force: true });
    closeSync(this.own.file);
    this.own = undefined;
  }

  /** Whether the path still has the file that this process writes. */
  private isWhole(): boolean {
    try {
      return lstatSync(join(this.folder, this.name)).ino === this.own?.ino;
    } catch {
      return false;
    }
  }

  /** Writes the file with everything that this process has published. @returns why it could not */
  private writeFile(): string | undefined {
    const user = process.getuid?.();
    const advice = "Set TMPDIR to a folder of your own, and run it again.";
    const what = `what the other providers of this update hold can't be read, because ${this.folder}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(this.folder);
      if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) return `${what} is not for this user alone. ${advice}`;
      for (const file of readdirSync(this.folder)) if (this.isLeftOver(file)) rmSync(join(this.folder, file), { force: true });
      if (this.own) closeSync(this.own.file);
      const file = openSync(join(this.folder, this.name), "a", 0o600);
      this.own = { file, ino: fstatSync(file).ino };
      appendFileSync(file, this.lines.join(""));
      return undefined;
    } catch (error) {
      return `${what} can't be used: ${error instanceof Error ? error.message : String(error)}. ${advice}`;
    }
  }

  /** A file may outlive its writer, because engines kill their providers; and this process may have the writer's number. */
  private isLeftOver(file: string): boolean {
    if (writer(file) !== process.pid) return !isAlive(file);
    const startedAt = Date.now() - process.uptime() * 1000;
    return (lstatSync(join(this.folder, file), { throwIfNoEntry: false })?.mtimeMs ?? startedAt) < startedAt;
  }

  /**
   * The folder, or this process's file, was removed. The other processes' files may be missing too, until they have written them again.
   *
   * @throws UserError when the file can't be written again: then it is not known what others hold, and nothing may be deleted or adopted
   */
  private restore(): void {
    const reason = this.writeFile();
    if (reason)
      throw new UserError(
        "siblings-lost",
        `The folder through which the providers of one update publish what they hold was removed: ${reason}`,
      );
    // The others must do the same before anything is decided. The callers are synchronous, so that this blocks the process, once.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, rewrittenMs);
  }

  private readOthers(): PublishedFile["servers"][] {
    if (!this.isWhole()) this.restore();
    const files = readdirSync(this.folder).filter((file) => file.startsWith(`${this.port}-`) && file !== this.name && isAlive(file));
    queueMicrotask(() => {
      this.published = undefined;
    });
    return files.map((file) => this.read(file));
  }

  /** Read once, and again when it has changed. */
  private read(file: string): PublishedFile["servers"] {
    const path = join(this.folder, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const known = this.files.get(file);
    // Its writer has just ended, and the file was removed.
    if (!stats) return known?.servers ?? new Map();
    if (known?.size === stats.size && known.ino === stats.ino) return known.servers;
    const servers = new Map<string, string[]>();
    for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) {
      const end = line.indexOf(" ");
      const text = line.slice(0, end);
      servers.set(text, [...(servers.get(text) ?? []), line.slice(end + 1)]);
    }
    this.files.set(file, { size: stats.size, ino: stats.ino, servers });
    return servers;
  }
}

interface PublishedFile {
  readonly size: number;
  readonly ino: number;
  readonly servers: ReadonlyMap<string, readonly string[]>;
}

function writer(file: string): number {
  return Number(file.split("-").at(-1));
}

function isAlive(file: string): boolean {
  try {
    process.kill(writer(file), 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
