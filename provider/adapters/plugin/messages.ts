import type { ServiceDefinition } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { BinaryReader as Reader, BinaryWriter as Writer } from "google-protobuf";
import { BinaryReader, BinaryWriter } from "./grpc";
import { eachField, readStruct, type Struct, writeStruct } from "./struct";

/** The engine's messages with properties, by the numbers of their fields in Pulumi's provider.proto. The other messages are the SDK's. */

/** What this provider reads of requests. A field that a request does not have is empty. */
interface Fields {
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

const readCheck = reading({ 1: "urn", 2: "olds", 3: "news" });
const readConfigure = reading({ 2: "args", 9: "name" });
const readCreate = reading({ 1: "urn", 2: "properties", 3: "timeout", 4: "preview" });
const readDelete = reading({ 1: "id", 2: "urn", 3: "properties", 4: "timeout" });
const readDiff = reading({ 1: "id", 2: "urn", 3: "olds", 4: "news", 5: "ignoreChanges", 6: "oldInputs" });
const readInvoke = reading({ 1: "token", 2: "args" });
const readRead = reading({ 1: "id", 2: "urn", 3: "properties", 4: "inputs", 10: "timeout" });
const readUpdate = reading({ 1: "id", 2: "urn", 3: "olds", 4: "news", 5: "timeout", 6: "ignoreChanges", 7: "preview" });

export type CheckRequest = ReturnType<typeof readCheck>;
export type ConfigureRequest = ReturnType<typeof readConfigure>;
export type CreateRequest = ReturnType<typeof readCreate>;
export type DeleteRequest = ReturnType<typeof readDelete>;
export type DiffRequest = ReturnType<typeof readDiff>;
export type InvokeRequest = ReturnType<typeof readInvoke>;
export type ReadRequest = ReturnType<typeof readRead>;
export type UpdateRequest = ReturnType<typeof readUpdate>;

/** Reads a request with these fields, and skips others: newer engines send more. */
function reading<Name extends keyof Fields>(names: Readonly<Record<number, Name>>): (bytes: Buffer) => Pick<Fields, Name> {
  return (bytes) => {
    const request: Fields = { urn: "", id: "", name: "", token: "", timeout: 0, preview: false, ignoreChanges: [] };
    const reader = new BinaryReader(bytes);
    eachField(reader, (field) => {
      const name = names[field];
      if (name) readField(request, name, reader);
      else reader.skipField();
    });
    return request;
  };
}

function readField(request: Fields, name: keyof Fields, reader: Reader): void {
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

/** What Create and Read return. Without an ID the object is gone. */
export interface ObjectResponse {
  readonly id?: string;
  readonly properties?: Struct;
  readonly inputs?: Struct;
}

function writeObject({ id, properties, inputs }: ObjectResponse, writer: Writer): void {
  writer.writeString(1, id);
  writer.writeMessage(2, properties, writeStruct);
  writer.writeMessage(3, inputs, writeStruct);
}

export interface UpdateResponse {
  readonly properties: Struct;
}

function writeUpdated({ properties }: UpdateResponse, writer: Writer): void {
  writer.writeMessage(1, properties, writeStruct);
}

/** What Check returns, with the inputs, and Invoke, with the result. */
export interface CheckedResponse {
  readonly properties?: Struct;
  readonly failures?: readonly Failure[];
}

export interface Failure {
  readonly property?: string;
  readonly reason: string;
}

function writeChecked({ properties, failures = [] }: CheckedResponse, writer: Writer): void {
  writer.writeMessage(1, properties, writeStruct);
  for (const failure of failures) writer.writeMessage(2, failure, writeFailure);
}

function writeFailure({ property, reason }: Failure, writer: Writer): void {
  writer.writeString(1, property);
  writer.writeString(2, reason);
}

/** The detail of the error for an object that exists, but is not complete. */
export interface ErrorResourceInitFailed {
  readonly id: string;
  readonly properties: Struct;
  readonly reason: string;
}

export const writeInitFailed = writing<ErrorResourceInitFailed>(({ id, properties, reason }, writer) => {
  writer.writeString(1, id);
  writer.writeMessage(2, properties, writeStruct);
  writer.writeString(3, reason);
});

function writing<Message>(write: (message: Message, writer: Writer) => void): (message: Message) => Buffer {
  return (message) => {
    const writer = new BinaryWriter();
    write(message, writer);
    return Buffer.from(writer.getResultBuffer());
  };
}

const { check, checkConfig, configure, create, diff, diffConfig, invoke, read, update } = ResourceProviderService;
const [responseSerialize, checked] = [writing(writeObject), writing(writeChecked)];

/** The engine's protocol, with these messages. */
export const providerService: ServiceDefinition = {
  ...ResourceProviderService,
  check: { ...check, requestDeserialize: readCheck, responseSerialize: checked },
  checkConfig: { ...checkConfig, requestDeserialize: readCheck, responseSerialize: checked },
  configure: { ...configure, requestDeserialize: readConfigure },
  create: { ...create, requestDeserialize: readCreate, responseSerialize },
  delete: { ...ResourceProviderService.delete, requestDeserialize: readDelete },
  diff: { ...diff, requestDeserialize: readDiff },
  diffConfig: { ...diffConfig, requestDeserialize: readDiff },
  invoke: { ...invoke, requestDeserialize: readInvoke, responseSerialize: checked },
  read: { ...read, requestDeserialize: readRead, responseSerialize },
  update: { ...update, requestDeserialize: readUpdate, responseSerialize: writing(writeUpdated) },
};
