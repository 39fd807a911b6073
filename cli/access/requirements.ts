import * as z from "zod";
import type { TokenRequirement, TokenRequirements } from "../../access/token-requirements";
import { parseDuration } from "../../common/durations";
import { record } from "../../common/record";
import { isUncertain } from "../inventory/inventory";

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();
const duration = text.refine((value) => !value || parseDuration(value) !== undefined);

/** The parts of a method's config that decide which tokens it accepts. Secret, unknown and malformed values are hidden. */
export function toRequirements(config: unknown): Omit<TokenRequirements, "type"> {
  const values = record(z.unknown()).catch({}).parse(config);
  const hidden: TokenRequirement[] = [];
  const read = <T>(name: TokenRequirement, form: z.ZodType<T>) => {
    const parsed = form.safeParse(values[name]);
    if (parsed.success && !isUncertain(values[name])) return parsed.data ?? undefined;
    hidden.push(name);
    return undefined;
  };
  return {
    boundAudiences: read("boundAudiences", texts),
    boundIssuer: read("boundIssuer", texts),
    expirationLeeway: read("expirationLeeway", duration),
    notBeforeLeeway: read("notBeforeLeeway", duration),
    clockSkewLeeway: read("clockSkewLeeway", duration),
    oidcDiscoveryUrl: read("oidcDiscoveryUrl", text),
    oidcClientId: read("oidcClientId", text),
    oidcDisableUserInfo: read("oidcDisableUserInfo", z.boolean().nullish()),
    hidden,
  };
}
