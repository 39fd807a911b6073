import { key, listOf, object, text } from "./wire";

/** An ACL policy in the list, which leaves its rules out. The document has no policies: measured on a scheduler of version 2.0. */
export interface PolicyStub {
  readonly name: string;
  readonly description: string;
}

export const list = listOf(
  object({ Name: key, Description: text }).transform((wire): PolicyStub => ({ name: wire.Name, description: wire.Description })),
);

export const listPath = "policies";
