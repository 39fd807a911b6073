/** A token of the agent pool API. */
export interface PoolsToken {
  token: string;
  /** The organizations that it may see and change; omitted: all. */
  organizations?: string[];
}

/** The tokens that the agent pool API accepts. */
export class PoolsTokens {
  private readonly tokens = new Map<string, PoolsToken>();

  add(token: PoolsToken): void {
    this.tokens.set(token.token, token);
  }

  /** From now on requests with the token get 401. */
  remove(token: string): void {
    this.tokens.delete(token);
  }

  /** The known token of an Authorization header; undefined for any other. */
  authenticate(authorization: string | undefined): PoolsToken | undefined {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return token === undefined ? undefined : this.tokens.get(token);
  }
}

/** True when the token has rights in the organization. */
export function mayUse(token: PoolsToken, organization: string): boolean {
  return token.organizations === undefined || token.organizations.includes(organization);
}
