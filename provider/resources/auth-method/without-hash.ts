import { UserError } from "../../../common/user-error";
import type { AuthMethod } from "../../apis/cluster/client";
import { differences } from "../../model/diff";
import { propertiesOf } from "../../model/fields";
import type { Properties } from "../../model/remote";
import { listOf } from "../../model/text";
import type { CallContext } from "../../operation/call-context";
import { config, configFromWire, hasNoHash } from "./config";

/** The properties of `config` that servers without a hash set at a create only. */
const createOnly = [
  "jwtValidationPubKeys",
  "jwksUrl",
  "jwksCaCert",
  "expirationLeeway",
  "notBeforeLeeway",
  "clockSkewLeeway",
  "verboseLogging",
];

/**
 * The remedy for a refused update. A method is not replaced automatically: its name is its ID, so the old method, with all its logins,
 * would be deleted first. A preview does not read the method, so it does not show the refusal.
 */
export const byReplacing =
  "Undo the change in the program, or have the method made anew: `pulumi up --replace URN`, with deleteBeforeReplace: true in the program, deletes it first: " +
  "until the new one exists, nobody can log in with it.";

/** An update before it is sent. */
interface MethodUpdate {
  readonly label: string;
  readonly news: { readonly type: string; readonly config: Properties };
  /** The paths of the changed properties. */
  readonly changed: readonly string[];
}

/**
 * @param resolution how to make the change all the same
 * @throws when the server can't make this change, and an update might erase parts of the method
 */
export function refuseUnchangeable(method: AuthMethod, { label, news, changed }: MethodUpdate, resolution: string): void {
  if (!hasNoHash(method)) return;
  const isOfJwt = [method.type, news.type].includes("JWT");
  const fields = new Map([...propertiesOf(config)].filter(([name]) => createOnly.includes(name)));
  const fixed = differences(fields, configFromWire(method.config, undefined), news.config).map((name) => `config.${name}`);
  if (!isOfJwt && fixed.length === 0) return;
  const refused = isOfJwt ? (changed.length > 0 ? changed : ["type"]) : fixed;
  const why = isOfJwt ? "a method of type JWT can't be updated, nor become one by an update" : "only a create sets this";
  throw new UserError(
    "method-not-updatable",
    `${listOf(refused)}: ${label}: on this server ${why}. It gives no hash of auth methods, so it follows the API's document. Nothing was sent. ${resolution}`,
  );
}

/** Warns once in an operation that a server without hashes hides changes of secrets. */
export function warnOfUnseen(context: CallContext, server: string, method: AuthMethod): void {
  if (!hasNoHash(method) || method.type !== "OIDC") return;
  context.warn(
    `${server} gives no hash of auth methods, so a change of a client secret by others is no drift. Each update of a method writes the program's secret again.`,
  );
}

/** The remedy for a method that is not in the state yet. */
export const byDeleting =
  "Make the inputs equal to those of the server, to take it over as it is; or delete it by hand, and run the update again: until the new one exists, nobody can log in with it.";

/** Whether every update of the method is refused. */
export function isImmutable(method: AuthMethod): boolean {
  return hasNoHash(method) && method.type === "JWT";
}
