/** The executable, started with the engine's arguments. The last test is about the function that notices the engine's end. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { whenGone } from "../../provider/adapters/plugin/engine";
import { channelOptions, Empty, grpc } from "../../provider/adapters/plugin/grpc";
import { toStruct, unary } from "../../testing/rehearsal/processes/grpc";
import { listening } from "../support/plugin";

const executable = join(__dirname, "../../bin/pulumi-resource-agentpool-acl");

class Running {
  stdout = "";
  stderr = "";

  private constructor(readonly child: ChildProcessByStdio<null, Readable, Readable>) {
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      this.stdout += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      this.stderr += part;
    });
  }

  /** Resolves once the port is printed. */
  static async start(args: readonly string[] = ["127.0.0.1:1"]): Promise<Running> {
    const running = new Running(spawn(process.execPath, [executable, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
    await once(running.child.stdout, "data");
    return running;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill();
    await ended;
  }
}

const urn = "urn:pulumi:test::trial::agentpool-acl:index:AclBindingRule::everyone";

/** Creates a rule that causes a warning, on a server that does not exist. @returns the error */
async function configureAndCreate(client: ResourceProviderClient): Promise<unknown> {
  const args = toStruct({ clusterAddress: "http://127.0.0.1:1", clusterToken: "t", maxRetries: 0 });
  const configure = new messages.ConfigureRequest().setArgs(args).setName("default");
  await new Promise((resolve, reject) => client.configure(configure, (error, response) => (error ? reject(error) : resolve(response))));
  const check = new messages.CheckRequest().setUrn(urn);
  check.setNews(toStruct({ authMethod: "sso", selector: "", bindType: "management" }));
  await new Promise((resolve, reject) => client.check(check, (error, response) => (error ? reject(error) : resolve(response))));
  const create = new messages.CreateRequest().setUrn(urn).setProperties(check.getNews());
  return new Promise((resolve) => client.create(create, resolve));
}

/** How long Node itself takes to start under the present load: 60 ms on an idle machine with 2 cores. */
function bareStartMs(): number {
  const starts = Array.from({ length: 5 }, () => {
    const before = performance.now();
    execFileSync(process.execPath, ["-e", "0"]);
    return performance.now() - before;
  });
  return Math.min(...starts);
}

test("prints its port within 300 ms, or as much longer as Node itself takes to start", async () => {
  const slowness = Math.max(1, bareStartMs() / 60);
  const times: number[] = [];
  for (let start = 0; start < 5; start++) {
    const before = performance.now();
    const running = await Running.start();
    times.push(performance.now() - before);
    expect(running.stdout).toMatch(/^\d+\n$/);
    await running.stop();
  }
  // The quickest of a few, because other tests may run at the same time.
  expect(Math.min(...times)).toBeLessThan(300 * slowness);
});

test("idles below 90 MiB, and prints nothing but its port, for all calls, also many at once", async () => {
  const running = await Running.start();
  const client = new ResourceProviderClient(`127.0.0.1:${running.stdout.trim()}`, grpc.credentials.createInsecure(), channelOptions);
  try {
    expect(String(await configureAndCreate(client))).toContain("ECONNREFUSED");
    const reads = Array.from({ length: 20 }, (_, index) =>
      new messages.ReadRequest().setUrn(urn).setId(`00000000-0000-4000-8000-0000000000${index + 10}`),
    );
    const errors = await Promise.all(reads.map((read) => new Promise((resolve) => client.read(read, resolve))));
    expect(errors.map(String)).toEqual(errors.map(() => expect.stringContaining("ECONNREFUSED")));
    await sleep(200);
    expect(running.stdout).toMatch(/^\d+\n$/);
    // There is no engine at the address: the warning goes to standard error.
    expect(running.stderr.trim()).toMatch(/^ACL binding rule .* everyone who logs in with "sso" gets management\..*$/);
    const status = `/proc/${running.child.pid}/status`;
    if (!existsSync(status)) return console.log("The memory was not measured, because there is no /proc here.");
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8")) ?? [];
    expect(Number(kilobytes) / 1024).toBeLessThan(90);
  } finally {
    client.close();
    await running.stop();
  }
});

test("accepts the engine's options before the address, as with `pulumi up --logflow -v=9 --tracing`", async () => {
  const engine = new grpc.Server();
  const logged: string[] = [];
  engine.addService(EngineService, {
    log: unary((request: LogRequest) => {
      logged.push(request.getMessage());
      return new Empty();
    }),
  });
  const { server, address } = await listening(engine);
  const running = await Running.start(["--logtostderr", "-v=9", "--tracing", "http://127.0.0.1:1/api", address]);
  const client = new ResourceProviderClient(`127.0.0.1:${running.stdout.trim()}`, grpc.credentials.createInsecure(), channelOptions);
  try {
    await configureAndCreate(client);
    // From -v=9 on, requests are logged, too.
    expect(logged.filter((message) => !message.startsWith("GET "))).toEqual([
      expect.stringMatching(/^ACL binding rule .* everyone who logs in with "sso" gets management\..*$/),
    ]);
    expect(running.stderr).toBe("");
  } finally {
    client.close();
    await running.stop();
    server.forceShutdown();
  }
});

test("ends when its engine has ended, and not before", async () => {
  const { server, address } = await listening(new grpc.Server());
  let gone = 0;
  const noticed = new Promise<void>((resolve) => {
    whenGone(
      address,
      () => {
        gone += 1;
        resolve();
      },
      20,
    );
  });
  await sleep(200);
  expect(gone).toBe(0);
  server.forceShutdown();
  await noticed;
  await sleep(100);
  expect(gone).toBe(1);
});
