import * as z from "zod";
import { unknown } from "../../common/unknown";
import { InitError, UserError } from "../../common/user-error";
import { nowhere, operationWith } from "../../test/support/session";
import { ApiError, type ErrorKind } from "../apis/http/errors";
import { field } from "../model/fields";
import { Ignored } from "../model/ignored";
import { sameInputs } from "../model/inputs";
import type { CallContext } from "../operation/call-context";
import { defineResource } from "./define";
import type { Properties } from "./resource";

const inputs = z.object({
  name: field(z.string(), "", { replaces: true }),
  text: field(z.string().default("x"), ""),
  tags: field(z.array(z.string()).optional(), "", { set: true }),
  unmanaged: field(z.array(z.string()).optional(), "", { emptyMatters: true }),
  own: field(z.boolean().default(false), "", { local: true }),
});
const outputs = z.object({ revision: field(z.number(), "") });

/** A server of one object, and what it was asked to do. */
class FakeServer {
  object: Properties | undefined;
  readonly calls: string[] = [];
  /** What the lifecycle has made of the state. */
  known: Properties | undefined;
  /** What it makes of what it is sent. */
  bend: (sent: Properties) => Properties = (sent) => sent;
  refusal: Error | undefined;
  /** The version of the object. A time is compared with the state's, and an index says nothing in another region. */
  version: { createIndex?: number; modifyTime?: string } = {};

  readonly resource = defineResource({
    kind: "Thing",
    label: "thing",
    api: "cluster",
    description: "A thing.",
    inputs,
    outputs,
    identity: ({ name }) => ({ property: "name", values: { name }, isUnique: false }),
    warnings: (given) => (given.text === "danger" ? ["careful"] : []),
    replaces: (_, news) => (news.text === "rebuild" ? ["text"] : []),
    errorProperties: [
      [/text/i, "text"],
      [/tag/i, "tags"],
    ],
    requests: () => ({
      read: async () => {
        if (!this.object) throw apiError("not-found", "thing not found");
        return this.version;
      },
      delete: async (id) => void this.calls.push(`delete ${id}`),
      list: async () => [],
      recent: async (id) => {
        this.calls.push(`read ${id}`);
        return this.object && this.version;
      },
    }),
    idOf: () => "1",
    nameOf: () => "n",
    labelOf: (id) => `thing ${id}`,
    toWhole: (version) => version,
    toRemote: (_, __, known) => {
      this.known = known;
      return { id: "1", inputs: this.object ?? {}, outputs: { revision: 7 } };
    },
    labelOfExisting: () => "A thing",
    find: async () => [],
    looksFirst: false,
    create: async (_, news) => this.write("create", news),
    overwrite: () => undefined,
    update: async (_, id, { known, sent }) => ({ whole: this.write(`update ${id} from ${known.name}`, sent) }),
  });

  private write(call: string, sent: Properties) {
    this.calls.push(call);
    if (this.refusal) throw this.refusal;
    this.object = this.bend(sent);
    return this.version;
  }
}

function checked(server: FakeServer, context: CallContext, news: Properties): Properties {
  return server.resource.check({ context, olds: {}, resourceName: undefined }, news).inputs;
}

function apiError(kind: ErrorKind, detail: string, pointer?: string): ApiError {
  const call = {
    service: "cluster",
    operation: "create",
    method: "POST",
    path: "/x",
    url: "http://h/x",
    tokenSource: "",
    tries: 1,
  } as const;
  return new ApiError(call, { kind, status: 400, detail: pointer ? `${detail} (${pointer})` : detail });
}

test("outputs echo the inputs to the byte, whatever the server's spelling, and add its own fields", async () => {
  const server = new FakeServer();
  server.bend = (sent) => ({ ...sent, tags: ["a", "b"] });
  const news = { name: "n", text: "x", tags: ["b", "a", "b"], own: false };
  const { id, outputs } = await server.resource.create(operationWith(nowhere).context, news);
  expect(id).toBe("1");
  expect(JSON.stringify(outputs)).toBe(JSON.stringify({ ...news, revision: 7 }));
});

