import * as z from "zod";
import { type Policy, type PolicyInput, type PolicyStub, probeOf } from "./policy";
import { UpsertRequests } from "./upsert-requests";

export class PolicyRequests extends UpsertRequests<Policy, PolicyStub, PolicyInput> {
  /**
   * Checks in the authoritative region whether a policy exists, by the create of a role that a measured server refuses. isNotFound(e):
   * there is none; isRejected(e): there is one; isDenied(e): the token may not write.
   */
  async probe(name: string): Promise<void> {
    await this.connection.send({ operation: "replace", method: "POST", response: z.unknown(), ...probeOf(name) });
  }
}
