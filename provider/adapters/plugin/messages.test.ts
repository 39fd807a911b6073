import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Message } from "google-protobuf";
import { Struct } from "./grpc";
import { providerService } from "./messages";

/** Properties whose value is the name of the field that they are in. */
const struct = (field: string) => Struct.fromJavaScript({ field });

const autonaming = new messages.CheckRequest.AutonamingOptions().setProposedName("proposed");
const view = new messages.View().setName("view").setInputs(struct("view"));

const check = new messages.CheckRequest().setUrn("urn").setOlds(struct("olds")).setNews(struct("news"));
check.setRandomseed("c2VlZA==").setName("name").setType("type").setAutonaming(autonaming);

const configure = new messages.ConfigureRequest().setArgs(struct("args")).setName("name").setId("id").setUrn("urn").setType("type");
configure.setAcceptsecrets(true).setAcceptresources(true).setSendsOldInputs(true).getVariablesMap().set("a", "b");

const create = new messages.CreateRequest().setUrn("urn").setProperties(struct("properties")).setTimeout(1.5).setPreview(true);
create.setName("name").setType("type").setResourceStatusAddress("address").setResourceStatusToken("token");

const deletion = new messages.DeleteRequest().setId("id").setUrn("urn").setProperties(struct("properties")).setTimeout(300);
deletion.setOldInputs(struct("oldInputs")).setName("name").setType("type").setOldViewsList([view]);

const diff = new messages.DiffRequest().setId("id").setUrn("urn").setOlds(struct("olds")).setNews(struct("news"));
diff.setOldInputs(struct("oldInputs")).setIgnorechangesList(["a", "b"]).setName("name").setType("type");

const invoke = new messages.InvokeRequest().setTok("token").setArgs(struct("args")).setPreview(true);

const read = new messages.ReadRequest().setId("id").setUrn("urn").setProperties(struct("properties")).setInputs(struct("inputs"));
read.setTimeout(20).setName("name").setType("type").setOldViewsList([view]);

const update = new messages.UpdateRequest().setId("id").setUrn("urn").setOlds(struct("olds")).setNews(struct("news")).setTimeout(2);
update.setIgnorechangesList(["a"]).setPreview(true).setOldInputs(struct("oldInputs")).setName("name").setOldViewsList([view]);

const [olds, news, oldInputs] = [{ field: "olds" }, { field: "news" }, { field: "oldInputs" }];
const [properties, inputs, args] = [{ field: "properties" }, { field: "inputs" }, { field: "args" }];

const received = (method: string, request: Message) => providerService[method]?.requestDeserialize(Buffer.from(request.serializeBinary()));

test.each<[string, Message, object]>([
  ["check", check, { urn: "urn", olds, news }],
  ["checkConfig", check, { urn: "urn", olds, news }],
  ["configure", configure, { args, name: "name" }],
  ["create", create, { urn: "urn", properties, timeout: 1.5, preview: true }],
  ["delete", deletion, { id: "id", urn: "urn", properties, timeout: 300 }],
  ["diff", diff, { id: "id", urn: "urn", olds, news, oldInputs, ignoreChanges: ["a", "b"] }],
  ["diffConfig", diff, { id: "id", urn: "urn", olds, news, oldInputs, ignoreChanges: ["a", "b"] }],
  ["invoke", invoke, { token: "token", args }],
  ["read", read, { id: "id", urn: "urn", properties, inputs, timeout: 20 }],
  ["update", update, { id: "id", urn: "urn", olds, news, timeout: 2, ignoreChanges: ["a"], preview: true }],
])("a request of %s is read from the bytes of the SDK's class, with the fields that this provider uses", (method, request, expected) => {
  const absent = { urn: "", id: "", name: "", token: "", timeout: 0, preview: false, ignoreChanges: [] };
  expect(received(method, request)).toStrictEqual({ ...absent, ...expected });
  expect(received(method, new messages.ConfigureErrorMissingKeys())).toStrictEqual(absent);
});

test("the last of repeated properties counts, as in the SDK's class", () => {
  const twice = Buffer.concat([check, new messages.CheckRequest().setNews(struct("last"))].map((part) => part.serializeBinary()));
  expect(messages.CheckRequest.deserializeBinary(twice).getNews()?.toJavaScript()).toEqual({ field: "last" });
  expect(providerService.check?.requestDeserialize(twice)).toMatchObject({ urn: "urn", news: { field: "last" } });
});

const sent = (method: string, response: object) => new Uint8Array(providerService[method]?.responseSerialize(response) ?? []);

test("responses have the bytes of the SDK's classes", () => {
  const [some, others] = [struct("properties"), struct("inputs")];
  const named = new messages.CheckFailure().setProperty("name").setReason("wrong");
  const unnamed = new messages.CheckFailure().setReason("wrong");
  const failures = [{ reason: "wrong" }, { property: "name", reason: "wrong" }];
  const cases: [Uint8Array, Message][] = [
    [sent("check", { properties, failures }), new messages.CheckResponse().setInputs(some).setFailuresList([unnamed, named])],
    [sent("checkConfig", { properties }), new messages.CheckResponse().setInputs(some)],
    [sent("invoke", { failures }), new messages.InvokeResponse().setFailuresList([unnamed, named])],
    [sent("invoke", { properties }), new messages.InvokeResponse().setReturn(some)],
    [sent("create", { id: "id", properties }), new messages.CreateResponse().setId("id").setProperties(some)],
    [sent("create", { properties: {} }), new messages.CreateResponse().setProperties(new Struct())],
    [sent("read", { id: "id", properties, inputs }), new messages.ReadResponse().setId("id").setProperties(some).setInputs(others)],
    [sent("read", {}), new messages.ReadResponse()],
    [sent("update", { properties }), new messages.UpdateResponse().setProperties(some)],
  ];
  for (const [bytes, message] of cases) expect(bytes).toEqual(message.serializeBinary());
});