describe("a server that returns other values than were sent", () => {
  test("on create, is an error that names the properties and keeps what is there", async () => {
    const server = new FakeServer();
    server.bend = (sent) => ({ ...sent, text: "server's", tags: undefined });
    const error = await server.resource
      .create(operationWith(nowhere).context, { name: "n", text: "mine", tags: ["a"], own: true })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InitError);
    expect(error).toMatchObject({
      id: "1",
      properties: { name: "n", text: "server's", own: true, revision: 7 },
      message:
        "The server created thing 1, but returned other values than were sent for text and tags. Compare them with what the server supports, then refresh and run the update again.",
    });
    expect(error).not.toHaveProperty("properties.tags");
  });

  test("on update, is the same", async () => {
    const server = new FakeServer();
    server.object = { name: "n", text: "old" };
    server.bend = (sent) => ({ ...sent, text: "old" });
    const update = server.resource.update(operationWith(nowhere).context, "1", {
      olds: { name: "n", text: "old" },
      news: { name: "n", text: "new", own: false },
    });
    await expect(update).rejects.toThrow("The server updated thing 1, but returned other values than were sent for text.");
    await expect(update).rejects.toBeInstanceOf(InitError);
  });

  test("is none where it fills in what the program does not manage", async () => {
    const server = new FakeServer();
    server.bend = ({ unmanaged: _, ...sent }) => ({ ...sent, own: undefined });
    await expect(server.resource.create(operationWith(nowhere).context, { name: "n", text: "x", own: true })).resolves.toMatchObject({
      id: "1",
    });
  });
});

describe("an update", () => {
  const olds = { name: "n", text: "x", tags: ["a"], own: false, revision: 3 };

  test("of the provider's own settings alone writes nothing, and keeps the server's fields", async () => {
    const server = new FakeServer();
    const news = { name: "n", text: "x", tags: ["a", "a"], own: true };
    expect(await server.resource.update(operationWith(nowhere).context, "1", { olds, news })).toEqual({ ...news, revision: 3 });
    expect(server.calls).toEqual([]);
  });

  const updating = async (
    news: Properties,
    { ignored = [], server = new FakeServer() }: { ignored?: string[]; server?: FakeServer } = {},
  ) => {
    server.object ??= { name: "n", text: "theirs", tags: ["theirs"] };
    const outputs = await server.resource.update(operationWith(nowhere).context, "1", { olds, news, ignored: Ignored.of(ignored) });
    return { sent: server.object, outputs };
  };

  test("sends what the program changes, and for the rest what the server has; outputs echo the program", async () => {
    const news = { ...olds, text: "y", own: true };
    const { sent, outputs } = await updating(news);
    expect(sent).toEqual({ name: "n", text: "y", tags: ["theirs"], own: true });
    expect(outputs).toMatchObject({ text: "y", tags: ["a"], own: true });
  });

  test("sends what the server has in place of what is ignored, also where the program says something else than the state", async () => {
    const { sent } = await updating({ ...olds, text: "y", tags: ["b"] }, { ignored: ["tags[0]"] });
    expect(sent).toMatchObject({ text: "y", tags: ["theirs"] });
  });

  test("that changes nothing but what is ignored writes nothing", async () => {
    const server = new FakeServer();
    await updating({ ...olds, text: "y" }, { ignored: ["text"], server });
    expect(server.calls).toEqual([]);
  });
});

