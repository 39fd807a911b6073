/** The dynamic adapter in the SDK's own host process. The host evaluates the text in a state, and the text loads the built package. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import * as z from "zod";
import type { PropertyMap } from "../../testing/rehearsal/engine/values";
import { fromStruct, grpc, toStruct } from "../../testing/rehearsal/processes/grpc";
import { Simulator } from "../../testing/simulator";
import { providerText } from "./dynamic";

const __provider = providerText("AclRole");

const serviceError = z.object({ message: z.string(), details: z.string(), metadata: z.instanceof(grpc.Metadata) });
type ServiceError = z.infer<typeof serviceError>;

/** A running host, as the engine sees it. */
class Host {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
    private readonly errors: Interface,
    /** The lines that the host prints. */
    readonly printed: string[],
  ) {}

  static async start(): Promise<Host> {
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
    const child = spawn(process.execPath, [script, "127.0.0.1:1"], {
      cwd: join(__dirname, "../.."),
      env: { PATH: process.env.PATH, PULUMI_NODEJS_PROJECT: "test", PULUMI_PROJECT: "test", PULUMI_CONFIG: "{}" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed: string[] = [];
    const errors = createInterface({ input: child.stderr }).on("line", (line) => printed.push(line));
    const output = createInterface({ input: child.stdout });
    const [port] = await Promise.race([
      once(output, "line"),
      once(child, "exit").then(() => Promise.reject(new Error(printed.join("\n")))),
    ]);
    output.on("line", (line) => printed.push(line));
    return new Host(child, new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure()), errors, printed);
  }

  call<Response>(
    method: (client: ResourceProviderClient, done: (error: unknown, response: Response) => void) => unknown,
  ): Promise<Response> {
    return new Promise((resolve, reject) => method(this.client, (error, response) => (error ? reject(error) : resolve(response))));
  }

  /** Waits for a line that the host prints. */
  async prints(text: string): Promise<void> {
    while (!this.printed.some((line) => line.includes(text))) await once(this.errors, "line");
  }

  async stop(): Promise<void> {
    this.client.close();
    this.child.kill();
    await once(this.child, "exit");
  }
}

let simulator: Simulator;
let host: Host;

beforeAll(async () => {
  simulator = await Simulator.start();
  for (const policy of ["read", "write"]) simulator.cluster.policies.put(policy);
  host = await Host.start();
  // The configuration as the engine passes it: each value under its full key, with marks for secrets.
  const secret = (value: string) => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value });
  const args = {
    "agentpool-acl:clusterAddress": simulator.clusterAddress,
    "agentpool-acl:clusterToken": secret(simulator.clusterToken),
    "other:key": "x",
  };
  const request = new messages.ConfigureRequest().setArgs(toStruct(args)).setAcceptsecrets(true);
  const response = await host.call<messages.ConfigureResponse>((client, done) => client.configure(request, done));
  expect(response.getAcceptsecrets()).toBe(false);
});

afterAll(async () => {
  await host.stop();
  await simulator.stop();
});

beforeEach(() => {
  simulator.journal.clear();
  host.printed.length = 0;
});

async function check(news: PropertyMap, olds: PropertyMap = {}) {
  const request = new messages.CheckRequest().setOlds(toStruct(olds)).setNews(toStruct({ ...news, __provider }));
  const response = await host.call<messages.CheckResponse>((client, done) => client.check(request, done));
  return { inputs: fromStruct(response.getInputs()), failures: response.getFailuresList().map((failure) => failure.toObject()) };
}

async function diff(id: string, olds: PropertyMap, news: PropertyMap) {
  const request = new messages.DiffRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
  const response = await host.call<messages.DiffResponse>((client, done) => client.diff(request, done));
  const changes = response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
  return { changes, replaces: response.getReplacesList(), deleteBeforeReplace: response.getDeletebeforereplace() };
}

async function create(inputs: PropertyMap) {
  const request = new messages.CreateRequest().setProperties(toStruct(inputs));
  const response = await host.call<messages.CreateResponse>((client, done) => client.create(request, done));
  return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
}

async function read(id: string, state: PropertyMap) {
  const request = new messages.ReadRequest().setId(id).setProperties(toStruct(state));
  const response = await host.call<messages.ReadResponse>((client, done) => client.read(request, done));
  return { id: response.getId(), outputs: fromStruct(response.getProperties()), inputs: fromStruct(response.getInputs()) };
}

