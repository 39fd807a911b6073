import { readdirSync } from "node:fs";
import { join } from "node:path";
import { packageRoot as root } from "../provider/configuration/package";

/** The repository's folder. */
export { root };

/** The folder of the generated reference pages. */
export const reference = "docs/reference";

/** The documents for users, by their paths in the repository. */
export function documents(): string[] {
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "CHANGELOG.md", "SECURITY.md", ...pages.map((name) => `docs/${name}`)];
}