describe("what the server refuses", () => {
  test.each(["rejected", "conflict"] as const)("is reported with its property (%s)", async (kind) => {
    const server = new FakeServer();
    server.refusal = apiError(kind, "invalid Text");
    const create = server.resource.create(operationWith(nowhere).context, { name: "n", text: "x", own: false });
    await expect(create).rejects.toThrow(`text: ${server.refusal.message}`);
    await expect(create).rejects.toBeInstanceOf(UserError);
  });

  test("is reported by the pointer into the body, too", async () => {
    const server = new FakeServer();
    server.refusal = apiError("rejected", "is wrong", "/data/attributes/tags");
    await expect(server.resource.create(operationWith(nowhere).context, { name: "n", text: "x", own: false })).rejects.toThrow(/^tags: /);
  });

  test("is not changed where no property matches, like every other error", async () => {
    const server = new FakeServer();
    for (const error of [apiError("rejected", "no"), apiError("unavailable", "text text"), new Error("text")]) {
      server.refusal = error;
      await expect(server.resource.create(operationWith(nowhere).context, { name: "n", text: "x", own: false })).rejects.toBe(error);
    }
  });
});

describe("a read", () => {
  test("without state is an import: what is there by default is left out of the inputs, and stands in the outputs", async () => {
    const server = new FakeServer();
    server.object = { name: "n", tags: ["a"] };
    const read = await server.resource.read(operationWith(nowhere).context, "1", undefined);
    expect(read).toEqual({
      id: "1",
      inputs: { name: "n", tags: ["a"] },
      outputs: { name: "n", text: "x", tags: ["a"], revision: 7 },
    });
    expect(server.calls).toEqual(["read 1"]);
    expect(server.known).toBeUndefined();
  });

  test("keeps the state's spelling and the provider's own settings", async () => {
    const server = new FakeServer();
    server.object = { name: "n", text: "x", tags: ["a", "b"] };
    const known = { name: "n", text: "x", tags: ["b", "a", "b"], own: true, revision: 3 };
    const read = await server.resource.read(operationWith(nowhere).context, "1", known);
    expect(JSON.stringify(read?.inputs)).toBe(JSON.stringify({ name: "n", text: "x", tags: ["b", "a", "b"], own: true }));
    expect(read?.outputs).toEqual({ ...known, revision: 7 });
  });

  test("of a deleted object has no result", async () => {
    expect(await new FakeServer().resource.read(operationWith(nowhere).context, "1", { name: "n" })).toBeUndefined();
  });

  test("understands a state that another version wrote, as far as it can", async () => {
    const server = new FakeServer();
    server.object = { name: "n" };
    await server.resource.read(operationWith(nowhere).context, "1", {
      name: "n",
      tags: "was a text once",
      revision: "3",
      from: "the future",
    });
    expect(server.known).toEqual({ name: "n", text: "x", own: false });
  });
});

describe("a diff", () => {
  const diff = (olds: Properties, news: Properties) => new FakeServer().resource.diff(operationWith(nowhere).context, "1", { olds, news });
  const olds = { name: "n", text: "x", tags: ["a"], own: false };

  test("marks the changes that force a replacement, by their trait or by the resource's own rule", () => {
    expect(diff(olds, { ...olds, name: "m", tags: ["b"] })).toEqual({
      changes: [
        { path: ["name"], kind: "update", replaces: true },
        { path: ["tags", 0], kind: "delete", replaces: false },
        { path: ["tags", 0], kind: "add", replaces: false },
      ],
      replaces: ["name"],
      deleteBeforeReplace: false,
    });
    expect(diff(olds, { ...olds, text: "rebuild" })).toEqual({
      changes: [{ path: ["text"], kind: "update", replaces: true }],
      replaces: ["text"],
      deleteBeforeReplace: true,
    });
  });

  test("reports inputs that only the provider reads as a change", () => {
    expect(diff(olds, { ...olds, own: true }).changes).toEqual([{ path: ["own"], kind: "update", replaces: false }]);
  });

  test("reports no ignored input, and none of them forces a replacement", () => {
    const ignoring = (news: Properties, ...paths: string[]) =>
      new FakeServer().resource.diff(operationWith(nowhere).context, "1", { olds, news: { ...olds, ...news }, ignored: Ignored.of(paths) });
    expect(ignoring({ name: "m", tags: ["b"] }, "name", "tags")).toMatchObject({ changes: [], replaces: [] });
    expect(ignoring({ text: "rebuild" }, "*")).toMatchObject({ changes: [], replaces: [] });
    expect(ignoring({ name: "m", tags: ["b"] }, "tags")).toMatchObject({ replaces: ["name"] });
  });

  test("needs no request", () => {
    const server = new FakeServer();
    server.resource.diff(operationWith(nowhere).context, "1", { olds, news: { ...olds, name: unknown } });
    expect(server.calls).toEqual([]);
  });
});

