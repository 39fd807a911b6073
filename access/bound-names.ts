import type { ClaimMappings } from "./claims";
import type { Texts } from "./template";
import { TemplateError, textsOf } from "./template";

/** The form of role and policy names. A bind name for a role or policy fails the login if it results in any other text. */
export const validName = /^[a-zA-Z0-9-]{1,128}$/;

/** The possible names of roles or policies that a bind name can produce; undefined if it fails at every login of the method. */
export function boundNames(bindName: string, method: ClaimMappings | undefined): Texts | undefined {
  const texts = textsIfAny(bindName, method && new Set(valuesOf(method)));
  if (!texts) return undefined;
  // The shortest name that the bind name can produce, as far as that is known.
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
