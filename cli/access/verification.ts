import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import { changesOf } from "../../provider/internal";
import { type Inventory, type InventoryObject, isUncertain, resourceOf, secretMarker } from "../inventory/inventory";

/** A method whose configuration for checking logins changes, or may change. Mappings of claims are not included. */
export interface VerificationChange {
  readonly method: string;
  /** The properties of `config` that differ, without their values. */
  readonly differing: readonly string[];
  /** The lists of accepted values that accept fewer values. */
  readonly shorter: readonly string[];
  /** The properties that are secret or unknown on at least one side. */
  readonly hidden: readonly string[];
  /** The properties of the cluster's own login that differ, and that at least one side knows. */
  readonly own: readonly string[];
}

/** The properties of the cluster's own login to the identity provider. */
const ofCluster: ReadonlySet<string> = new Set(["oidcClientSecret", "oidcClientAssertion", "oidcEnablePkce"]);
/** The same properties, as parts of a method. */
export const howClusterLogsIn: ReadonlySet<string> = new Set([...ofCluster].map((name) => `config.${name}`));

/** The properties that don't affect who may log in. Mappings are compared by their effect on rules. */
const others: ReadonlySet<string> = new Set(["claimMappings", "listClaimMappings", "verboseLogging", ...ofCluster]);

/** The properties that servers ignore in methods of type OIDC. */
const onlyForJwt: ReadonlySet<string> = new Set(["boundIssuer", "clockSkewLeeway", "expirationLeeway", "notBeforeLeeway"]);

/** Lists of accepted values. A login must have a value of each list. */
const accepting: ReadonlySet<string> = new Set(["allowedRedirectUris", "boundAudiences", "boundIssuer", "signingAlgs"]);
/** Lists that accept all values if they are empty. */
const acceptingAll: ReadonlySet<string> = new Set(["boundAudiences", "boundIssuer"]);

/** @param unchanged the URNs of the resources that an update does not change, so their secrets are equal */
export function verificationChanges(before: Inventory, after: Inventory, unchanged: ReadonlySet<string>): VerificationChange[] {
  const old = new Map(before.objects.flatMap((object) => methodIn(object) ?? []).map((method) => [method.name, method]));
  return after.objects.flatMap((object) => {
    const now = methodIn(object);
    const was = now && old.get(now.name);
    if (!was || (object.urn !== undefined && unchanged.has(object.urn))) return [];
    const isHidden = (name: string) => [was, now].some(({ config }) => isUncertain(ownProperty(config, name)));
    const hidden = [...fields().keys()].filter((name) => !others.has(name) && isHidden(name));
    const changed = new Set(changesOf(fields(), was.config, now.config).map(({ path: [name] }) => String(name)));
    const isShorter = (name: string) => {
      const [old, rest] = [was, now].map(({ config }) => ownProperty(config, name) ?? []);
      if (!accepting.has(name) || !Array.isArray(old) || !Array.isArray(rest) || rest.length === 0) return false;
      return (old.length === 0 && acceptingAll.has(name)) || rest.every((one) => old.includes(one));
    };
    const isIgnored = (name: string) => onlyForJwt.has(name) && [was, now].every(({ type }) => type === "OIDC");
    const known = [...changed].filter((name) => !others.has(name) && !hidden.includes(name) && !isIgnored(name));
    const [shorter, differing] = [known.filter(isShorter), known.filter((name) => !isShorter(name))];
    const isCertain = (name: string) => [was, now].some(({ config }) => !isUncertain(ownProperty(config, name)));
    const ownChanges = [...changed].filter((name) => ofCluster.has(name) && isCertain(name));
    const isEqual = known.length + hidden.length + ownChanges.length === 0;
    return isEqual ? [] : [{ method: now.name, differing, shorter, hidden, own: ownChanges }];
  });
}

function fields() {
  const shape = resourceOf("AclAuthMethod")?.inputs.get("config")?.shape;
  if (shape?.kind !== "object") throw new Error("an auth method has no configuration");
  return shape.properties;
}

function methodIn({ kind, outputs: { name, type, config } }: InventoryObject) {
  const isKnown = kind === "AclAuthMethod" && typeof name === "string" && name !== secretMarker && isRecord(config);
  return isKnown ? { name, type, config } : undefined;
}
