/** What a field of a description makes of a kind: each by a small made-up one, whose server is a few lines. */
import * as z from "zod";
import { InitError } from "../../common/user-error";
import { nowhere, operationWith } from "../../test/support/session";
import { ApiError, type ErrorKind } from "../apis/http/errors";
import { field } from "../model/fields";
import { defineResource } from "./define";
import type { Description, TypesOf } from "./kind";

const inputs = z.object({ name: field(z.string(), ""), text: field(z.string().default(""), "") });
const outputs = z.object({
  createIndex: field(z.number().optional(), ""),
  secret: field(z.string().optional(), "", { kept: true }),
  expirationTime: field(z.string().optional(), ""),
  server: field(z.string(), ""),
});

interface Thing {
  readonly name: string;
  readonly text: string;
  readonly createIndex?: number;
  readonly secret?: string;
  readonly expirationTime?: string;
}

type Things = TypesOf<typeof inputs, typeof outputs, Thing, Thing, undefined>;

const call = {
  service: "cluster",
  operation: "read",
  method: "GET",
  path: "/x",
  url: "http://h/x",
  tokenSource: "",
  tries: 1,
} as const;

function errorOf(kind: ErrorKind): ApiError {
  return new ApiError(call, { kind, status: 404, detail: "not found" });
}

/** A kind whose objects have their name as their id, on a server of one object. */
function kindWith(fields: Partial<Description<Things>> = {}) {
  const calls: string[] = [];
  const server: { thing: Thing | undefined } = { thing: undefined };
  const read = async () => {
    calls.push("read");
    if (!server.thing) throw errorOf("not-found");
    return server.thing;
  };
  const resource = defineResource<typeof inputs, typeof outputs, Thing, Thing>({
    kind: "Thing",
    label: "thing",
    api: "cluster",
    description: "A thing.",
    inputs,
    outputs,
    identity: ({ name }) => ({ property: "name", values: { name }, isUnique: true }),
    errorProperties: [],
    requests: () => ({
      read,
      delete: async () => {
        calls.push("delete");
        if (!server.thing) throw errorOf("not-found");
        server.thing = undefined;
      },
      list: async () => {
        calls.push("list");
        return server.thing ? [server.thing] : [];
      },
      recent: async () => undefined,
    }),
    idOf: ({ name }) => name,
    nameOf: ({ name }) => name,
    labelOf: (id) => `Thing ${id}`,
    toRemote: ({ name, text, ...rest }, address) => ({ id: name, inputs: { name, text }, outputs: { ...rest, server: address } }),
    labelOfExisting: ({ name }) => `A thing named ${name}`,
    find: async () => (server.thing ? [server.thing] : []),
    looksFirst: false,
    create: async (_, news) => {
      calls.push("create");
      server.thing = { ...news, createIndex: 7, secret: "s3cret" };
      return server.thing;
    },
    overwrite: () => undefined,
    update: async (_, __, { sent }) => {
      calls.push("update");
      server.thing = { ...sent, createIndex: 7 };
      return { whole: server.thing };
    },
    ...fields,
  });
  const operation = operationWith(nowhere);
  const address = operation.context.cluster().server;
  return { ...operation, resource, server, calls, address, olds: { name: "n", text: "one", createIndex: 7, server: address } };
}

const news = { name: "n", text: "one" };

describe("a kind whose writes have empty responses", () => {
  /** @param shows what each read shows, in order; the last one stays */
  function emptyKind(fields: Partial<Description<Things>>, ...shows: (Thing | undefined)[]) {
    const shown = () => (shows.length > 1 ? shows.shift() : shows[0]);
    const find = async () => [shown()].filter((thing) => thing !== undefined);
    const read = async () => shown() ?? Promise.reject(errorOf("not-found"));
    const requests = () => ({ read, delete: async () => {}, list: async () => [], recent: async () => undefined });
    return kindWith({ find, requests, create: async () => undefined, update: async () => ({ whole: undefined }), ...fields });
  }

  test("has in its state what a read after the write shows", async () => {
    const kind = emptyKind({}, { ...news, createIndex: 9 });
    expect((await kind.resource.create(kind.context, news)).outputs).toEqual({ ...news, createIndex: 9, server: kind.address });
    expect(kind.clock.waits).toEqual([]);
  });

  test("is in the state with an error, if the server keeps other values", async () => {
    const kind = emptyKind({}, { ...news, text: "theirs" });
    const error = await kind.resource.create(kind.context, news).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InitError);
    expect(error).toMatchObject({ id: "n", properties: { text: "theirs" } });
  });

  test("is in the state with an error, if no read after the create succeeds", async () => {
    const kind = kindWith({ isIdName: true, create: async () => undefined });
    const error = await kind.resource.create(kind.context, news).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InitError);
    expect(error).toMatchObject({ id: "n", properties: { ...news, server: kind.address } });
  });

  test("gets what is missing in its state by an update that sends nothing", async () => {
    const kind = kindWith({ isIdName: true });
    kind.server.thing = { ...news, createIndex: 7 };
    const { createIndex: _, ...olds } = kind.olds;
    expect(await kind.resource.update(kind.context, "n", { olds, news })).toEqual({ ...news, createIndex: 7, server: kind.address });
    expect(kind.calls).toEqual(["read"]);
  });

  test("is an error, if the create has overwritten an older one", async () => {
    const isOwnCreate = ({ createIndex }: Thing) => createIndex === 9;
    const kind = emptyKind({ isIdName: true, isOwnCreate }, { ...news, createIndex: 7 });
    await expect(kind.resource.create(kind.context, news)).rejects.toThrow(
      "has replaced another of that name that someone else made at index 7",
    );
  });

  test("is an error, if others have made it anew between the read and the write of an update", async () => {
    const kind = emptyKind({ isIdName: true }, { ...news, createIndex: 7 }, { name: "n", text: "two", createIndex: 8 });
    const updating = kind.resource.update(kind.context, "n", { olds: kind.olds, news: { ...news, text: "two" } });
    await expect(updating).rejects.toThrow(/was deleted by others.*at index 8/);
  });
});

