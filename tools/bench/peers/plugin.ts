import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { CHANNEL_OPTIONS, Empty, fromStruct, grpc, toStruct, unary } from "../../../testing/rehearsal/processes/grpc";
import { type Kind, kinds, type Properties } from "../workload";
import { changedInputs, inputsOf, type Peer } from "./peer";

/** A peer as a plugin, with the part of the engine's protocol that the bench's programs need. */
export function serve(peer: Peer): void {
  const server = new grpc.Server(CHANNEL_OPTIONS);
  server.addService(ResourceProviderService, { ...settings, ...operationsOf(peer) });
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}

const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

const settings = {
  handshake: unary(() => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
  checkConfig: unary((request: messages.CheckRequest) => new messages.CheckResponse().setInputs(request.getNews())),
  diffConfig: unary(() => new messages.DiffResponse().setChanges(DIFF_NONE)),
  configure: unary(() => new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
  getPluginInfo: unary(() => new PluginInfo().setVersion("0.1.0")),
  cancel: unary(() => new Empty()),
  check: unary((request: messages.CheckRequest) => new messages.CheckResponse().setInputs(request.getNews())),
  diff: unary((request: messages.DiffRequest) => {
    const changed = changedInputs(fromStruct(request.getOlds()), fromStruct(request.getNews()));
    return new messages.DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
  }),
};

function operationsOf(peer: Peer) {
  return {
    create: unary(async (request: messages.CreateRequest) => {
      if (request.getPreview()) return new messages.CreateResponse().setProperties(request.getProperties());
      const { id, outputs } = await peer.create(kindOf(request), fromStruct(request.getProperties()));
      return new messages.CreateResponse().setId(id).setProperties(struct(outputs));
    }),
    read: unary(async (request: messages.ReadRequest) => {
      const outputs = await peer.read(kindOf(request), request.getId(), fromStruct(request.getProperties()));
      if (!outputs) return new messages.ReadResponse();
      return new messages.ReadResponse()
        .setId(request.getId())
        .setProperties(struct(outputs))
        .setInputs(struct(inputsOf(outputs)));
    }),
    update: unary(async (request: messages.UpdateRequest) => {
      if (request.getPreview()) return new messages.UpdateResponse().setProperties(request.getNews());
      const outputs = await peer.update(kindOf(request), request.getId(), fromStruct(request.getNews()));
      return new messages.UpdateResponse().setProperties(struct(outputs));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      await peer.delete(kindOf(request), request.getId());
      return new Empty();
    }),
  };
}

function kindOf(request: { getUrn(): string }): Kind {
  const kind = kinds.find((name) => request.getUrn().includes(`:${name}::`));
  if (!kind) throw new Error(`no resource of the type of ${request.getUrn()}`);
  return kind;
}

/** A peer's results come from JSON. */
function struct(properties: Properties) {
  return toStruct(JSON.parse(JSON.stringify(properties)));
}
