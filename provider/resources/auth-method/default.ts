import type { AuthMethod, AuthMethodUpdate } from "../../apis/cluster-acl/client";
import { isApiError, isNotFound } from "../../apis/http/errors";
import { isMadeAnew, isOlderThanKnown } from "../../lifecycle/age";
import { writesOf } from "../../lifecycle/write";
import { UserError } from "../../model/user-error";
import type { CallContext } from "../../operation/call-context";
import type { DefaultDiff } from "../../operation/default-methods";
import { configFromWire, configToUpdate, hasNoHash } from "./config";
import { labelOf, presenceOfMethod } from "./presence";
import { refuseUnchangeable } from "./without-hash";

/**
 * Runs a write that may make this method the default. If another method of this program is still the default, and this update takes the
 * default from it or replaces it under another name, the default is first taken from it, independent of the order of the engine's calls,
 * and given back if this write then fails.
 */
export async function handingOver(
  context: CallContext,
  news: { readonly name: string; readonly default: boolean },
  write: () => Promise<AuthMethod>,
): Promise<AuthMethod> {
  const send = async () => {
    const response = await write();
    context.operation.defaults.clearDemotion(news.name);
    return response;
  };
  try {
    return await send();
  } catch (error) {
    const presentDefault = defaultIn(error);
    if (!news.default || !presentDefault) throw error;
    const diff = await context.operation.defaults.diffOf(presentDefault);
    const demotion = diff?.leaves ? await demote(context, presentDefault, diff) : notOurs;
    if (demotion === notOurs) {
      throw new UserError(
        "default-taken",
        `default: ${labelOf(news.name)} can't be the default, because ${JSON.stringify(presentDefault)} is, and a cluster has one. Nothing was changed. ` +
          "Set the default of that one to false where it is managed: in this program in an earlier update, if it is being removed or depends on this one.",
        { cause: error },
      );
    }
    try {
      return await send();
    } catch (failure) {
      throw demotion ? await withDefaultGivenBack(context, news.name, demotion, failure) : failure;
    }
  }
}

/** The method that a server names in the error for a second default. */
function defaultIn(error: unknown): string | undefined {
  return isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
}

/** The method that is the default is not the one of the diff. */
const notOurs = Symbol("not ours");

/** The method from which the default was taken, and the update that gives it back. */
interface Demotion {
  readonly hashBefore: string;
  readonly undo: AuthMethodUpdate;
}

/**
 * Takes the default from a method. Waits for an update of the method that is under way: the hash in its response must be the last one,
 * because a later one would look like a change by others.
 *
 * @returns undefined if it does not have the default any more, and nothing was written
 */
function demote(context: CallContext, name: string, diff: DefaultDiff): Promise<Demotion | typeof notOurs | undefined> {
  const { method: known } = diff;
  const cluster = context.cluster();
  return context.operation.withLock(methodKey(name), async () => {
    // An older copy would be sent as a whole to a server that keeps no field that is left out.
    const remote = await presenceOfMethod(context, name, known).read({ isOlder: (one) => isOlderThanKnown(one, known, cluster.server) });
    // Already deleted, by a replacement.
    if (!remote) return undefined;
    if (isMadeAnew(remote, known, cluster.server)) return notOurs;
    if (!remote.default) return undefined;
    const rest = restOf(remote, diff);
    const demoted = await cluster.methods.update(name, { ...rest, default: false }).catch((error: unknown) => {
      // Deleted since it was read: its replacement, or others, were faster.
      if (!isNotFound(error)) throw error;
    });
    if (!demoted) return undefined;
    context.operation.defaults.recordDemotion(name, remote.hash, demoted.hash);
    return { hashBefore: remote.hash, undo: { ...rest, default: true } };
  });
}

/**
 * The write for which the default was taken from another method has failed: that method gets it back, because the state says that it has
 * it, unless its own update has given it up meanwhile.
 *
 * @returns the error of the write, which names the default if it could not be given back
 */
function withDefaultGivenBack(context: CallContext, successor: string, { hashBefore, undo }: Demotion, failure: unknown): Promise<unknown> {
  const { name } = undo;
  const { operation } = context;
  return operation.withLock(methodKey(name), async () => {
    if (!operation.defaults.isDemoted(name)) return failure;
    try {
      // Also after a cancellation, which prevents all other requests.
      const restored = await context.cluster().with({ report: context.progress }).methods.update(name, undo);
      operation.defaults.recordDemotion(name, hashBefore, restored.hash);
      return failure;
    } catch (refusal) {
      // The write took effect, and only its response was lost; or the old method does not exist any more.
      return defaultIn(refusal) === successor || isNotFound(refusal) ? failure : notGivenBack(name, failure, refusal);
    }
  });
}

function notGivenBack(name: string, failure: unknown, refusal: unknown): UserError {
  const [why, whyNot] = [failure, refusal].map((error) => (error instanceof Error ? error.message : String(error)));
  return new UserError(
    "default-not-given-back",
    `${why} The default had been taken from ${labelOf(name)} for this, and could not be given back: ${whyNot} It stays with default: false, so a login that names no method may find none. ` +
      "Run the update again, after `pulumi refresh` to see what the server has.",
    { cause: failure },
  );
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
  return writesOf("AclAuthMethod", name);
}
