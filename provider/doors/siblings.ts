import { createHash } from "node:crypto";
import { appendFileSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Siblings } from "../memory";

/**
 * The processes that one engine has started: a plugin for each provider, and the host of dynamic resources. The engine passes nothing between them, so
 * each writes what it knows to a file of its own, in a folder of this user's, under the engine's port; the others read it as long as the writer lives.
 * What is written are hashes.
 */
export class EngineSiblings implements Siblings {
  readonly trouble: string | undefined;
  private readonly folder: string;
  private readonly port: string;
  private readonly heard = new Map<string, Heard>();
  /** The file of this process, open as long as it lives. */
  private own: number | undefined;

  /** @param engineAddress the engine's own address, the same for all processes that it starts */
  constructor(engineAddress: string, parent = tmpdir()) {
    const user = process.getuid?.();
    this.port = engineAddress.split(":").at(-1) ?? "";
    this.folder = join(parent, `agentpool-acl-${user ?? "providers"}`);
    this.trouble = this.open(user);
  }

  tell(text: string): void {
    if (this.trouble) return;
    this.own ??= openSync(this.fileOf(process.pid), "a", 0o600);
    appendFileSync(this.own, `${hash(text)}\n`);
  }

  haveTold(text: string): boolean {
    if (this.trouble) return false;
    const wanted = hash(text);
    return this.others().some((file) => this.read(file).has(wanted));
  }

  /** @returns what is wrong with the folder */
  private open(user: number | undefined): string | undefined {
    const advice = "Set TMPDIR to a folder of your own, and run it again.";
    const what = `what the other providers of this update hold can't be told, because ${this.folder}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(this.folder);
      if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) return `${what} is not for this user alone. ${advice}`;
      for (const file of readdirSync(this.folder))
        if (!isAlive(file) || writer(file) === process.pid) rmSync(join(this.folder, file), { force: true });
      return undefined;
    } catch (error) {
      return `${what} can't be used: ${error instanceof Error ? error.message : String(error)}. ${advice}`;
    }
  }

  private others(): string[] {
    return readdirSync(this.folder).filter((file) => file.startsWith(`${this.port}-`) && writer(file) !== process.pid && isAlive(file));
  }

  /** Read once, and again when it has grown. */
  private read(file: string): ReadonlySet<string> {
    const path = join(this.folder, file);
    const size = lstatSync(path, { throwIfNoEntry: false })?.size;
    const known = this.heard.get(file);
    // Its writer has ended just now, and someone has tidied up.
    if (size === undefined) return known?.texts ?? new Set();
    if (known?.size === size) return known.texts;
    const texts = new Set(readFileSync(path, "utf8").split("\n"));
    this.heard.set(file, { size, texts });
    return texts;
  }

  private fileOf(pid: number): string {
    return join(this.folder, `${this.port}-${pid}`);
  }
}

interface Heard {
  readonly size: number;
  readonly texts: ReadonlySet<string>;
}

function writer(file: string): number {
  return Number(file.split("-").at(-1));
}

/** A file outlives the process that wrote it, because engines kill their providers. */
function isAlive(file: string): boolean {
  try {
    process.kill(writer(file), 0);
    return true;
  } catch (error) {
    // Only its owner may ask, which says that there is one.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
