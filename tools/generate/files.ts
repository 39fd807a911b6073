import { entryOf, handlers } from "./entries";
import { sourceModule } from "./source";
import { functionTypes, resourceTypes } from "./typescript";

/** The generated sources, by the name of the file in provider/generated. */
export const sources: Readonly<Record<string, () => string>> = {
  "resources.ts": resourceTypes,
  "functions.ts": functionTypes,
  "dynamic.ts": () => entryOf("dynamic"),
  "plugin.ts": () => entryOf("plugin"),
  "handlers.ts": handlers,
  "source.ts": sourceModule,
};
