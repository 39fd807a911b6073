import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../provider/model/unknown";
import { secretMarker } from "../inventory/inventory";
import { deploymentOf, isSecret, type StoredResource } from "../inventory/state";
import type { TerraformResource } from "./state";

/** Terraform's type of a type of the bridged provider: `nomad:index/aclRole:AclRole` is `nomad_acl_role`. */
const token = /^nomad:index\/(\w+):\w+$/;

/** What the bridge calls otherwise, or is read by its name, by its path there. All other names differ in case and underscores alone. */
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
 * Reads the resources of Pulumi's Nomad provider, which is Terraform's bridged, as Terraform has them: from what `pulumi stack export` wrote.
 *
 * @returns those of a later entry first: none depends on one after it
 * @throws CommandError without any value of the text
 */
export function parseBridged(text: string, source: string): TerraformResource[] {
  return deploymentOf(text, source)
    .stored.flatMap((one) => toTerraform(one) ?? [])
    .reverse();
}

function toTerraform({ urn, type, id, inputs = {}, outputs = {}, ...one }: StoredResource): TerraformResource | undefined {
  const name = token.exec(type)?.[1];
  // What is deleted already, and is still to be made anew, is on no server.
  if (name === undefined || one.pendingReplacement) return undefined;
  const terraformType = `nomad_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const { value, mark } = readOutput(outputs, inputs, { path: "", renamed: names[terraformType] ?? {} });
  return {
    address: urn,
    mode: one.external ? "data" : "managed",
    type: terraformType,
    name: urn.split("::").slice(3).join("::"),
    values: { ...(isRecord(value) ? value : {}), id },
    marks: mark,
    isDeposed: one.delete === true,
    isProtected: one.protect,
  };
}

/** Where a value stands, and the names that differ. */
interface Place {
  readonly path: string;
  readonly renamed: Readonly<Record<string, string>>;
}

interface Read {
  readonly value: unknown;
  /** `true` in place of each secret. */
  readonly mark: unknown;
}

/** @param given what the program gave: the bridge also makes a secret of what nobody has set */
function readOutput(output: unknown, given: unknown, place: Place): Read {
  if (isSecret(output)) return given === undefined ? { value: undefined, mark: false } : { value: secretMarker, mark: true };
  if (Array.isArray(output)) {
    const items = output.map((item: unknown, index) => readOutput(item, Array.isArray(given) ? given[index] : given, place));
    return { value: items.map(({ value }) => value), mark: items.map(({ mark }) => mark) };
  }
  if (!isRecord(output)) return { value: output, mark: false };
  const entries = Object.entries(output).map(([key, item]): [string, Read] => {
    const path = place.path === "" ? key : `${place.path}.${key}`;
    const below = isSecret(given) ? given : isRecord(given) ? ownProperty(given, key) : undefined;
    return [ownProperty(place.renamed, path) ?? key, readOutput(item, below, { ...place, path })];
  });
  return {
    value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    mark: Object.fromEntries(entries.map(([key, { mark }]) => [key, mark])),
  };
}
