import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import type { ProviderHost, ResourceRequest } from "../../testing/rehearsal/engine/provider";
import { type PropertyMap, secret } from "../../testing/rehearsal/engine/values";
import type { OperationName, Sample } from "./figures";
import { type Launcher, withLauncher } from "./launcher";
import { ProcessWatch } from "./process-watch";
import { providerTextOf, type Subject, typeOf } from "./subjects";
import { clientSecret, declareStack, type Kind, type Properties } from "./workload";

/** An object of the workload, and the provider's last result for it. */
export interface Entry {
  readonly request: ResourceRequest;
  readonly kind: Kind;
  readonly news: PropertyMap;
  readonly revised: PropertyMap;
  id: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
}

type Report = (sample: Sample) => void;

/** Calls a provider's process without an engine: the engine's calls in its order, with its parallelism, without a state. */
export function driveAlone(subject: Subject, size: number, report: Report, signal: AbortSignal): Promise<void> {
  return withLauncher(subject, size, (launcher) => new Drive(launcher, size, report, signal).run());
}

class Drive {
  private readonly entries: readonly Entry[];

  constructor(
    private readonly launcher: Launcher,
    private readonly size: number,
    private readonly report: Report,
    private readonly signal: AbortSignal,
  ) {
    this.entries = entriesOf(launcher.subject, size);
  }

  async run(): Promise<void> {
    const { entries } = this;
    await this.phase("up", (host) => createAll(host, entries));
    await this.phase("second up", (host) => each(entries, (entry) => compare(host, entry, entry.news)));
    await this.phase("refresh", (host) => refreshAll(host, entries));
    await this.phase("update of 10 %", (host) => each(entries, (entry) => update(host, entry)));
    await this.phase("destroy", async (host) => {
      const remove = ({ request, id, outputs, inputs }: Entry) => host.delete({ ...request, id, outputs, oldInputs: inputs });
      for (const wave of waves(entries).toReversed()) await each(wave, remove);
    });
  }

  /** One operation in its own process. Its time begins when the process is configured and has responded once. */
  private async phase(operation: OperationName, work: (host: ProviderHost) => Promise<void>): Promise<void> {
    const { launcher, size, report } = this;
    const { subject, simulator } = launcher;
    this.signal.throwIfAborted();
    const watch = new ProcessWatch(subject.adapter);
    const host = launcher.start();
    try {
      await firstResponse(host, subject);
      const before = watch.soFar();
      simulator.journal.clear();
      const startedAt = performance.now();
      await work(host);
      const wallMs = performance.now() - startedAt;
      const after = watch.soFar();
      const usage = before && after && { cpuMs: after.cpuMs - before.cpuMs, peakMiB: after.peakMiB };
      report({ ...subject, engine: "none", size, latencyMs: 0, operation, wallMs, usage, requests: simulator.journal.entries.length });
    } finally {
      watch.stop();
      await host.stop();
    }
  }
}

/** Binding rules need their auth methods. */
function waves(entries: readonly Entry[]): Entry[][] {
  const isRule = ({ kind }: Entry) => kind === "AclBindingRule";
  return [entries.filter((entry) => !isRule(entry)), entries.filter(isRule)];
}

export async function createAll(host: ProviderHost, entries: readonly Entry[]): Promise<void> {
  for (const wave of waves(entries)) await each(wave, (entry) => create(host, entry));
}

export function refreshAll(host: ProviderHost, entries: readonly Entry[]): Promise<void> {
  return each(entries, (entry) => refresh(host, entry));
}

export function entriesOf(subject: Subject, size: number): Entry[] {
  // Dynamic resources get secrets without marks.
  const asSecret = subject.adapter === "plugin" ? secret(clientSecret) : clientSecret;
  const declared = (isRevised: boolean) => {
    const all: { kind: Kind; name: string; inputs: PropertyMap }[] = [];
    declareStack({
      size,
      isRevised,
      clientSecret: asSecret,
      declare: (kind, name, inputs: Properties) => {
        const text = subject.adapter === "dynamic" ? { __provider: providerTextOf(subject, kind) } : {};
        const entry = { kind, name, inputs: { ...JSON.parse(JSON.stringify(inputs)), ...text } };
        all.push(entry);
        return entry;
      },
      nameOf: ({ inputs }) => inputs.name,
    });
    return all;
  };
  const revised = declared(true);
  return declared(false).map(({ kind, name, inputs: news }, index) => {
    const type = typeOf(subject, kind);
    const request = { urn: `urn:pulumi:alone::bench::${type}::${name}`, name, type };
    return { request, kind, news, revised: revised[index]?.inputs ?? news, id: "", inputs: {}, outputs: {} };
  });
}

/** Waits until the process serves its resources. */
export async function firstResponse(host: ProviderHost, subject: Subject): Promise<void> {
  const [first] = entriesOf(subject, 1);
  if (first) await check(host, first, first.news);
}

async function create(host: ProviderHost, entry: Entry): Promise<void> {
  await check(host, entry, entry.news, {});
  const { id, outputs } = await host.create({ ...entry.request, inputs: entry.inputs, preview: false });
  Object.assign(entry, { id, outputs });
}

async function check(host: ProviderHost, entry: Entry, news: PropertyMap, olds = entry.inputs): Promise<void> {
  const { inputs, failures } = await host.check({ ...entry.request, olds, news, randomSeed: new Uint8Array() });
  if (failures.length > 0) throw new Error(`${entry.request.name}: ${failures.map(({ reason }) => reason).join("; ")}`);
  entry.inputs = inputs;
}

/** @returns whether there is a change */
async function compare(host: ProviderHost, entry: Entry, news: PropertyMap): Promise<boolean> {
  const oldInputs = entry.inputs;
  await check(host, entry, news);
  const { request, id, outputs: olds, inputs } = entry;
  return (await host.diff({ ...request, id, olds, oldInputs, news: inputs, ignoreChanges: [] })).changes ?? true;
}

async function refresh(host: ProviderHost, entry: Entry): Promise<void> {
  const { request, id, inputs } = entry;
  const found = await host.read({ ...request, id, inputs, outputs: entry.outputs });
  if (found.id === "") throw new Error(`${request.name} is gone`);
  entry.outputs = found.outputs;
  await host.diff({ ...request, id, olds: found.outputs, oldInputs: found.inputs ?? inputs, news: inputs, ignoreChanges: [] });
}

async function update(host: ProviderHost, entry: Entry): Promise<void> {
  const oldInputs = entry.inputs;
  if (!(await compare(host, entry, entry.revised))) return;
  const { request, id, outputs: olds, inputs: news } = entry;
  entry.outputs = await host.update({ ...request, id, olds, oldInputs, news, ignoreChanges: [], preview: false });
}

/** The engine's default for parallelism. */
async function each(entries: readonly Entry[], work: (entry: Entry) => Promise<unknown>): Promise<void> {
  const left = entries.values();
  const worker = async () => {
    for (const entry of left) await work(entry);
  };
  await Promise.all(Array.from({ length: 4 * availableParallelism() }, worker));
}
