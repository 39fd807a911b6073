/**
 * The notes of a release: its section of CHANGELOG.md.
 *
 * @param isReleased whether the section must have the version's own heading; otherwise [Unreleased] is enough
 * @throws for a missing or empty section
 */
export function notesOf(changelog: string, version: string, isReleased: boolean): string {
  const sections = new Map(
    changelog.split(/^## /m).map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return [/^\[(.*?)\]/.exec(heading)?.[1], lines.join("\n").trim()] as const;
    }),
  );
  const notes = sections.get(version) ?? (isReleased ? undefined : sections.get("Unreleased"));
  if (!notes)
    throw new Error(`CHANGELOG.md has no section "## [${version}] - DATE", or nothing in it: move the entries of [Unreleased] there`);
  return `${notes}\n`;
}
