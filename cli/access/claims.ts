import { ClaimsError, parseClaims, type ReadClaims } from "../../access/claims-text";
import { CommandError } from "../command-line";
import { textOf } from "../input";

/** The claims in a file, or of standard input for "-": JSON or a token. @throws CommandError which says where the mistake is */
export async function readClaims(path: string): Promise<ReadClaims> {
  const text = await textOf(path);
  try {
    return parseClaims(text.trim(), path === "-" ? "Standard input" : path);
  } catch (error) {
    throw error instanceof ClaimsError ? new CommandError(error.message) : error;
  }
}
