import type { CommandIo } from "./command-line";

/**
 * The output of a command without control characters, which a terminal would execute: errors, findings and JSON contain texts of servers.
 * The escapes are JSON's, so JSON keeps its meaning. Line breaks and tabs stay.
 */
export function withoutControls({ print, complain, progress }: CommandIo): CommandIo {
  const units = (text: string) => text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const escaped = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => units(character).join(""));
  return { print: (text) => print(escaped(text)), complain: (text) => complain(escaped(text)), progress };
}
