import type { AuthMethod, AuthMethodUpdate, ClusterAclClient } from "../../apis/cluster-acl/client";
import { isApiError, isNotFound } from "../../apis/http/errors";
import type { CallContext } from "../../context/call-context";
import type { DefaultDiff } from "../../context/default-methods";
import { writesOf } from "../../model/fresh-write";
import { UserError } from "../../model/user-error";
import { configFromWire, configToUpdate, isUnhashed } from "./config";
import { isForeign, isOlder, labelOf, methodOf } from "./own";
import { refuseUnchangeable } from "./unhashed";

/**
 * Runs a write that may make this method the default. Where another method of this program is the default still, and this update takes that from it or replaces
 * it under another name, it is taken first, whichever write the engine sends first; and given back if this write fails after that.
 */
export async function handingOver(
  context: CallContext,
  cluster: ClusterAclClient,
  wanted: { readonly name: string; readonly default: boolean },
  write: () => Promise<AuthMethod>,
): Promise<AuthMethod> {
  const send = async () => {
    const response = await write();
    context.operation.defaults.clearDemotion(wanted.name);
    return response;
  };
  try {
    return await send();
  } catch (error) {
    const holder = holderIn(error);
    if (!wanted.default || !holder) throw error;
    const diff = await context.operation.defaults.diffOf(holder);
    const demotion = diff?.leaves ? await demote(context, cluster, holder, diff) : notOurs;
    if (demotion === notOurs) {
      throw new UserError(
        `default: ACL auth method ${JSON.stringify(wanted.name)} can't be the default, because ${JSON.stringify(holder)} is, and there is one default in a cluster. Nothing was changed. ` +
          `If ${JSON.stringify(holder)} belongs to this program, set its default to false (in an earlier update if it is being removed, or depends on this one); if not, change it where it is managed.`,
        { cause: error },
      );
    }
    try {
      return await send();
    } catch (failure) {
      throw demotion ? await withDefaultGivenBack(context, wanted.name, demotion, failure) : failure;
    }
  }
}

/** The method that a server names where it refuses a second default. */
function holderIn(error: unknown): string | undefined {
  return isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
}

/** The method that is the default is not the one that the diff is about. */
const notOurs = Symbol("not ours");

/** What was taken from a method, and the update that gives it back. */
interface Demotion {
  readonly hashBefore: string;
  readonly undo: AuthMethodUpdate;
}

/**
 * Takes the default from a method. Waits for an update of the method that is under way: the hash in its response must be the last one,
 * because a later one would look like a change by others.
 *
 * @returns undefined where it has the default no more, and nothing was written
 */
function demote(
  context: CallContext,
  cluster: ClusterAclClient,
  name: string,
  diff: DefaultDiff,
): Promise<Demotion | typeof notOurs | undefined> {
  const { method: known } = diff;
  return context.operation.withLock(methodKey(name), async () => {
    // Of an older copy all would be sent to a server that keeps nothing else.
    const current = await methodOf(context, name, known).read({ isOlder: (copy) => isOlder(copy, known, cluster.server) });
    // Its own delete, of a replacement, came first.
    if (!current) return undefined;
    if (isForeign(current, known)) return notOurs;
    if (!current.default) return undefined;
    const rest = restOf(current, diff);
    const demoted = await cluster.updateAuthMethod(name, { ...rest, default: false });
    context.operation.defaults.recordDemotion(name, current.hash, demoted.hash);
    return { hashBefore: current.hash, undo: { ...rest, default: true } };
  });
}

/**
 * The write for which the default was taken from another method has failed: that one gets it back, because the state says that it has it. Not where its own update
 * came meanwhile, and let go of it.
 *
 * @returns the error of the write, which says where the default is if it could not be given back
 */
function withDefaultGivenBack(context: CallContext, successor: string, { hashBefore, undo }: Demotion, failure: unknown): Promise<unknown> {
  const { name } = undo;
  const { operation } = context;
  return operation.withLock(methodKey(name), async () => {
    if (!operation.defaults.isDemoted(name)) return failure;
    try {
      // Also where the operation was cancelled, which lets nothing else begin.
      const restored = await context.cluster().with({ report: context.progress }).updateAuthMethod(name, undo);
      operation.defaults.recordDemotion(name, hashBefore, restored.hash);
      return failure;
    } catch (refusal) {
      // The write took place after all, and only its response was lost; or there is nothing left to give it to.
      return holderIn(refusal) === successor || isNotFound(refusal) ? failure : notGivenBack(name, failure, refusal);
    }
  });
}

function notGivenBack(name: string, failure: unknown, refusal: unknown): UserError {
  const [why, whyNot] = [failure, refusal].map((error) => (error instanceof Error ? error.message : String(error)));
  return new UserError(
    `${why} The default had been taken from ${labelOf(name)} for this, and could not be given back: ${whyNot} ${JSON.stringify(name)} is on the server still, with default: false, ` +
      "so that a login that names no method may find none. Run the update again; or run `pulumi refresh` first, to see what the server has.",
    { cause: failure },
  );
}

/**
 * The body that leaves a method as it is: a server without hashes loses whatever a body leaves out.
 *
 * @throws when nobody knows a secret that would be lost
 */
function restOf(method: AuthMethod, { method: known, config = {}, ignores = () => false }: DefaultDiff): AuthMethodUpdate {
  const { name, type, tokenLocality, tokenNameFormat } = method;
  if (!isUnhashed(method)) return { name };
  const maxTokenTtl = method.maxTokenTtl || known.maxTokenTtl;
  const label = `${labelOf(name)}, from which the default is to be taken`;
  const sent = configFromWire(method.config, config);
  refuseUnchangeable(method, { label, wanted: { type, config: sent }, changed: ["default"] }, byDeletingFirst);
  try {
    const whole = configToUpdate({ known: { config }, sent, current: method, ignores });
    return { name, maxTokenTtl, type, tokenLocality, tokenNameFormat, ...(whole ? { config: whole } : {}) };
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${label}: ${error.message}`, { cause: error }) : error;
  }
}

/** How a method goes from the default that no update can take it from. */
const byDeletingFirst =
  "Nothing was changed. Leave its name and its default as they are; or have it deleted first, with deleteBeforeReplace: true in the program, and `pulumi up --replace URN` where it keeps its " +
  "name: nobody can log in with it until the new one is there.";

/** What writes of one method queue up under. */
export function methodKey(name: string): string {
  return writesOf("AclAuthMethod", name);
}
