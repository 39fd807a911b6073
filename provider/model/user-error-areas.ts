/** An entry of docs/troubleshooting.md. */
export interface Words {
  /** Words of the message, with `...` or capitals for what differs. A test looks for them in the sources. */
  readonly says: string;
  /** What has happened. */
  readonly cause: string;
  /** What to do next. */
  readonly remedy: string;
}

/** An entry for the errors of one code. */
export interface Entry extends Words {
  readonly area: Area;
}

/** The areas of errors, in the order of the document, with their titles. */
export const areas = {
  configuration: "Configuration",
  programs: "Programs",
  objects: "Objects that exist already, are gone, or are on another server; operations that end early",
  pools: "Agent pools",
  methods: "ACL auth methods and binding rules",
  functions: "Functions",
} as const;

type Area = keyof typeof areas;
