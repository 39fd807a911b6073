/** An ACL token of the cluster. */
export interface ClusterToken {
  /** The secret identifier. */
  token: string;
  type: "management" | "client";
  /** IDs or names of roles. */
  roles?: string[];
  /** Names of policies. */
  policies?: string[];
}

/** Who sends no token at all. */
const ANONYMOUS: ClusterToken = { token: "", type: "client", policies: ["anonymous"] };

/** The tokens that the cluster accepts. */
export class ClusterTokens {
  private readonly tokens = new Map<string, ClusterToken>();

  add(token: ClusterToken): void {
    this.tokens.set(token.token, token);
  }

  /** From now on the token is answered with 403. */
  remove(token: string): void {
    this.tokens.delete(token);
  }

  /** Who sends a request with these headers; undefined when nobody knows the token. */
  authenticate(headers: Readonly<Record<string, string>>): ClusterToken | undefined {
    const bearer = /^bearer +(\S+)/i.exec(headers.authorization ?? "")?.[1];
    const secret = (headers["x-cluster-token"] || headers["x-nomad-token"] || bearer || "").trim();
    return secret === "" ? ANONYMOUS : this.tokens.get(secret);
  }
}
