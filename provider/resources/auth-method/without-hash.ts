import type { AuthMethod } from "../../apis/cluster-acl/client";
import type { CallContext } from "../../context/call-context";
import { formatPath, type Path } from "../../model/check";
import { propertiesOf } from "../../model/fields";
import { differences } from "../../model/inputs";
import type { Properties } from "../../model/remote";
import { listOf } from "../../model/text";
import { UserError } from "../../model/user-error";
import { config, configFromWire, hasNoHash } from "./config";

/** The properties of `config` that only a create can set there. */
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
 * Not replaced without being asked: the name is the ID, so that the old method goes first, with every login by it, and the rules that take its name from it.
 * Only the response of the server shows that it is of this kind; a preview can only warn.
 */
const byReplacing =
  "Nothing was sent. Undo the change in the program; or have the method made anew, for which `pulumi up --replace URN`, with deleteBeforeReplace: true in the program, deletes it first: " +
  "nobody can log in with it until the new one is there.";

/** An update that is about to be sent. */
interface MethodUpdate {
  readonly label: string;
  readonly wanted: { readonly type: string; readonly config: Properties };
  /** The paths of what the update changes. */
  readonly changed: readonly string[];
}

/**
 * @param resolution how to make the change all the same
 * @throws when the server can't make this change, and an update might erase parts of the method
 */
export function refuseUnchangeable(method: AuthMethod, { label, wanted, changed }: MethodUpdate, resolution = byReplacing): void {
  if (!hasNoHash(method)) return;
  if ([method.type, wanted.type].includes("JWT")) {
    throw new UserError(
      "method-not-updatable",
      `${listOf(changed.length > 0 ? changed : ["type"])}: ${label}: on this server a method of type JWT can't be updated, nor become one by an update. It gives no hash of auth methods, as the API's document has it, and that lets an update take OIDC alone. ${resolution}`,
    );
  }
  const fields = new Map([...propertiesOf(config)].filter(([name]) => createOnly.includes(name)));
  const fixed = differences(fields, configFromWire(method.config, undefined), wanted.config).map((name) => `config.${name}`);
  if (fixed.length === 0) return;
  throw new UserError(
    "method-not-updatable",
    `${listOf(fixed)}: ${label}: on this server only a create sets ${fixed.length > 1 ? "these" : "this"}. It gives no hash of auth methods, as the API's document has it, and that leaves no room for them in an update. ${resolution}`,
  );
}

/**
 * Warns of an update that such a server refuses. A preview asks no server, and a state without a hash is mostly of one that gives none.
 *
 * @param changed the paths of what the update changes
 */
export function warnOfUnchangeable(
  context: CallContext,
  label: string,
  { olds, news, changed }: { readonly olds: Properties; readonly news: Properties; readonly changed: readonly Path[] },
): void {
  if (olds.hash) return;
  const isOfJwt = [olds.type, news.type].includes("JWT");
  const refused = isOfJwt ? changed : changed.filter(([top, property]) => top === "config" && createOnly.includes(String(property)));
  if (refused.length === 0) return;
  context.warn(
    `${listOf(refused.map((path) => formatPath(path)))}: ${label}: a server that gives no hash may refuse this update, and the state has no hash of this method. ` +
      `By the API's document, ${isOfJwt ? "an update takes methods of type OIDC alone" : "only a create sets this"}. Then nothing is sent, and the update fails. Where it does, have the method made anew: ` +
      "`pulumi up --replace URN`, with deleteBeforeReplace: true in the program, deletes it first, and nobody can log in with it until the new one is there.",
  );
}

/** Warns once in an operation of what such a server does not show. */
export function warnOfUnseen(context: CallContext, server: string, method: AuthMethod): void {
  if (!hasNoHash(method) || method.type !== "OIDC") return;
  context.warn(
    `${server} gives no hash of auth methods, so that nobody can see whether others have changed a client secret: it is no drift. Each update of a method writes the program's secret again.`,
  );
}

/** The remedy for a method that is not in the state yet. */
export const byDeleting =
  "Nothing was sent. Make the inputs equal to what is there: then it is taken over as it is. Or delete it by hand, and run the update again: nobody can log in with it until the new one is there.";

/** Whether every update of the method is refused. */
export function isFixed(method: AuthMethod): boolean {
  return hasNoHash(method) && method.type === "JWT";
}
