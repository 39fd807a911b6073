/** A browser for tests: headless Chromium, driven by its DevTools protocol. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import * as z from "zod";
import { findExecutable, foldersOf } from "../../testing/rehearsal/processes/executable";

const executable = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => findExecutable(name, foldersOf(process.env.PATH)))
  .find((path) => path !== undefined);

/** The reason why no test runs in a browser; undefined if tests do. */
export const whyWithoutChromium = executable === undefined ? "there is no chromium on PATH" : undefined;

const settings = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--window-size=1440,900"],
];

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Message = z.output<typeof message>;
type Listener = (event: Message) => void;

/** The keys that tests press, with the codes by which a browser knows them. */
const keys = { Tab: 9, Enter: 13, " ": 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, a: 65, Backspace: 8 } as const;

export class Chromium {
  private readonly waiting = new Map<number, { resolve: (response: Message) => void; reject: (reason: Error) => void }>();
  private readonly listeners = new Set<Listener>();
  private last = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly input: Writable,
    output: Readable,
  ) {
    let rest = "";
    output.setEncoding("utf8").on("data", (data: string) => {
      const parts = (rest + data).split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) this.take(message.parse(JSON.parse(part)));
    });
    child.once("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the browser has ended"));
    });
  }

  static start(): Chromium {
    const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-chromium-"));
    // Requests and responses go through the fourth and the fifth stream.
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"] as const;
    const child = spawn(executable ?? "chromium", [...settings, `--user-data-dir=${folder}`], { stdio: [...stdio] });
    const [input, output] = [child.stdio[3], child.stdio[4]];
    if (!(input instanceof Writable) || !(output instanceof Readable)) throw new Error("chromium has no pipes");
    return new Chromium(child, folder, input, output);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("close", resolve));
    await this.call("Browser.close", {});
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(url: string): Promise<BrowserPage> {
    const { targetId } = z.object({ targetId: z.string() }).parse(await this.call("Target.createTarget", { url: "about:blank" }));
    const attached = await this.call("Target.attachToTarget", { targetId, flatten: true });
    const { sessionId } = z.object({ sessionId: z.string() }).parse(attached);
    const page = new BrowserPage((method, params) => this.call(method, params, sessionId));
    this.listeners.add((event) => event.sessionId === sessionId && page.hear(event));
    await page.load(url);
    return page;
  }

  private async call(method: string, params: object, sessionId?: string): Promise<unknown> {
    this.last++;
    const id = this.last;
    const response = new Promise<Message>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { error, result } = await response;
    this.waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  private take(received: Message): void {
    const { id } = received;
    if (id === undefined) for (const listener of this.listeners) listener(received);
    else this.waiting.get(id)?.resolve(received);
  }
}

type Call = (method: string, params: object) => Promise<unknown>;

export class BrowserPage {
  /** The page's exceptions, everything that it prints to the console, and the browser's log about it. */
  readonly problems: string[] = [];
  /** The page's requests, without the request for the page itself. */
  readonly requests: string[] = [];
  private loaded: () => void = () => undefined;

  constructor(private readonly call: Call) {}

  async load(url: string): Promise<void> {
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.call(`${domain}.enable`, {});
    await this.call("Performance.enable", { timeDomain: "threadTicks" });
    const loaded = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await this.call("Page.navigate", { url });
    await loaded;
    this.requests.splice(0, this.requests.length, ...this.requests.filter((asked) => asked !== url));
  }

  hear({ method, params }: Message): void {
    if (method === "Page.loadEventFired") this.loaded();
    if (method === "Network.requestWillBeSent") this.requests.push(requested.parse(params).request.url);
    if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded") this.problems.push(JSON.stringify(params));
    if (method === "Runtime.consoleAPICalled") this.problems.push(JSON.stringify(params));
  }

  /** The value of an expression, once it is settled. */
  async evaluate<T>(form: z.ZodType<T>, expression: string): Promise<T> {
    const response = await this.call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const { result, exceptionDetails } = evaluated.parse(response);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return form.parse(result.value);
  }

  /** Types a text into the focused element. */
  async type(text: string): Promise<void> {
    await this.call("Input.insertText", { text });
  }

  async press(key: keyof typeof keys, ...modifiers: readonly ("Shift" | "Control")[]): Promise<void> {
    const flags = (modifiers.includes("Control") ? 2 : 0) + (modifiers.includes("Shift") ? 8 : 0);
    const isText = key === " " || key === "Enter";
    const facts = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: keys[key], modifiers: flags };
    const text = isText && flags === 0 ? { text: key === " " ? " " : "\r" } : {};
    const commands = key === "a" && flags === 2 ? { commands: ["selectAll"] } : {};
    await this.call("Input.dispatchKeyEvent", { type: isText ? "keyDown" : "rawKeyDown", ...facts, ...text, ...commands });
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...facts });
  }

  async prefer(scheme: "light" | "dark"): Promise<void> {
    await this.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  }

  /** The processor time that the page's tasks have taken so far, without the time in which they waited. */
  async processorSeconds(): Promise<number> {
    const { metrics } = measured.parse(await this.call("Performance.getMetrics", {}));
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  }

  /** A picture of the page, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = z.object({ data: z.string() }).parse(await this.call("Page.captureScreenshot", { format: "png" }));
    return Buffer.from(data, "base64");
  }
}

const measured = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });
const requested = z.object({ request: z.object({ url: z.string() }) });
const evaluated = z.object({ result: z.object({ value: z.unknown().optional() }), exceptionDetails: z.unknown().optional() });
