import * as z from "zod";
import { record } from "../../common/record";
import { aclAuthMethod } from "../resources/acl-auth-method";
import { Ignored } from "./ignored";
import { withoutLimits } from "./limits";
import { merged } from "./merge";

const state = { maxTokenTtl: "1h", tokenLocality: "local", adopt: false };
const config = { oidcClientId: "ours", oidcScopes: ["a"], claimMappings: { a: "1", b: "1" } };
const theirs = { oidcClientId: "theirs", oidcScopes: ["theirs"], claimMappings: { a: "theirs", c: "theirs" }, boundIssuer: ["theirs"] };

const merge = (news: object, ignored: string[] = []) =>
  merged(
    aclAuthMethod.inputs,
    {
      olds: { ...state, config },
      news: { ...state, config, ...news },
      remote: { maxTokenTtl: "2h0m0s", tokenLocality: "global", config: theirs },
    },
    Ignored.of(ignored),
  );

test("what the program leaves as it is, is the server's, property by property within config", () => {
  expect(merge({})).toEqual({ maxTokenTtl: "2h0m0s", tokenLocality: "global", adopt: false, config: theirs });
});

test("what the program changes is the program's; lists and maps are whole, and what it drops is dropped", () => {
  expect(merge({ maxTokenTtl: "3h", config: { oidcScopes: ["b"], claimMappings: { a: "1" } } })).toMatchObject({
    maxTokenTtl: "3h",
    tokenLocality: "global",
    config: { oidcScopes: ["b"], claimMappings: { a: "1" }, boundIssuer: ["theirs"] },
  });
  expect(merge({ config: { oidcScopes: ["b"] } }).config).not.toHaveProperty("oidcClientId");
});

test("another spelling is no change", () => {
  expect(merge({ maxTokenTtl: "60m" })).toMatchObject({ maxTokenTtl: "2h0m0s" });
});

test("what is ignored is the server's, whatever the program says; of a map by its keys, of a list as a whole", () => {
  const news = { maxTokenTtl: "3h", config: { ...config, oidcScopes: ["b"], claimMappings: { a: "2", b: "2" } } };
  expect(merge(news, ["maxTokenTtl", "config.oidcScopes[3]", "config.claimMappings.a"])).toMatchObject({
    maxTokenTtl: "2h0m0s",
    config: { oidcScopes: ["theirs"], claimMappings: { a: "theirs", b: "2", c: "theirs" } },
  });
  expect(merge(news, ["config"]).config).toEqual(theirs);
});

test("a schema without limits accepts a server's values, and still distinguishes types", () => {
  const limited = z.object({
    name: z.string().regex(/^a$/),
    list: z.array(z.string().min(1)).min(1).optional(),
    map: record(z.string().min(1)).default({}),
  });
  const values = { name: "b", list: [], map: { a: "" } };
  expect(limited.safeParse(values).success).toBe(false);
  expect(withoutLimits(limited).parse(values)).toEqual(values);
  expect(withoutLimits(limited).parse({ name: "b" })).toEqual({ name: "b", map: {} });
  expect(withoutLimits(limited).safeParse({ name: 1 }).success).toBe(false);
});
