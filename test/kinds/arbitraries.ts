// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
import * as fc from "fast-check";

export const textOf = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
export const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const text = fc.string({ unit: "grapheme", maxLength: 30 });
export const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
export const template = fc.oneof(
  word.filter((text) => !text.includes("${")),
  fc.constantFrom("team-${value.team}", "$${", '${value.a == "x" ? 1 : value.b}'),
);
export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
export const adopt = optional(fc.constantFrom<boolean | "overwrite">(true, false, "overwrite"));
