/** The permissions of a token. */
export interface ClusterToken {
  /** The secret identifier. */
  token: string;
  type: "management" | "client";
  /** IDs or names of roles. */
  roles?: string[];
  /** Names of policies. */
  policies?: string[];
  name?: string;
  /** Whether the token has expired, but the server has not deleted it yet. */
  isExpired?: boolean;
}

/** The caller without a token. */
const ANONYMOUS: ClusterToken = { token: "", type: "client", policies: ["anonymous"], name: "Anonymous Token" };

/** Tokens that the cluster accepts in addition to issued ones. No request lists or changes them. */
export class ClusterTokens {
  private readonly tokens = new Map<string, ClusterToken>();

  add(token: ClusterToken): void {
    this.tokens.set(token.token, token);
  }

  /** From now on the token is unknown to the cluster. */
  remove(token: string): void {
    this.tokens.delete(token);
  }

  /** The token of a request with this secret identifier; undefined for an unknown one. */
  authenticate(secret: string): ClusterToken | undefined {
    return secret === "" ? ANONYMOUS : this.tokens.get(secret);
  }
}

/** The secret identifier in the first of the headers that has one; "" without any. */
export function secretOf(headers: Readonly<Record<string, string>>, names: readonly string[]): string {
  const values = names.map((name) => (name === "authorization" ? bearer(headers[name]) : headers[name]));
  return (values.find((value) => value) ?? "").trim();
}

function bearer(authorization = ""): string | undefined {
  return /^bearer +(\S+)/i.exec(authorization)?.[1];
}
