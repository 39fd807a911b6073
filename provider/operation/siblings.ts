import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../model/user-error";
import type { Siblings } from "./object-set";

/**
 * The processes that one engine has started: a plugin for each provider, and the host of dynamic resources. The engine passes nothing
 * between them, so each process publishes in its own file, in a folder of this user, under the engine's port. The others read it as long as
 * the writer runs. The files have hashes, and the servers' addresses.
 */
export class EngineSiblings implements Siblings {
  readonly unavailableReason: string | undefined;
  private readonly folder: string;
  private readonly port: string;
  /** The name of this process's file. */
  private readonly name: string;
  /** The file of this process, open as long as it runs. */
  private own: number | undefined;
  private readonly files = new Map<string, PublishedFile>();
  /** What the others have published, read once for the synchronous code of one decision, which looks up to seven times. */
  private published: PublishedFile["servers"][] | undefined;

  /** @param engineAddress the engine's address, the same for all processes that it starts */
  constructor(engineAddress: string, parent = tmpdir()) {
    this.port = engineAddress.split(":").at(-1) ?? "";
    this.folder = join(parent, `agentpool-acl-${process.getuid?.() ?? "providers"}`);
    this.name = `${this.port}-${randomUUID()}-${process.pid}`;
    this.unavailableReason = this.makeFile();
  }

  publish(text: string, server: string): void {
    if (this.own !== undefined) appendFileSync(this.own, `${hash(text)} ${server}\n`);
    // Read again after this: of two processes that publish and then look, at least one must see the other's object.
    this.published = undefined;
  }

  serversOf(text: string): readonly string[] {
    if (this.unavailableReason) return [];
    this.published ??= this.readOthers();
    if (this.published.length === 0) return [];
    const hashed = hash(text);
    return this.published.flatMap((servers) => servers.get(hashed) ?? []);
  }

  /** @returns why it could not */
  private makeFile(): string | undefined {
    const user = process.getuid?.();
    const advice = "Set TMPDIR to a folder of your own, and run it again.";
    const what = `what the other providers of this update hold can't be read, because ${this.folder}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(this.folder);
      if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) return `${what} is not for this user alone. ${advice}`;
      for (const file of readdirSync(this.folder)) if (this.isLeftOver(file)) rmSync(join(this.folder, file), { force: true });
      this.own = openSync(join(this.folder, this.name), "a", 0o600);
      return undefined;
    } catch (error) {
      return `${what} can't be used: ${error instanceof Error ? error.message : String(error)}. ${advice}`;
    }
  }

  /** Engines kill their providers, so files outlive their writers. This process may have the number of such a writer. */
  private isLeftOver(file: string): boolean {
    if (!file.endsWith(`-${process.pid}`)) return !isAlive(file);
    const startedAt = Date.now() - process.uptime() * 1000;
    return (statSync(join(this.folder, file), { throwIfNoEntry: false })?.mtimeMs ?? startedAt) < startedAt;
  }

  /** @throws UserError when the folder was removed: nobody knows what the others hold, so nothing may be deleted or adopted */
  private readOthers(): PublishedFile["servers"][] {
    if (!existsSync(join(this.folder, this.name))) {
      throw new UserError(
        "siblings-lost",
        `${this.folder}, through which the providers of one update publish what they hold, was cleared. Run the update again, with TMPDIR as a folder that stays.`,
      );
    }
    const files = readdirSync(this.folder).filter((file) => file.startsWith(`${this.port}-`) && file !== this.name && isAlive(file));
    queueMicrotask(() => {
      this.published = undefined;
    });
    return files.map((file) => this.read(file));
  }

  /** Read once, and again when it has grown. */
  private read(file: string): PublishedFile["servers"] {
    const path = join(this.folder, file);
    const known = this.files.get(file);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    // Undefined: its writer has just ended, and the file was removed.
    if (size === undefined || size === known?.size) return known?.servers ?? new Map();
    const servers = new Map<string, string[]>();
    for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) {
      const end = line.indexOf(" ");
      const text = line.slice(0, end);
      servers.set(text, [...(servers.get(text) ?? []), line.slice(end + 1)]);
    }
    this.files.set(file, { size, servers });
    return servers;
  }
}

interface PublishedFile {
  readonly size: number;
  readonly servers: ReadonlyMap<string, readonly string[]>;
}

/** Whether the writer of a file runs. */
function isAlive(file: string): boolean {
  try {
    process.kill(Number(file.split("-").at(-1)), 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
