import type { ClaimMappings } from "./claims";
import type { Texts } from "./template";
import { TemplateError, textsOf } from "./template";

/** The form of the names of roles and policies. A bind name that becomes another text ends the login. */
export const validName = /^[a-zA-Z0-9-]{1,128}$/;

/** The names of roles or policies that a bind name can become; undefined if it fails at every login of the method. */
export function boundNames(bindName: string, method: ClaimMappings | undefined): Texts | undefined {
  const texts = textsIfAny(bindName, method && new Set(valuesOf(method)));
  if (!texts) return undefined;
  // The shortest name that it can become, as far as known.
  const shortest = texts.isComputed && texts.constant === "" ? "a" : texts.constant;
  return validName.test(shortest) ? texts : undefined;
}

export function valuesOf({ claimMappings = {} }: ClaimMappings): string[] {
  return Object.values(claimMappings).map((name) => `value.${name}`);
}

export function textsIfAny(template: string, variables: ReadonlySet<string> | undefined): Texts | undefined {
  try {
    return textsOf(template, variables);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}
