import { equal } from "../../../provider/testing/rehearsal/engine/values";
import type { Kind, Properties } from "../workload";

/** A provider to compare with, without what an adapter adds. Properties may carry the engine's marks of secrets. */
export interface Peer {
  create(kind: Kind, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  /** Answers the outputs of today; undefined when the object is gone. */
  read(kind: Kind, id: string, outputs: Properties): Promise<Properties | undefined>;
  /** Answers the new outputs. */
  update(kind: Kind, id: string, inputs: Properties): Promise<Properties>;
  delete(kind: Kind, id: string): Promise<void>;
}

/** What an answer of the server adds to the inputs, as the provider of this package has it. */
export const serverFields = ["createIndex", "modifyIndex", "hash"] as const;

const outputFields: ReadonlySet<string> = new Set([...serverFields, "server", "createTime", "modifyTime"]);

/** The inputs among the outputs. */
export function inputsOf(outputs: Properties): Properties {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !outputFields.has(name)));
}

/** The inputs that an update changes. */
export function changedInputs(olds: Properties, news: Properties): string[] {
  return Object.keys(news).filter((name) => !equal(olds[name], news[name]));
}