describe("a kind whose delete of what is gone succeeds", () => {
  const start = () => kindWith({ deleteOfGoneSucceeds: true });

  test("is read before its delete", async () => {
    const kind = start();
    kind.server.thing = { ...news, createIndex: 7 };
    await kind.resource.delete(kind.context, "n", kind.olds);
    expect(kind.calls).toEqual(["read", "delete"]);
  });

  test("is not deleted if it is gone already", async () => {
    const kind = start();
    await kind.resource.delete(kind.context, "n", kind.olds);
    expect(kind.calls).toEqual(["read", "list"]);
  });

  test("is not gone because another server does not have it", async () => {
    const kind = start();
    const deleting = kind.resource.delete(kind.context, "n", { ...kind.olds, server: "https://old.example.com" });
    await expect(deleting).rejects.toThrow("The state says that it was on https://old.example.com");
    expect(kind.calls).not.toContain("delete");
  });
});

describe("a kind with a secret that only the response to a create has", () => {
  test("keeps it in the state, in refreshes and updates", async () => {
    const kind = kindWith();
    const created = (await kind.resource.create(kind.context, news)).outputs;
    expect(created.secret).toBe("s3cret");
    kind.server.thing = { ...news, text: "drifted", createIndex: 7 };
    const read = await kind.resource.read(kind.context, "n", created);
    expect(read?.outputs).toMatchObject({ text: "drifted", secret: "s3cret" });
    const updated = await kind.resource.update(kind.context, "n", { olds: created, news: { ...news, text: "two" } });
    expect(updated).toMatchObject({ text: "two", secret: "s3cret" });
  });

  test("has none after an import", async () => {
    const kind = kindWith();
    kind.server.thing = { ...news };
    expect((await kind.resource.read(kind.context, "n", undefined))?.outputs).not.toHaveProperty("secret");
  });
});

describe("a kind whose objects end by themselves", () => {
  // The clock of the operation begins with 2030.
  const expirationTime = "2030-01-01T00:00:00Z";
  const start = () =>
    kindWith({
      hasEnded: ({ expirationTime: end }, now) => typeof end === "string" && Date.parse(end) <= now,
    });

  test("is made anew once it has ended, without a refresh", () => {
    const diff = (end: string) => {
      const { resource, context, olds } = start();
      return resource.diff(context, "n", { olds: { ...olds, expirationTime: end }, news });
    };
    expect(diff(expirationTime)).toMatchObject({
      changes: [{ path: ["expirationTime"], kind: "update", replaces: true }],
      replaces: ["expirationTime"],
    });
    expect(diff("2030-01-01T00:00:01Z").changes).toEqual([]);
  });

  test("is gone without further proof then, and its delete succeeds", async () => {
    const kind = start();
    const ended = { ...kind.olds, expirationTime };
    expect(await kind.resource.read(kind.context, "n", ended)).toBeUndefined();
    await kind.resource.delete(kind.context, "n", ended);
    expect(kind.calls).toEqual(["read", "delete", "read"]);
    expect(kind.clock.waits).toEqual([]);
  });

  test("is not gone before: then the proof is that of every other", async () => {
    const kind = start();
    expect(await kind.resource.read(kind.context, "n", { ...kind.olds, expirationTime: "2030-01-01T00:00:01Z" })).toBeUndefined();
    expect(kind.calls).toEqual(["read", "list"]);
  });
});

