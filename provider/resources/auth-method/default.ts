import type { AuthMethod, AuthMethodUpdate, ClusterAclClient } from "../../apis/cluster-acl/client";
import { isApiError } from "../../apis/http/errors";
import { readOrMissing } from "../../context/certainty";
import type { DefaultVerdict } from "../../context/memory";
import type { Operation } from "../../context/operation";
import { Problem } from "../../model/problem";
import { writesOf } from "../../model/resource";
import { configFromWire, configToUpdate, isUnhashed } from "./config";
import { refuseUnchangeable } from "./unhashed";

/**
 * Runs a write that may make this method the default. Where another method of this program is the default still and this update takes that from
 * it, it is taken first, whichever write the engine sends first.
 */
export async function handingOver(
  operation: Operation,
  cluster: ClusterAclClient,
  wanted: { readonly name: string; readonly default: boolean },
  send: () => Promise<AuthMethod>,
): Promise<AuthMethod> {
  try {
    return await send();
  } catch (error) {
    const holder = isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
    if (!wanted.default || !holder) throw error;
    const verdict = await operation.memory.defaults.verdictOn(holder);
    const isOurs = verdict?.leaves ? await demote(operation, cluster, holder, verdict) : false;
    if (!isOurs) {
      throw new Problem(
        `default: ACL auth method ${JSON.stringify(wanted.name)} can't be the default, because ${JSON.stringify(holder)} is, and there is one default in a cluster. Nothing was changed. ` +
          `If ${JSON.stringify(holder)} belongs to this program, set its default to false (in an earlier update if it is being removed, or depends on this one); if not, change it where it is managed.`,
        { cause: error },
      );
    }
    return send();
  }
}

/**
 * Takes the default from a method. Not while its own update is under way, whose answer must be of the last write: a hash that came later would
 * look like a change by others.
 *
 * @returns false when the method is not the one that was made at that time, so that nothing may be taken from it
 */
function demote(operation: Operation, cluster: ClusterAclClient, name: string, verdict: DefaultVerdict): Promise<boolean> {
  return operation.memory.exclusively(methodKey(name), async () => {
    const current = await readOrMissing(() => cluster.readAuthMethod(name));
    // Its own delete, of a replacement, came first.
    if (!current) return true;
    if (verdict.createTime && verdict.createTime !== current.createTime) return false;
    if (!current.default) return true;
    const demoted = await cluster.updateAuthMethod(name, { ...restOf(current, verdict), default: false });
    operation.memory.defaults.demoted(name, current.hash, demoted.hash);
    return true;
  });
}

/**
 * The body that leaves a method as it is: a server without hashes loses whatever a body leaves out.
 *
 * @throws when nobody knows a secret that would be lost
 */
function restOf(method: AuthMethod, { config = {}, ignores = () => false }: DefaultVerdict): AuthMethodUpdate {
  const { name, maxTokenTtl, type, tokenLocality, tokenNameFormat } = method;
  if (!isUnhashed(method)) return { name, maxTokenTtl };
  const label = `ACL auth method ${JSON.stringify(name)}, from which the default is to be taken`;
  const sent = configFromWire(method.config, config);
  refuseUnchangeable(label, method, { type, config: sent });
  try {
    const whole = configToUpdate({ known: { config }, sent, current: method, ignores });
    return { name, maxTokenTtl, type, tokenLocality, tokenNameFormat, ...(whole ? { config: whole } : {}) };
  } catch (error) {
    throw error instanceof Problem ? new Problem(`${label}: ${error.message}`, { cause: error }) : error;
  }
}

/** What writes of one method queue up under. */
export function methodKey(name: string): string {
  return writesOf("AclAuthMethod", name);
}
