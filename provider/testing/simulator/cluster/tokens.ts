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

/** The caller without a token. */
const ANONYMOUS: ClusterToken = { token: "", type: "client", policies: ["anonymous"] };

/** The tokens that the cluster accepts. */
export class ClusterTokens {
  private readonly tokens = new Map<string, ClusterToken>();

  add(token: ClusterToken): void {
    this.tokens.set(token.token, token);
  }

  /** From now on requests with the token get 403. */
  remove(token: string): void {
    this.tokens.delete(token);
  }

  /** The token of a request with these headers, looked for in the headers `names`; undefined for an unknown token. */
  authenticate(headers: Readonly<Record<string, string>>, names: readonly string[]): ClusterToken | undefined {
    const values = names.map((name) => (name === "authorization" ? bearer(headers[name]) : headers[name]));
    const secret = (values.find((value) => value) ?? "").trim();
    return secret === "" ? ANONYMOUS : this.tokens.get(secret);
  }
}

function bearer(authorization = ""): string | undefined {
  return /^bearer +(\S+)/i.exec(authorization)?.[1];
}
