import type { Environment } from "../../common/environment";
import { UserError } from "../../common/user-error";
import { type IssuedToken, loginRequest, logoutRequest, saysEnded } from "../apis/cluster/login";
import { type ApiError, isApiError } from "../apis/http/errors";
import type { Http } from "../apis/http/http";
import type { Login, RequestOptions } from "../apis/http/request";
import { identityTokenSource, type LoginSettings, readIdentityToken } from "./identity-token";

/**
 * A token is renewed this long before it expires, or with a fifth of its life left if that is later. The margin is for requests that wait
 * for their turn.
 */
const marginMs = 60_000;

interface LoginToken extends IssuedToken {
  /** The time of the renewal, by this process's clock. */
  readonly renewAt: number;
  /** Whether the server has ever accepted the token. */
  isAccepted: boolean;
}

/** The logins of this process whose token is not deleted. */
const open = new Set<ClusterLogin>();

/** Deletes the tokens of all logins of this process except for client tokens, because the process ends. */
export async function endLogins(): Promise<void> {
  await Promise.all([...open].map((login) => login.end()));
}

/**
 * Deletes the tokens of logins before this process ends. At the end of an operation the engine sends SIGINT to its providers, and kills those
 * that still run five seconds later.
 */
export function endLoginsBySignals(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void endLogins().finally(() => {
        // This listener is gone by now (`once`). Without another listener, the signal ends the process as usual.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    });
  }
}

/** The tokens of one client: a login at the first request, and again before a token ends. */
export class ClusterLogin implements Login {
  private current: LoginToken | undefined;
  private running: Promise<LoginToken> | undefined;
  private readonly issued: string[] = [];

  constructor(
    private readonly settings: LoginSettings,
    private readonly env: Environment,
    private readonly http: () => Http,
  ) {}

  async token(report: RequestOptions["report"]): Promise<string> {
    if (this.current && this.http().clock.now() < this.current.renewAt) return this.current.secretId;
    this.running ??= this.logIn(report).finally(() => {
      this.running = undefined;
    });
    return (await this.running).secretId;
  }

  accepted(token: string): void {
    if (this.current?.secretId === token) this.current.isAccepted = true;
  }

  hasEnded(token: string, error: ApiError): boolean {
    if (!saysEnded(error)) return false;
    // Another request has already noticed that the token has ended.
    if (this.current?.secretId !== token) return true;
    // If the server never accepted the old token, it would not accept a new one. A client token may be refused for lack of a permission.
    if (!this.current.isAccepted || this.current.isClient) return false;
    this.current = undefined;
    return true;
  }

  secrets(): readonly string[] {
    return this.issued;
  }

  /** Deletes the token, except for a client token, which may not delete itself. A token that remains expires by itself. */
  async end(): Promise<void> {
    open.delete(this);
    // A failed login reports its error to its own callers.
    const token = (await this.running?.catch(() => undefined)) ?? this.current;
    this.current = undefined;
    if (!token || token.isClient) return;
    try {
      await this.http().request(logoutRequest(token));
    } catch (error) {
      // The token's short life covers this case: a process that ends can't do more.
      if (!isApiError(error)) throw error;
    }
  }

  private async logIn(report: RequestOptions["report"]): Promise<LoginToken> {
    const http = this.http();
    const request = loginRequest(this.settings.authMethod, readIdentityToken(this.settings, this.env));
    const startedAt = http.clock.now();
    try {
      const issued = await http.request(request, report ? { report } : {});
      const renewAt = startedAt + issued.lifeMs - Math.min(marginMs, issued.lifeMs / 5);
      this.issued.push(issued.secretId);
      this.current = { ...issued, renewAt, isAccepted: false };
      open.add(this);
      return this.current;
    } catch (error) {
      if (!isApiError(error)) throw error;
      const method = JSON.stringify(this.settings.authMethod);
      const what = `The login by the auth method ${method} with the identity token of ${identityTokenSource(this.settings)}`;
      throw new UserError("login-failed", `${what} failed: ${error.message}`, { cause: error });
    }
  }
}
