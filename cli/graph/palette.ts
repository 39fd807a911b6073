const light = {
  page: "#ffffff",
  /** The border of fields, of the form and of the page's header. */
  frame: "#7d8590",
  panel: "#f6f8fa",
  text: "#1f2328",
  /** Less important texts. */
  muted: "#57606a",
  line: "#7d8590",
  method: { border: "#0969da", area: "#eef6ff", text: "#0a3069" },
  rule: { border: "#7d8590", area: "#f6f8fa", text: "#1f2328" },
  role: { border: "#1a7f37", area: "#ecfaef", text: "#0f4a21" },
  policy: { border: "#8250df", area: "#f9f3ff", text: "#512a97" },
  rights: { border: "#1b7c83", area: "#e9f8f9", text: "#0c4145" },
  management: { border: "#82071e", area: "#b3162c", text: "#ffffff" },
  /** Texts of marks, on every background. */
  alarm: "#b3162c",
  notice: "#7a4b00",
  /** A highlighted path. */
  lit: "#bc4c00",
  /** The outline of the keyboard focus. */
  focus: "#0550ae",
};

/** The colours of a page and a picture. */
export type Palette = typeof light;

const dark: Palette = {
  page: "#0d1117",
  frame: "#6e7681",
  panel: "#161b22",
  text: "#f0f6fc",
  muted: "#9ea7b3",
  line: "#6e7681",
  method: { border: "#4493f8", area: "#0f2440", text: "#cfe4ff" },
  rule: { border: "#6e7681", area: "#161b22", text: "#f0f6fc" },
  role: { border: "#3fb950", area: "#0f2a18", text: "#c4f3cd" },
  policy: { border: "#ab7df8", area: "#23183b", text: "#e5d7ff" },
  rights: { border: "#39c5cf", area: "#0b2a2e", text: "#b8f0f4" },
  management: { border: "#ffb3ad", area: "#a40e26", text: "#ffffff" },
  alarm: "#ff9492",
  notice: "#e3b341",
  lit: "#ffa657",
  focus: "#79c0ff",
};

export const palettes = { light, dark } as const;

/** The colours as custom properties: light ones, and dark ones for readers who prefer them. */
export const colours = `:root { color-scheme: light dark; ${properties(light)} }
@media (prefers-color-scheme: dark) { :root { ${properties(dark)} } }`;

function properties(palette: Palette): string {
  return Object.entries(palette)
    .flatMap(([name, value]) =>
      typeof value === "string" ? [`--${name}: ${value};`] : Object.entries(value).map(([part, colour]) => `--${name}-${part}: ${colour};`),
    )
    .join(" ");
}
