import { ownProperty } from "../../common/own-property";
import { isRecord, recordOf } from "../../common/unknown";
import { isSecret, replaced, secretMarker } from "../inventory/inventory";
import { deploymentOf, type StoredResource } from "../inventory/state";
import type { TerraformResource } from "./state";

/** Types of the bridged provider, which are Terraform's in another spelling: `nomad:index/aclRole:AclRole` is `nomad_acl_role`. */
const token = /^nomad:index\/(\w+):\w+$/;

/**
 * Terraform's names of properties that the bridge renames, or that `inventory.ts` reads by name. The keys are paths in the bridged
 * resource. All other names differ in case and underscores alone.
 */
const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nomad_acl_policy: { rulesHcl: "rules_hcl" },
  nomad_acl_role: { policies: "policy" },
  nomad_acl_token: { roles: "role", expirationTtl: "expiration_ttl", expirationTime: "expiration_time" },
  nomad_acl_auth_method: {
    "config.boundIssuers": "bound_issuer",
    "config.discoveryCaPems": "discovery_ca_pem",
    "config.oidcClientAssertion.audiences": "audience",
  },
};

/**
 * Reads the resources of Pulumi's Nomad provider, a bridged Terraform provider, in Terraform's form from the output of
 * `pulumi stack export`.
 *
 * @returns the resources in reverse order of the state, so dependents come first
 * @throws CommandError without any value of the text
 */
export function parseBridged(text: string, source: string): TerraformResource[] {
  return deploymentOf(text, source)
    .stored.flatMap((one) => toTerraform(one) ?? [])
    .reverse();
}

function toTerraform({ urn, type, id, inputs = {}, outputs = {}, ...one }: StoredResource): TerraformResource | undefined {
  const name = token.exec(type)?.[1];
  // An object deleted by an unfinished replacement is on no server.
  if (name === undefined || one.pendingReplacement) return undefined;
  const terraformType = `nomad_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const values = readOutput(outputs, inputs, { path: "", renamed: names[terraformType] ?? {} });
  return {
    address: urn,
    mode: one.external ? "data" : "managed",
    type: terraformType,
    name: urn.split("::").slice(3).join("::"),
    values: { ...recordOf(values), id },
    // The marks are `true` for each secret, and undefined for every other value.
    marks: replaced(values, (part) => (typeof part === "object" && part !== null ? undefined : part === secretMarker)),
    isDeposed: one.delete === true,
    isProtected: one.protect,
  };
}

/** The path of a value, and the names that differ. */
interface Place {
  readonly path: string;
  readonly renamed: Readonly<Record<string, string>>;
}

/**
 * A value with its secrets as markers. @param given the program's input. The bridge also marks unset values as secrets: without an input,
 * there is no value
 */
function readOutput(output: unknown, given: unknown, { path, renamed }: Place): unknown {
  if (isSecret(output)) return given === undefined ? undefined : secretMarker;
  if (Array.isArray(output)) {
    return output.map((item: unknown, index) => readOutput(item, Array.isArray(given) ? given[index] : given, { path, renamed }));
  }
  if (!isRecord(output)) return output;
  const entries = Object.entries(output).map(([key, item]) => {
    const place = { path: path === "" ? key : `${path}.${key}`, renamed };
    const below = isSecret(given) ? given : isRecord(given) ? ownProperty(given, key) : undefined;
    return [ownProperty(renamed, place.path) ?? key, readOutput(item, below, place)];
  });
  return Object.fromEntries(entries);
}
