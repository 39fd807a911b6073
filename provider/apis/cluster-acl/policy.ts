import type * as z from "zod";
import { key, listOf, object, text } from "./wire";

const stub = object({ Name: key, Description: text }).transform((wire) => ({ name: wire.Name, description: wire.Description }));

/** An ACL policy in the list, which leaves its rules out. The document has no policies: measured on a scheduler of version 2.0. */
export type PolicyStub = z.output<typeof stub>;

export const list = listOf(stub);

export const listPath = "policies";
