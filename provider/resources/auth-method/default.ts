import type { AuthMethod, AuthMethodUpdate } from "../../apis/cluster-acl/client";
import { isApiError, isNotFound } from "../../apis/http/errors";
import { isMadeAnew, isOlderThanKnown } from "../../lifecycle/age";
import { lockOfWrites } from "../../lifecycle/write";
import { UserError } from "../../model/user-error";
import type { CallContext } from "../../operation/call-context";
import type { DefaultDiff } from "../../operation/default-methods";
import { configFromWire, configToUpdate, hasNoHash } from "./config";
import { labelOf, presenceOfMethod } from "./presence";
import { refuseUnchangeable } from "./without-hash";

/**
 * Runs a write that may make this method the default. If another method of this program is still the default, and this update takes the
 * default from it or replaces it under another name, the default is first taken from it, independent of the order of the engine's calls.
 */
export async function handingOver(
  context: CallContext,
  news: { readonly name: string; readonly default: boolean },
  write: () => Promise<AuthMethod>,
): Promise<AuthMethod> {
  try {
    return await write();
  } catch (error) {
    const presentDefault = defaultIn(error);
    if (!news.default || !presentDefault) throw error;
    const diff = await context.operation.defaults.diffOf(presentDefault);
    const demotion = diff?.leaves ? await demote(context, presentDefault, diff) : "not ours";
    if (demotion === "not ours") {
      throw new UserError(
        "default-taken",
        `default: ${labelOf(news.name)} can't be the default, because ${JSON.stringify(presentDefault)} is, and a cluster has one. Nothing was changed. ` +
          "Set the default of that one to false where it is managed: in this program in an earlier update, if it is being removed or depends on this one.",
        { cause: error },
      );
    }
    try {
      return await write();
    } catch (failure) {
      if (demotion === "taken") {
        context.warn(
          `The default was taken from ${labelOf(presentDefault)} for ${labelOf(news.name)}, and the write of that failed: a login that names no method may find none. Run the update ` +
            "again soon; `pulumi refresh` shows which method has the default.",
        );
      }
      throw failure;
    }
  }
}

/** The method that a server names in the error for a second default. */
function defaultIn(error: unknown): string | undefined {
  return isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
}

/**
 * Takes the default from a method. Waits for an update of the method that is under way: the hash in its response must be the last one,
 * because a later one would look like a change by others.
 *
 * @returns "free" if it does not have the default any more, "not ours" if it is not the method of the diff
 */
function demote(context: CallContext, name: string, diff: DefaultDiff): Promise<"taken" | "free" | "not ours"> {
  const { method: known } = diff;
  const cluster = context.cluster();
  return context.operation.withLock(methodKey(name), async () => {
    // An older copy would be sent as a whole to a server that keeps no field that is left out.
    const remote = await presenceOfMethod(context, name, known).read({ isOlder: (one) => isOlderThanKnown(one, known, cluster.server) });
    // Already deleted, by a replacement.
    if (!remote) return "free";
    if (isMadeAnew(remote, known, cluster.server)) return "not ours";
    if (!remote.default) return "free";
    try {
      const demoted = await cluster.methods.update(name, { ...restOf(remote, diff), default: false });
      context.operation.defaults.recordDemotion(name, remote.hash, demoted.hash);
      return "taken";
    } catch (error) {
      // Deleted since it was read: its replacement, or others, were faster.
      if (!isNotFound(error)) throw error;
      return "free";
    }
  });
}

/**
 * The body that does not change a method: a server without hashes erases what a body leaves out.
 *
 * @throws when an unknown secret would be lost
 */
function restOf(method: AuthMethod, { method: known, config = {}, ignores = () => false }: DefaultDiff): AuthMethodUpdate {
  const { name, type, tokenLocality, tokenNameFormat } = method;
  if (!hasNoHash(method)) return { name };
  const maxTokenTtl = method.maxTokenTtl || known.maxTokenTtl;
  const label = `${labelOf(name)}, from which the default is to be taken`;
  const sent = configFromWire(method.config, config);
  refuseUnchangeable(method, { label, news: { type, config: sent }, changed: ["default"] }, byDeletingFirst);
  try {
    const whole = configToUpdate({ known: { config }, sent, remote: method, ignores });
    return { name, maxTokenTtl, type, tokenLocality, tokenNameFormat, ...(whole ? { config: whole } : {}) };
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.code, `${label}: ${error.message}`, { cause: error }) : error;
  }
}

/** The remedy for a method from which no update can take the default. */
const byDeletingFirst =
  "Leave its name and its default as they are; or have it deleted first, with deleteBeforeReplace: true in the program, and `pulumi up --replace URN` if it keeps its name: " +
  "until the new one exists, nobody can log in with it.";

/** The key of the lock for writes of one method. */
function methodKey(name: string): string {
  return lockOfWrites("AclAuthMethod", name);
}
