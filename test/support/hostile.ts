import fc from "fast-check";

const parts = [
  "</script>",
  "<!--",
  "]]>",
  "```",
  "-->",
  "&amp;",
  "&#34;",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the API's own interpolation
  "${x}",
  "\\n",
  "\\",
  '"',
  "'",
  "`",
  "<b>",
  "\u202eevil",
  "|",
  "#quot;",
  "end",
];

/** Texts that are markup in one language or another. */
export const hostile = fc.oneof(
  fc
    .array(fc.constantFrom(...parts, ..."~*_[]()<>|#&;:-!@\n\r\t\u0000\u001b\u2028é한😀\ud800 a"), { maxLength: 12 })
    .map((some) => some.join("")),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
