/** What programs are written in. */
export const languages = ["typescript", "python", "go", "yaml"] as const;
export type Language = (typeof languages)[number];
