import type { ServiceDefinition } from "@grpc/grpc-js";
import { ResourceProviderService as service } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { BinaryReader as Reader, BinaryWriter as Writer } from "google-protobuf";
import { BinaryReader, BinaryWriter } from "./grpc";
import { eachField, readStruct, type Struct, writeStruct } from "./struct";

/** The engine's messages with properties, by the numbers of their fields in Pulumi's provider.proto. The other messages are the SDK's. */

/** The fields of requests that this provider reads. A missing field is empty. */
export interface Request {
  urn: string;
  id: string;
  name: string;
  token: string;
  timeout: number;
  preview: boolean;
  ignoreChanges: string[];
  args?: Struct;
  inputs?: Struct;
  news?: Struct;
  oldInputs?: Struct;
  olds?: Struct;
  properties?: Struct;
}

/** Reads a request with these fields, and skips others: newer engines send more. */
function reading(names: Readonly<Record<number, keyof Request>>): (bytes: Buffer) => Request {
  return (bytes) => {
    const request: Request = { urn: "", id: "", name: "", token: "", timeout: 0, preview: false, ignoreChanges: [] };
    const reader = new BinaryReader(bytes);
    eachField(reader, (field) => {
      const name = names[field];
      if (name) readField(request, name, reader);
      else reader.skipField();
    });
    return request;
  };
}

function readField(request: Request, name: keyof Request, reader: Reader): void {
  switch (name) {
    case "urn":
    case "id":
    case "name":
    case "token":
      request[name] = reader.readString();
      break;
    case "ignoreChanges":
      request.ignoreChanges.push(reader.readString());
      break;
    case "timeout":
      request.timeout = reader.readDouble();
      break;
    case "preview":
      request.preview = reader.readBool();
      break;
    default:
      reader.readMessage(request, () => {
        request[name] = readStruct(reader);
      });
  }
}

/** The response of Create and Read. Without an ID, the object of a Read is gone, and a Create is only previewed. */
export interface ObjectResponse {
  readonly id?: string;
  readonly properties?: Struct;
  readonly inputs?: Struct;
}

/** The response of Check and CheckConfig (with the inputs), Invoke (with the result) and Update. */
export interface ResultResponse {
  readonly properties?: Struct;
  readonly failures?: readonly Failure[];
}

export interface Failure {
  readonly property?: string;
  readonly reason: string;
}

function writing<Message>(write: (message: Message, writer: Writer) => void): (message: Message) => Buffer {
  return (message) => {
    const writer = new BinaryWriter();
    write(message, writer);
    return Buffer.from(writer.getResultBuffer());
  };
}

const writeObject = writing<ObjectResponse>(({ id, properties, inputs }, writer) => {
  writer.writeString(1, id);
  writer.writeMessage(2, properties, writeStruct);
  writer.writeMessage(3, inputs, writeStruct);
});

const writeResult = writing<ResultResponse>(({ properties, failures = [] }, writer) => {
  writer.writeMessage(1, properties, writeStruct);
  for (const failure of failures) {
    writer.writeMessage(2, failure, ({ property, reason }) => {
      writer.writeString(1, property);
      writer.writeString(2, reason);
    });
  }
});

const check = { requestDeserialize: reading({ 1: "urn", 2: "olds", 3: "news" }), responseSerialize: writeResult };
const diff = { requestDeserialize: reading({ 1: "id", 2: "urn", 3: "olds", 4: "news", 5: "ignoreChanges", 6: "oldInputs" }) };

/** The engine's protocol, with these messages. */
export const providerService: ServiceDefinition = {
  ...service,
  check: { ...service.check, ...check },
  checkConfig: { ...service.checkConfig, ...check },
  configure: { ...service.configure, requestDeserialize: reading({ 2: "args", 9: "name" }) },
  create: {
    ...service.create,
    requestDeserialize: reading({ 1: "urn", 2: "properties", 3: "timeout", 4: "preview" }),
    responseSerialize: writeObject,
  },
  delete: { ...service.delete, requestDeserialize: reading({ 1: "id", 2: "urn", 3: "properties", 4: "timeout" }) },
  diff: { ...service.diff, ...diff },
  diffConfig: { ...service.diffConfig, ...diff },
  invoke: { ...service.invoke, requestDeserialize: reading({ 1: "token", 2: "args" }), responseSerialize: writeResult },
  read: {
    ...service.read,
    requestDeserialize: reading({ 1: "id", 2: "urn", 3: "properties", 4: "inputs", 10: "timeout" }),
    responseSerialize: writeObject,
  },
  update: {
    ...service.update,
    requestDeserialize: reading({ 1: "id", 2: "urn", 3: "olds", 4: "news", 5: "timeout", 6: "ignoreChanges", 7: "preview" }),
    responseSerialize: writeResult,
  },
};
