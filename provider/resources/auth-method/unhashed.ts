import type { AuthMethod } from "../../apis/cluster-acl/client";
import type { Operation } from "../../context/operation";
import { propertiesOf } from "../../model/fields";
import { Problem } from "../../model/problem";
import { differences, list, type Properties } from "../../model/resource";
import { config, configFromWire, isUnhashed } from "./config";

/** What of `config` only a create takes there. */
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
 * And that the server is of this kind only its response tells, and no preview knows.
 */
const byReplacing =
  "Nothing was sent. Undo the change in the program; or have the method made anew, for which `pulumi up --replace URN`, with deleteBeforeReplace: true in the program, deletes it first: " +
  "nobody can log in with it until the new one is there.";

/**
 * @param wayOn how to have it all the same
 * @throws when the server never makes of the method what it is to be, and an update might leave less of it than there is
 */
export function refuseUnchangeable(
  label: string,
  method: AuthMethod,
  wanted: { readonly type: string; readonly config: Properties },
  wayOn = byReplacing,
): void {
  if (!isUnhashed(method)) return;
  if ([method.type, wanted.type].includes("JWT")) {
    throw new Problem(
      `type: ${label}: on this server a method of type JWT can't be updated, nor become one by an update. It gives no hash of auth methods, as the API's document has it, and that lets an update take OIDC alone. ${wayOn}`,
    );
  }
  const fields = new Map([...propertiesOf(config)].filter(([name]) => createOnly.includes(name)));
  const changed = differences(fields, configFromWire(method.config, undefined), wanted.config).map((name) => `config.${name}`);
  if (changed.length === 0) return;
  throw new Problem(
    `${list(changed)}: ${label}: on this server only a create sets ${changed.length > 1 ? "these" : "this"}. It gives no hash of auth methods, as the API's document has it, and that leaves no room for them in an update. ${wayOn}`,
  );
}

/** Says once in an operation what can't be seen on such a server. */
export function warnOfUnseen(operation: Operation, server: string, method: AuthMethod): void {
  if (!isUnhashed(method) || method.type !== "OIDC") return;
  operation.warn(
    `${server} gives no hash of auth methods, so that nobody can see whether others have changed a client secret: it is no drift. Each update of a method writes the program's secret again.`,
  );
}