describe("a delete", () => {
  const olds = { name: "n", text: "x", own: false };

  test("takes an object that a refresh of the same operation found unchanged", async () => {
    const server = new FakeServer();
    server.object = olds;
    const { context } = operationWith(nowhere);
    const read = await server.resource.read(context, "1", olds);
    server.resource.diff(context, "1", { olds: read?.outputs ?? {}, news: olds });
    await server.resource.delete(context, "1", olds);
    expect(server.calls.at(-1)).toBe("delete 1");
  });

  test("leaves an object that an update of the same operation found unchanged, or made, or changed", async () => {
    const holding: ((server: FakeServer, context: CallContext) => Promise<unknown>)[] = [
      async (server, context) => server.resource.diff(context, "1", { olds, news: checked(server, context, { name: "n" }) }),
      (server, context) => server.resource.create(context, checked(server, context, { name: "n" })),
      (server, context) => server.resource.update(context, "1", { olds, news: checked(server, context, { name: "n", text: "y" }) }),
      (server, context) => server.resource.update(context, "1", { olds, news: checked(server, context, { name: "n", own: true }) }),
    ];
    for (const hold of holding) {
      const server = new FakeServer();
      server.object = olds;
      const { context, progress } = operationWith(nowhere);
      await hold(server, context);
      await server.resource.delete(context, "1", olds);
      expect(server.calls).not.toContain("delete 1");
      expect(progress).toEqual(["Thing 1 belongs to another entry of the state; only the old entry is removed."]);
    }
  });

  test("takes an object that a refresh found unchanged while the program checks others", async () => {
    const server = new FakeServer();
    server.object = olds;
    const { context } = operationWith(nowhere);
    checked(server, context, { name: "other" });
    await server.resource.read(context, "1", olds);
    server.resource.diff(context, "1", { olds, news: olds });
    await server.resource.delete(context, "1", olds);
    expect(server.calls.at(-1)).toBe("delete 1");
  });

  test("takes an object that a diff found changed and nobody wrote", async () => {
    const server = new FakeServer();
    const { context } = operationWith(nowhere);
    server.resource.diff(context, "1", { olds, news: checked(server, context, { name: "other" }) });
    await server.resource.delete(context, "1", olds);
    expect(server.calls).toEqual(["delete 1"]);
  });
});

test("a warning is reported once, even if the engine checks more often, and never beside a failure", () => {
  const server = new FakeServer();
  const { context, warnings } = operationWith(nowhere);
  const check = (news: Properties) => server.resource.check({ context, olds: {}, resourceName: undefined }, news);
  check({ text: "danger" });
  expect(warnings).toEqual([]);
  check({ name: "n", text: "danger" });
  check({ name: "n", text: "danger" });
  expect(warnings).toEqual(["careful"]);
});

test("inputs say the same where they differ in spelling, or in the provider's own settings, alone", () => {
  const { inputs: fields } = new FakeServer().resource;
  const one = { name: "n", tags: ["a", "b"], own: false };
  expect(sameInputs(fields, one, { name: "n", text: "x", tags: ["b", "a"], own: true })).toBe(true);
  expect(sameInputs(fields, one, { ...one, text: "y" })).toBe(false);
  expect(sameInputs(fields, one, { ...one, name: "m", own: false })).toBe(false);
});

test("what check is given stays as it was", () => {
  const news = Object.freeze({ name: "n", tags: Object.freeze(["a"]) });
  expect(checked(new FakeServer(), operationWith(nowhere).context, news)).toEqual({ name: "n", text: "x", tags: ["a"] });
});
