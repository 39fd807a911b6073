import { equal } from "../../../testing/rehearsal/engine/values";
import type { Kind, Properties } from "../workload";

/** A provider to compare with, without its adapter. Properties may have the engine's secret marks. */
export interface Peer {
  create(kind: Kind, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  /** Returns the current outputs; undefined if the object is gone. */
  read(kind: Kind, id: string, outputs: Properties): Promise<Properties | undefined>;
  /** Returns the new outputs. */
  update(kind: Kind, id: string, inputs: Properties): Promise<Properties>;
  delete(kind: Kind, id: string): Promise<void>;
}

/** The outputs that each kind gets from the server, as in this package's provider. */
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
