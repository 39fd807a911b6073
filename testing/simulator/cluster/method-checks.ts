import { readDuration } from "../../../common/durations";
import { formatDuration } from "./durations";
import type { AuthMethodConfig, MethodBody } from "./objects";
import { errorList, Refusal } from "./refusal";
import type { ClusterStore } from "./store";

/** The valid values of a method's fields. */
export interface MethodRules {
  readonly localities: readonly string[];
  readonly types: readonly string[];
  /** The errors in a Config; undefined if there are none. */
  configError(type: string, config: AuthMethodConfig | null): string | undefined;
}

/** All errors in a method, in the server's order. */
export function methodErrors(method: MethodBody, { localities, types, configError }: MethodRules, store: ClusterStore): string[] {
  const errors: string[] = [];
  if (!/^[a-zA-Z0-9-]{1,128}$/.test(method.Name)) errors.push(`invalid name '${method.Name}'`);
  if (!localities.includes(method.TokenLocality)) errors.push(`invalid token locality '${method.TokenLocality}'`);
  if (!types.includes(method.Type)) errors.push(`invalid token type '${method.Type}'`);
  const config = configError(method.Type, method.Config);
  if (config !== undefined) errors.push(`invalid config: ${config}`);
  const ttl = readDuration(method.MaxTokenTTL || "0s");
  const { minTokenTtl, maxTokenTtl } = store;
  if (ttl < minTokenTtl || ttl > maxTokenTtl) {
    const range = `between ${formatDuration(minTokenTtl)} and ${formatDuration(maxTokenTtl)}`;
    errors.push(`invalid MaxTokenTTL value '${formatDuration(ttl)}' (should be ${range})`);
  }
  return errors;
}

/** The errors in a Config. @param more returns the further errors of a Config for OIDC */
export function configError(
  type: string,
  config: AuthMethodConfig | null,
  more: (config: AuthMethodConfig) => string[],
): string | undefined {
  if (config === null) return "missing auth method Config";
  const { OIDCDiscoveryURL, OIDCClientID, JWKSURL, JWTValidationPubKeys } = config;
  const errors: string[] = [];
  if (type === "JWT" && OIDCDiscoveryURL === "" && JWKSURL === "" && !JWTValidationPubKeys?.length)
    errors.push("JWT auth method requires either OIDCDiscoveryURL, or JWKS URL, or JWTValidationPubKeys set");
  if (type === "OIDC") {
    if (OIDCDiscoveryURL === "") errors.push("missing OIDCDiscoveryURL");
    if (OIDCClientID === "") errors.push("missing OIDCClientID");
    errors.push(...more(config));
  }
  return errors.length > 1 ? errorList(errors) : errors[0];
}

/** @throws Refusal 400 for a second default method */
export function refuseSecondDefault(store: ClusterStore, { Name, Default }: MethodBody): void {
  const other = Default ? store.methods.all().find((method) => method.Default && method.Name !== Name) : undefined;
  if (other) throw new Refusal(400, `default method already exists: ${other.Name}`);
}
