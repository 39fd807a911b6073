import { palettes } from "./palette";

/** The relative luminance of a colour, and the contrast of two, as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(Object.entries(palettes))("the %s colours", (_, palette) => {
  const { method, rule, role, policy, management } = palette;
  const areas = [method, rule, role, policy].map(({ area }) => area);

  it.each(Object.entries({ method, rule, role, policy, management }))(
    "have texts of %s that can be read (4.5:1)",
    (_name, { text, area }) => {
      expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it("have texts of the page, of marks and of what is less important that can be read wherever they stand (4.5:1)", () => {
    for (const area of [palette.page, palette.panel]) {
      for (const text of [palette.text, palette.muted, palette.alarm]) expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
    }
    for (const area of areas) {
      for (const text of [palette.alarm, palette.notice, palette.muted]) expect(contrast(text, area)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("have borders, lines, focus and lights that can be seen (3:1)", () => {
    const { page, panel, frame, line, focus, lit } = palette;
    for (const area of [page, panel]) for (const colour of [frame, line, focus]) expect(contrast(colour, area)).toBeGreaterThanOrEqual(3);
    for (const colour of [lit, management.border, method.border, role.border, policy.border, rule.border]) {
      expect(contrast(colour, page)).toBeGreaterThanOrEqual(3);
    }
  });
});
