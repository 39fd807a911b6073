import * as z from "zod";
import { type ReadKind, ReadRequests } from "./requests";

/** A kind whose creates and updates are one request, to the address of the name, with an empty response. */
export interface UpsertKind<Whole, Item, Input> extends ReadKind<Whole, Item> {
  readonly body: (input: Input) => unknown;
}

/** The requests for such a kind. The delete of an object that is gone succeeds. */
export class UpsertRequests<Whole, Item, Input extends { readonly name: string }> extends ReadRequests<
  Whole,
  Item,
  UpsertKind<Whole, Item, Input>
> {
  /** Replaces an object of that name without an error: read it first. */
  create(input: Input): Promise<void> {
    return this.put("create", input);
  }

  /** Creates one if it is missing. */
  update(input: Input): Promise<void> {
    return this.put("replace", input);
  }

  /**
   * Checks whether an object exists, if no write can tell: no server refuses an upsert because there is none. It asks the region that is read
   * from, and so only shows that a single read was wrong. isNotFound(e): there is none; isRejected(e): there is one.
   */
  async probeByList(name: string): Promise<void> {
    const { listPath, path, keyOf } = this.kind;
    const isListed = (await this.list()).some((item) => keyOf(item) === name);
    const request = { operation: "read", method: "GET", path: ["v1", "acl", listPath] } as const;
    const error = this.connection.http.refused(request, `the list ${isListed ? "has" : "lacks"} the ${path} ${JSON.stringify(name)}`);
    throw isListed ? error : error.asNotFound();
  }

  private async put(operation: "create" | "replace", input: Input): Promise<void> {
    const { path, absence, body } = this.kind;
    const request = { operation, method: "POST", path: [path, input.name], body: body(input), absence } as const;
    await this.shared.writes.during(() => this.connection.send({ ...request, response: z.void(), isBodyIgnored: true }));
  }
}