async function update(id: string, olds: PropertyMap, news: PropertyMap) {
  const request = new messages.UpdateRequest().setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
  return fromStruct((await host.call<messages.UpdateResponse>((client, done) => client.update(request, done))).getProperties());
}

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  return serviceError.parse(
    await work.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

test("the first calls are all configured, although they arrive at once", async () => {
  const checks = Array.from({ length: 8 }, (_, index) => check({ name: `role-${index}`, policies: ["read"] }));
  expect((await Promise.all(checks)).flatMap(({ failures }) => failures)).toEqual([]);
});

test("a role is made, compared, read, updated and read again, and its state keeps the provider's text", async () => {
  const { inputs } = await check({ name: "dev", policies: ["write", "read", "write"] });
  const made = await create(inputs);
  expect(simulator.cluster.roles.get(made.id)).toMatchObject({ Name: "dev", Description: "" });
  expect(made.outputs).toMatchObject({ ...inputs, server: simulator.clusterAddress });

  // An update compares each object once, so this diff has another ID.
  const { inputs: respelled } = await check({ name: "dev", policies: ["read", "write"] }, inputs);
  expect(await diff("another", made.outputs, respelled)).toMatchObject({ changes: false });
  expect(await read(made.id, made.outputs)).toEqual({ id: made.id, outputs: made.outputs, inputs });

  const { inputs: news } = await check({ name: "ops", policies: ["read"], description: "x" }, inputs);
  expect(await diff(made.id, made.outputs, news)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  const updated = await update(made.id, made.outputs, news);
  expect(updated).toMatchObject(news);
  expect(simulator.cluster.roles.get(made.id)).toMatchObject({ Name: "ops", Description: "x", Policies: [{ Name: "read" }] });

  simulator.cluster.roles.put({ ID: made.id, Description: "drifted" });
  expect(await read(made.id, updated)).toMatchObject({ id: made.id, inputs: { ...news, description: "drifted" }, outputs: { __provider } });
});

test("the error of an incomplete object has its ID and its properties, including the provider's text", async () => {
  const { inputs } = await check({ name: "odd", policies: ["read"], description: "asked" });
  const response = {
    ID: "6e4dfb0c-0000-4000-8000-000000000001",
    Name: "odd",
    Description: "kept",
    Policies: [{ Name: "read" }],
    CreateIndex: 5,
    ModifyIndex: 5,
  };
  simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: { kind: "malformed", body: JSON.stringify(response) } });
  const error = await failureOf(create(inputs));
  expect(error.details).toContain("returned other values than were sent for description");
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const [detail] = Status.deserializeBinary(Buffer.from(bytes ?? "")).getDetailsList();
  const failed = detail?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  expect(failed?.getId()).toBe(response.ID);
  expect(failed?.getReasonsList()).toEqual([error.details]);
  expect(fromStruct(failed?.getProperties())).toMatchObject({ name: "odd", description: "kept", policies: ["read"], __provider });
});

test("an error for the user is reported once, and without a stack", async () => {
  const role = simulator.cluster.roles.put({ Name: "taken", Policies: [{ Name: "read" }] });
  const { inputs } = await check({ name: "taken", policies: ["read"] });
  const error = await failureOf(create(inputs));
  expect(error.details).toContain(`An ACL role named "taken" exists already: ${role.ID}. It was not touched.`);
  expect(error.details).not.toMatch(/\n\s+at /);

  simulator.faults.add({ method: "GET", fault: { kind: "status", status: 403, body: "Permission denied" } });
  const denied = await failureOf(read(role.ID, { name: "taken", __provider }));
  expect(denied.details).toContain("403 Permission denied");
  // The host prints and returns the error of a read, so that error must be the message only. The host does not print the error of a create.
  await host.prints("Permission denied");
  expect(host.printed).toEqual([`agentpool-acl: ${denied.details}`]);
});

test("a warning is printed once, where the engine shows it", async () => {
  const rule = { authMethod: "sso", selector: "", bindType: "management" };
  const news = toStruct({ ...rule, __provider: providerText("AclBindingRule") });
  // The engine checks a replacement twice.
  for (const olds of [rule, {}]) {
    const request = new messages.CheckRequest().setOlds(toStruct(olds)).setNews(news);
    await host.call<messages.CheckResponse>((client, done) => client.check(request, done));
  }
  await host.prints("gets management");
  expect(host.printed).toEqual([
    expect.stringMatching(/^warning: ACL binding rule .* everyone who logs in with "sso" gets management\..*$/),
  ]);
});

test("neither the host's output nor an error has the token", async () => {
  simulator.faults.add({ method: "GET", path: /\/role\//, fault: { kind: "status", status: 403, body: `no ${simulator.clusterToken}` } });
  const error = await failureOf(read("6e4dfb0c-0000-4000-8000-000000000001", { __provider }));
  await host.prints("403");
  expect(`${error.message}${error.details}${host.printed.join()}`).not.toContain(simulator.clusterToken);
});
