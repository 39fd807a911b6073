import * as fc from "fast-check";

const signs = "\"'`\\{$}\n\r\t\u2028\u2029*/#: -[]&!|>%@\u0000\u007f\u202e\ufeffé😀";

/** Texts that break programs, configurations or pages which embed them unescaped: some language reads each of them as more than a text. */
const known = [
  ...["__proto__", "constructor", "toString", "</script>", "*/", "/*", "//", "#", "'''", '"""', "\\", "\\n", "%s", "%!d(x)", "<!--"],
  ...["$" + "{a.b}", "$" + "{", "$$", "$$" + "{", "$$$" + "{a}", "#{a}", "{{ a }}", "{0}", "$(id)", "`id`", "a$", "$"],
  // Texts that mean something in YAML: numbers, dates, words, tags, anchors, aliases and documents.
  ...["yes", "No", "on", "null", "~", "True", "1h", "0x1F", "0o7", "1_000", "1e3", ".5", ".inf", ".NaN", "2030-01-01", "12:30:45"],
  ...[
    "!!binary aGk=",
    "!local a",
    "&anchor a",
    "*anchor",
    "---",
    "...",
    "- a",
    "? a",
    "a: b",
    "a #b",
    "| a",
    "> a",
    "{a: b}",
    "[a]",
    "%YAML 1.1",
  ],
  ...[
    " leading",
    "trailing ",
    "\ttab",
    "a\n",
    "\na",
    "a\r\nb",
    " ",
    "\u00a0",
    "\u0085",
    "\u2028",
    "\ufeffa",
    "\u200bx",
    "fn::secret",
    "Fn::Invoke",
  ],
];

/** Texts that a server may hold, and that must never become code. */
export const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...signs, "fn::a", "$" + "{"), maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(...known),
);

const markupSigns = [
  ...["</script>", "<!--", "-->", "]]>", "<b>", "&amp;", "&#34;", "#quot;", "```", "\\n", "\u202eevil", "end", "|", "$" + "{x}"],
  ..."\"'`~*_[]()<>|#\\&;:-!@\n\r\t\u0000\u001b\u2028é한😀\ud800 a",
];

/** Texts that are markup to HTML, SVG, Markdown, Mermaid or Graphviz, or that none of them can hold. */
export const hostileMarkup = fc.oneof(
  hostile,
  fc.array(fc.constantFrom(...markupSigns), { maxLength: 12 }).map((some) => some.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
