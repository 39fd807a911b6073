import { once } from "node:events";
import { WebSocket } from "undici";
import * as z from "zod";
import { table } from "../markdown";
import { createAll, type Entry, entriesOf, firstResponse, refreshAll } from "./alone";
import { type Launcher, withLauncher } from "./launcher";
import { subjects, titleOf } from "./subjects";

/** V8's profile: the functions, and which of them ran at each sample, with the microseconds since the sample before. */
const profileForm = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string(), url: z.string() }) })),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof profileForm>;

/** Where the time of one object goes: milliseconds by the part of the code. */
export type Shares = ReadonlyMap<string, number>;

/** Profiles this provider's plugin and the no-op's while they create and refresh a stack without an engine. @returns tables, in ms per object */
export async function profileTables(size: number, signal: AbortSignal): Promise<string> {
  const created: (readonly [string, Shares])[] = [];
  const refreshed: (readonly [string, Shares])[] = [];
  for (const subject of subjects.filter(({ provider, adapter }) => adapter === "plugin" && provider !== "naive")) {
    signal.throwIfAborted();
    await withLauncher(subject, size, async (launcher) => {
      const entries = entriesOf(subject, size);
      created.push([titleOf(subject), await profileOf(launcher, entries, createAll)]);
      refreshed.push([titleOf(subject), await profileOf(launcher, entries, refreshAll)]);
    });
  }
  return [sharesTable("created", created), "", sharesTable("refreshed", refreshed)].join("\n");
}

type Work = (host: ReturnType<Launcher["start"]>, entries: readonly Entry[]) => Promise<void>;

/** Profiles an operation in a process of its own. The start does not count. */
async function profileOf(launcher: Launcher, entries: readonly Entry[], work: Work): Promise<Shares> {
  const { subject } = launcher;
  const inspectors: Promise<Inspector>[] = [];
  const host = launcher.start("--inspect=127.0.0.1:0", (line) => {
    const [address] = /\bws:\S+/.exec(line) ?? [];
    if (address) inspectors.push(Inspector.at(address));
  });
  try {
    // The address of the inspector has been printed before the port.
    await firstResponse(host, subject);
    const inspector = await inspectors[0];
    if (!inspector) throw new Error(`the process of ${titleOf(subject)} has printed no address of its inspector`);
    await inspector.send("Profiler.enable");
    await inspector.send("Profiler.start");
    await work(host, entries);
    const { profile } = z.object({ profile: profileForm }).parse(await inspector.send("Profiler.stop"));
    inspector.close();
    return sharesOf(profile, entries.length);
  } finally {
    await host.stop();
  }
}

/** The debugger's connection to a process of Node. */
class Inspector {
  private constructor(private readonly socket: WebSocket) {}

  static async at(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** One at a time: the next message is the response. */
  async send(method: string): Promise<unknown> {
    this.socket.send(JSON.stringify({ id: 1, method }));
    const [message] = await once(this.socket, "message");
    const { data } = z.object({ data: z.string() }).parse(message);
    return z.object({ result: z.unknown() }).parse(JSON.parse(data)).result;
  }

  close(): void {
    this.socket.close();
  }
}

/** The parts of a profile of so many objects. Time without work is left out. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, objects: number): Shares {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const shares = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id);
    if (part !== undefined) shares.set(part, (shares.get(part) ?? 0) + (timeDeltas[index] ?? 0) / 1000 / objects);
  }
  return shares;
}

/** The package, the part of this package, or the module of Node that a function belongs to. Undefined for idle time. */
function partOf({ functionName, url }: CpuProfile["nodes"][number]["callFrame"]): string | undefined {
  if (functionName === "(idle)") return undefined;
  if (functionName === "(garbage collector)") return "garbage collection";
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  const [, own] = /\/dist\/((?:provider|tools)\/(?:apis\/)?[^/]+)\//.exec(url) ?? [];
  if (dependency ?? own) return dependency ?? own;
  const [, node] = /^node:(?:internal\/)?([^/]+)/.exec(url) ?? [];
  return node === undefined ? "V8, and Node's native code" : `Node's ${node}`;
}

/** The largest parts of the first first. @param done what was done with the objects */
export function sharesTable(done: string, profiled: readonly (readonly [title: string, Shares])[]): string {
  const [[, first] = ["", new Map<string, number>()]] = profiled;
  const parts = [...new Set(profiled.flatMap(([, shares]) => [...shares.keys()]))];
  parts.sort((one, other) => (first.get(other) ?? 0) - (first.get(one) ?? 0));
  const sum = (shares: Shares, of: readonly string[]) => of.reduce((total, part) => total + (shares.get(part) ?? 0), 0).toFixed(2);
  const isSmall = (part: string) => profiled.every(([, shares]) => (shares.get(part) ?? 0) < 0.03);
  const rows: [string, string[]][] = [
    ...parts.filter((part) => !isSmall(part)).map((part): [string, string[]] => [part, [part]]),
    ["all others", parts.filter(isSmall)],
    ["together", parts],
  ];
  return table(
    [`ms of processor time per object ${done}`, ...profiled.map(([title]) => title)],
    rows.map(([title, of]) => [title, ...profiled.map(([, shares]) => sum(shares, of))]),
  );
}
