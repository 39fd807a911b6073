import * as z from "zod";
import { field } from "../model/fields";

/**
 * The outputs of a kind of the cluster: the outputs that all kinds share, and its own.
 *
 * @param noun what descriptions call an object of the kind: "role"
 */
export function clusterOutputs<Own extends z.ZodRawShape>(noun: string, own: Own) {
  return z.object({
    createIndex: field(z.int(), `Index of the cluster's store at the ${noun}'s creation.`),
    modifyIndex: field(z.int(), `Index of the cluster's store at the ${noun}'s last change.`),
    hash: field(z.string().optional(), `Hash of the ${noun}'s content, if the server gives one.`),
    ...own,
    server: field(z.string(), `Address, and region if one is configured, of the ${noun}'s cluster.`),
  });
}

/** The times of an object, which some kinds have in addition to the indexes. */
export function times(noun: string) {
  return {
    createTime: field(z.string(), `Time of the ${noun}'s creation (ISO 8601, UTC).`, { stable: true }),
    modifyTime: field(z.string(), `Time of the ${noun}'s last change (ISO 8601, UTC).`),
  };
}
