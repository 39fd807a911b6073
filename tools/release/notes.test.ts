import { notesOf } from "./notes";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n## [0.2.0] - 2026-11-22\n\n### Fixed\n\n- Old.\n\n## [0.1.0] - 2026-11-01\n";

test("the notes are the section of the version", () => {
  expect(notesOf(changelog, "0.2.0", true)).toBe("### Fixed\n\n- Old.\n");
});

test("before the release they are what is not released yet", () => {
  expect(notesOf(changelog, "0.3.0", false)).toBe("### Added\n\n- New.\n");
});

test.each(["0.3.0", "0.1.0"])("a release without a section, or with an empty one, is refused: %s", (version) => {
  expect(() => notesOf(changelog, version, true)).toThrow(`CHANGELOG.md has no section "## [${version}] - DATE", or nothing in it`);
});
