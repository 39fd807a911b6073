import { isApiError } from "../http/errors";
import type { Connection } from "./connection";
import { Requests, type SharedKind, type WireKind } from "./requests";
import type { Token, TokenInput, TokenStub, TokenUpdate } from "./token";

/** What all views of a client know of the server. */
export interface Choice {
  /** Whether the server has refused a token whose creator chose its identifiers. */
  isRefused: boolean;
}

type Probed = { readonly id: string; readonly global: boolean };
type TokenKind = WireKind<Token, TokenStub, TokenInput, TokenUpdate, Probed>;

/** The requests for tokens. Nothing of a token is unique but its identifiers. */
export class TokenRequests extends Requests<Token, TokenStub, TokenInput, TokenUpdate, Probed> {
  constructor(
    connection: Connection,
    kind: TokenKind,
    shared: SharedKind<TokenStub>,
    private readonly choice: Choice,
  ) {
    super(connection, kind, shared);
  }

  /** Whether the creator of such a token may choose its identifiers, as far as is known. Servers let no management token be chosen. */
  takesChosen({ type }: Pick<TokenInput, "type">): boolean {
    return type === "client" && !this.choice.isRefused;
  }

  /**
   * Creates a token. A server before 2.0.3 takes identifiers that are chosen for those of a token to be updated: it finds none, says so, and
   * has written nothing. Then none is chosen any more.
   *
   * @returns undefined if the server lets nobody choose
   */
  async createChosen(input: TokenInput): Promise<Token | undefined> {
    try {
      return await this.create(input);
    } catch (error) {
      if (!isApiError(error) || !error.says(/\bcannot find token\b/i)) throw error;
      this.choice.isRefused = true;
      return undefined;
    }
  }
}
