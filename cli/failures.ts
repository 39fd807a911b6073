import { isApiError } from "../provider/apis/http/errors";
import { UserError } from "../provider/model/user-error";
import { CommandError } from "./command-line";

/** Runs work whose errors of servers and of the configuration end the command with their message, and not with a stack. */
export async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isApiError(error) || error instanceof UserError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
