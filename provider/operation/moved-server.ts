import { howToAcceptMovedServer } from "../configuration/config";
import { UserError } from "../model/user-error";

/** The server of an object in the state, and the one that is configured instead. */
export interface Move {
  readonly before: string;
  readonly configured: string;
}

/**
 * What the diffs and deletes of one operation have shown of a state on another server than the configured one. A create has no state: without
 * such a diff nobody can know.
 */
export class MovedServer {
  private readonly moves = new Map<string, Move>();
  private readonly identities = new Set<string>();

  /** @param identity of the object with the program's new inputs, in a diff */
  record(move: Move, identity?: string): void {
    this.moves.set(move.configured, move);
    if (identity !== undefined) this.identities.add(identity);
  }

  /** The move to this server; undefined if no diff or delete has shown one. */
  moveTo(configured: string): Move | undefined {
    return this.moves.get(configured);
  }

  /** Whether the new object of a create is that of a replacement. */
  isReplacement(identity: string): boolean {
    return this.identities.has(identity);
  }

  /** The warning of a replacement. It creates before it deletes, so only the delete would show that the configured server is wrong. */
  replacementMessage(object: string, move: Move): string {
    const { before, configured } = move;
    return (
      `${object} is on ${before} in the state, but ${configured} is configured: the replacement creates the new object on ${configured}. The update refuses that. ` +
      wayOn(move)
    );
  }

  replacementError(label: string, move: Move): UserError {
    const { before, configured } = move;
    return new UserError(
      "replacement-elsewhere",
      `${label}: nothing was created on ${configured}, which is configured, because the object that it replaces is on ${before} in the state. ${wayOn(move)}`,
    );
  }

  /** The warning of creates that replace nothing: nobody knows where they belong. */
  createMessage(move: Move): string {
    const { before, configured } = move;
    return `New objects are created on ${configured}, which is configured, but the state has objects of this stack on ${before}. ${wayOn(move)}`;
  }
}

function wayOn({ before, configured }: Move): string {
  return `Configure ${before} again; or, if ${configured} is the same service under a new address, or takes its place, ${howToAcceptMovedServer}.`;
}
