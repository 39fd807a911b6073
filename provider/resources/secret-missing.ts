import { UserError } from "../../common/user-error";

/**
 * The error for a token whose create has returned no secret. The token is on the server, and of no use to anyone. A token that it was to
 * replace stays.
 */
export function secretMissingError(label: string, server: string): UserError {
  return new UserError(
    "secret-missing",
    `${label} on ${server} was created, but the response lacks its secret, so nobody can use it. Delete it by hand: the state does not have it. ` +
      "Look for a proxy that changes responses, then run the update again: it makes another, and a token that this one was to replace stays until then.",
  );
}
