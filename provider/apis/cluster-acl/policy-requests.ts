import * as z from "zod";
import { body, type Policy, type PolicyInput, type PolicyStub, probeOf } from "./policy";
import { ReadRequests } from "./requests";

/** The requests for policies. The response to a write is empty, and the delete of a policy that is gone succeeds. */
export class PolicyRequests extends ReadRequests<Policy, PolicyStub> {
  /** Replaces a policy of that name without an error: read it first. */
  create(input: PolicyInput): Promise<void> {
    return this.put("create", input);
  }

  /** Creates one if it is missing. */
  update(input: PolicyInput): Promise<void> {
    return this.put("replace", input);
  }

  /**
   * Checks in the region that takes the writes whether a policy exists, by the create of a role that a measured server refuses. isNotFound(e):
   * there is none; isRejected(e): there is one; isDenied(e): the token may not write.
   */
  async probe(name: string): Promise<void> {
    await this.connection.send({ operation: "replace", method: "POST", response: z.unknown(), ...probeOf(name) });
  }

  /**
   * The same by the list, for a server that may accept the role of the probe: it asks the region that is read from, and so only shows that a
   * single read was wrong.
   */
  async probeByList(name: string): Promise<void> {
    const { listPath } = this.kind;
    const isListed = (await this.list()).some((policy) => policy.name === name);
    const request = { operation: "read", method: "GET", path: ["v1", "acl", listPath] } as const;
    const error = this.connection.http.refused(request, `the list ${isListed ? "has" : "lacks"} the policy ${JSON.stringify(name)}`);
    throw isListed ? error : error.asNotFound();
  }

  private async put(operation: "create" | "replace", input: PolicyInput): Promise<void> {
    const { path, absence } = this.kind;
    const request = { operation, method: "POST", path: [path, input.name], body: body(input), absence } as const;
    await this.shared.writes.during(() => this.connection.send({ ...request, response: z.void(), isBodyIgnored: true }));
  }
}
