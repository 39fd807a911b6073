import { readDuration } from "../../../common/durations";
import { canonicalAssertion } from "./assertion";
import { now, ZERO_TIME } from "./clock";
import { formatDuration } from "./durations";
import { configForm } from "./forms";
import { contentHash, unorderedEntries } from "./hash";
import type { AuthMethod, AuthMethodConfig, MethodBody, Stored } from "./objects";
import { unstored } from "./objects";
import type { StoredKind } from "./table";

/** A change that a test makes: the given fields replace the stored ones, including fields of Config; the rest stays. */
export type MethodChange = Partial<Omit<AuthMethod, "Config">> & { Name: string; Config?: Partial<AuthMethodConfig> };

export const methods: StoredKind<AuthMethod, MethodChange> = {
  keyOf: ({ Name }) => Name,
  changed: (change, methods) => changedMethod(methods.get(change.Name), change),
};

/** The TokenNameFormat that the server sets by default. */
export const DEFAULT_NAME_FORMAT = "$" + "{auth_method_type}-$" + "{auth_method_name}";

/** The stored form of a valid body: a new method, or a new version of the existing one. */
export function storedMethod(body: MethodBody & { Config: AuthMethodConfig }, existing: AuthMethod | undefined): AuthMethod {
  const time = now();
  const given = body.CreateTime === ZERO_TIME ? undefined : body.CreateTime;
  return hashed({ ...body, CreateTime: existing?.CreateTime ?? given ?? time, ModifyTime: time });
}

/** The method after a change by a test, which is not validated. */
function changedMethod(existing: AuthMethod | undefined, change: MethodChange): AuthMethod {
  const time = now();
  const blank = {
    MaxTokenTTL: "1h",
    Type: "OIDC",
    TokenLocality: "local",
    TokenNameFormat: DEFAULT_NAME_FORMAT,
    Default: false,
    CreateTime: time,
  };
  const config = { ...(existing?.Config ?? BLANK_CONFIG), ...change.Config };
  const method = { ...blank, ...existing, ...change, ModifyTime: change.ModifyTime ?? time };
  return hashed({ ...method, MaxTokenTTL: formatDuration(readDuration(method.MaxTokenTTL)), Config: canonicalConfig(config) });
}

/** A Config in which nothing is set. */
export const BLANK_CONFIG: AuthMethodConfig = configForm.parse({});

/** The Config with a complete assertion: with the server's defaults, and a copy of the secret. */
export function canonicalConfig(config: AuthMethodConfig): AuthMethodConfig {
  return { ...config, OIDCClientAssertion: config.OIDCClientAssertion && canonicalAssertion(config.OIDCClientAssertion, config) };
}

/** The number of writes of each method, by its name. */
const writes = new Map<string, number>();

/** The hash covers every field except the times, including secrets. */
function hashed(method: Omit<AuthMethod, keyof Stored>): AuthMethod {
  const { Name, Type, TokenLocality, TokenNameFormat, MaxTokenTTL, Default, Config } = method;
  const { ClaimMappings, ListClaimMappings, ...config } = Config;
  const write = (writes.get(Name) ?? 0) + 1;
  writes.set(Name, write);
  const maps = [ClaimMappings, ListClaimMappings].map((map) => unorderedEntries(map, write));
  const Hash = contentHash(Name, Type, TokenLocality, TokenNameFormat, MaxTokenTTL, Default, config, maps);
  return { ...method, Hash, ...unstored };
}
