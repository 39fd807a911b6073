import { changesOf } from "../../provider/model/diff";
import { own } from "../../provider/model/own";
import { isRecord } from "../../provider/model/unknown";
import { holdsSecret, type Inventory, type InventoryObject, resourceOf, secretMarker } from "../inventory/inventory";

/** A method that checks logins otherwise than before, such as by other keys or for other audiences: who that is, its files don't say. */
export interface VerificationChange {
  readonly method: string;
  /** Those of `config` that differ, without their values. */
  readonly properties: readonly string[];
}

/** What of a configuration does not say who may log in. Mappings are compared by what rules make of them. */
const others: ReadonlySet<string> = new Set(["claimMappings", "listClaimMappings", "oidcClientSecret", "verboseLogging"]);

/** @param unchanged the URNs of the resources that an update leaves as they are: what is secret of them is the same */
export function verificationChanges(before: Inventory, after: Inventory, unchanged: ReadonlySet<string>): VerificationChange[] {
  const old = new Map(before.objects.flatMap((object) => methodIn(object) ?? []).map((method) => [method.name, method]));
  return after.objects.flatMap((object) => {
    const now = methodIn(object);
    const was = now && old.get(now.name);
    if (!was || (object.urn !== undefined && unchanged.has(object.urn))) return [];
    const differing = changesOf(fields(), was.config, now.config).map(({ path: [name] }) => String(name));
    const hidden = [...fields().keys()].filter((name) => holdsSecret(own(was.config, name)) && holdsSecret(own(now.config, name)));
    const properties = [...new Set([...differing, ...hidden])].filter((name) => !others.has(name));
    return properties.length > 0 ? [{ method: now.name, properties }] : [];
  });
}

function fields() {
  const shape = resourceOf("AclAuthMethod")?.inputs.get("config")?.shape;
  if (shape?.kind !== "object") throw new Error("an auth method has no configuration");
  return shape.properties;
}

function methodIn({ kind, outputs: { name, config } }: InventoryObject) {
  const isKnown = kind === "AclAuthMethod" && typeof name === "string" && name !== secretMarker && isRecord(config);
  return isKnown ? { name, config } : undefined;
}