describe("a kind of which a program may keep an object that has ended", () => {
  const ended = { expirationTime: "2030-01-01T00:00:00Z" };
  const start = () => kindWith({ hasEnded: ({ expirationTime: end }) => end !== undefined, keepsEnded: ({ text }) => text !== "anew" });

  test("keeps it in the state as it is, although the server has it no more", async () => {
    const kind = start();
    expect(kind.resource.diff(kind.context, "n", { olds: { ...kind.olds, ...ended }, news }).changes).toEqual([]);
    const read = await kind.resource.read(kind.context, "n", { ...kind.olds, ...ended });
    expect(read?.outputs).toEqual({ ...kind.olds, ...ended });
  });

  test.each(["two", "anew"])("makes it anew by any change, and if the program does not keep it any more", (text) => {
    const kind = start();
    const { replaces } = kind.resource.diff(kind.context, "n", { olds: { ...kind.olds, ...ended }, news: { ...news, text } });
    expect(replaces).toEqual(["expirationTime"]);
  });
});

describe("a kind whose creates choose the id", () => {
  const lost = () => Promise.reject(new ApiError(call, { kind: "unavailable", detail: "no response", ambiguous: true }));

  test("has the object of a lost response for certain, without a second create or a warning", async () => {
    const kind = kindWith({
      chosenId: () => "n",
      create: () => {
        kind.server.thing = { ...news, createIndex: 7 };
        return lost();
      },
    });
    expect(await kind.resource.create(kind.context, news)).toMatchObject({ id: "n" });
    expect([kind.calls, kind.warnings]).toEqual([["read"], []]);
  });

  test("looks again if the second try is refused, because the first one came late", async () => {
    let creates = 0;
    const kind = kindWith({
      chosenId: () => "n",
      create: () => {
        if (creates++ === 0) return lost();
        kind.server.thing = { ...news, createIndex: 7 };
        return Promise.reject(errorOf("rejected"));
      },
    });
    expect(await kind.resource.create(kind.context, news)).toMatchObject({ id: "n" });
  });

  test("sends the same create again if there is none, and the error of the second try names what it may have made", async () => {
    let creates = 0;
    const kind = kindWith({ chosenId: () => "n", create: () => lost().finally(() => creates++) });
    await expect(kind.resource.create(kind.context, news)).rejects.toThrow("If it made Thing n on");
    expect(creates).toBe(2);
  });
});

describe("a kind with two spellings of one thing", () => {
  test("is not changed by another spelling, neither in the diff nor by a write", async () => {
    const kind = kindWith({ respelled: (_, olds) => ({ ...olds, text: String(olds.text).toLowerCase() }) });
    const revision = { olds: { ...kind.olds, text: "ONE" }, news };
    expect(kind.resource.diff(kind.context, "n", revision).changes).toEqual([]);
    expect(kind.resource.writes(kind.context, revision)).toBe(false);
    expect(await kind.resource.update(kind.context, "n", revision)).toMatchObject({ text: "one" });
    expect(kind.calls).toEqual([]);
  });
});

describe("a kind of which a list decides whether a 404 means that it is gone", () => {
  const start = (isListed: () => Promise<boolean>) => kindWith({ isListed });

  test("is gone if the list lacks it, after one read and no wait", async () => {
    const kind = start(async () => false);
    expect(await kind.resource.read(kind.context, "n", kind.olds)).toBeUndefined();
    await kind.resource.delete(kind.context, "n", kind.olds);
    expect(kind.calls).toEqual(["read", "delete", "read"]);
    expect(kind.clock.waits).toEqual([]);
  });

  test.each([
    ["has it", async () => true, /Thing n: the server lists it, and returns a 404 for it/],
    ["can't be read", () => Promise.reject(new Error("no list")), "no list"],
  ])("is an error if the list %s", async (_, isListed, message) => {
    const kind = start(isListed);
    await expect(kind.resource.read(kind.context, "n", kind.olds)).rejects.toThrow(message);
    await expect(kind.resource.delete(kind.context, "n", kind.olds)).rejects.toThrow(message);
  });

  test("is not gone because the list of another server lacks it", async () => {
    const kind = start(async () => false);
    const olds = { ...kind.olds, server: "https://old.example.com" };
    for (const ask of [kind.resource.read, kind.resource.delete])
      await expect(ask(kind.context, "n", olds)).rejects.toThrow("The state says that it was on https://old.example.com");
  });
});

describe("a kind whose id is a name, and whose objects have no times", () => {
  const start = () => {
    const kind = kindWith({ isIdName: true });
    kind.server.thing = { ...news, createIndex: 8 };
    return kind;
  };

  test("is another one if its index of creation is another one in the same region", async () => {
    const kind = start();
    await expect(kind.resource.read(kind.context, "n", kind.olds)).rejects.toThrow("that was made at index 7, this one at index 8");
  });

  test("of others is not deleted", async () => {
    const kind = start();
    await kind.resource.delete(kind.context, "n", kind.olds);
    expect(kind.calls).toEqual(["read"]);
    expect(kind.warnings).toEqual([
      "Thing n was deleted and created again by others. Theirs was not touched; the old one was removed from the state.",
    ]);
  });

  test("is the same in another region, whose indexes are others", async () => {
    const kind = start();
    expect(await kind.resource.read(kind.context, "n", { ...kind.olds, server: `${kind.address} region eu` })).toMatchObject({ id: "n" });
  });
});
